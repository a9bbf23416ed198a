/**
 * The Events filter. Words are and-ed; a bare word must stand somewhere in the row; `kind: ns: name: op: writer: type:`
 * narrow one field; a leading `-` excludes. Case does not matter. Quotes keep spaces together: `"image pull"`.
 */
import type { EventRow } from '../../shared/contract/views/objects.ts';

export type EventPredicate = (row: EventRow) => boolean;

const fields: Readonly<Record<string, (row: EventRow) => string>> = {
  kind: (row) => row.object?.kind ?? '',
  ns: (row) => row.object?.namespace ?? '',
  namespace: (row) => row.object?.namespace ?? '',
  name: (row) => row.object?.name ?? '',
  op: (row) => row.op ?? '',
  writer: (row) => `${row.writer?.manager ?? ''} ${row.writer?.subresource ?? ''}`,
  type: (row) => (row.warning ? `${row.type} warning` : row.type),
};

/** Never fails: a word with an unknown field name is a plain word. */
export function compileEventFilter(text: string): EventPredicate {
  const tests = (text.match(/-?(?:[a-z]+:)?"[^"]*"|\S+/gi) ?? []).map(compileWord);
  return (row) => tests.every((test) => test(row));
}

function compileWord(word: string): EventPredicate {
  const exclude = word.length > 1 && word.startsWith('-');
  const body = exclude ? word.slice(1) : word;
  const colon = body.indexOf(':');
  const read = colon > 0 ? fields[body.slice(0, colon).toLowerCase()] : undefined;
  const wanted = unquote(read === undefined ? body : body.slice(colon + 1)).toLowerCase();
  const value = read ?? wholeRow;
  // `kind:` and `op:` name a thing, so they match whole words; `kind:Pod` is not `PodDisruptionBudget`.
  const exact = read !== undefined && (read === fields.kind || read === fields.op);
  return (row) => {
    const text = value(row).toLowerCase();
    return (exact && wanted !== '' ? text === wanted : text.includes(wanted)) !== exclude;
  };
}

function unquote(text: string): string {
  return text.replaceAll('"', '');
}

function wholeRow(row: EventRow): string {
  const object =
    row.object === undefined ? '' : `${row.object.kind} ${row.object.namespace}/${row.object.name}`;
  return `${object} ${row.op ?? ''} ${row.writer?.manager ?? ''} ${row.summary}`;
}
