/**
 * The Events filter. Words are and-ed; a bare word must stand somewhere in the row; `kind: ns: name: op: writer: type:`
 * narrow one field; a leading `-` excludes. Case does not matter. Quotes keep spaces together: `"image pull"`.
 */
import type { EventRow, ObjectRefView } from '../../shared/contract/views/objects.ts';

export type EventPredicate = (row: EventRow) => boolean;

/** What a field says of a row; an Event has two objects: itself and what it regards. */
const fields: Readonly<Record<string, (row: EventRow) => readonly string[]>> = {
  kind: (row) => objectsOf(row).map((object) => object.kind),
  ns: (row) => objectsOf(row).map((object) => object.namespace),
  namespace: (row) => objectsOf(row).map((object) => object.namespace),
  name: (row) => objectsOf(row).map((object) => object.name),
  // As it stands on screen: that an Event was added says nothing of what it is about.
  op: (row) => [row.type === 'event' ? 'event' : (row.op ?? '')],
  writer: (row) => [`${row.writer?.manager ?? ''} ${row.writer?.subresource ?? ''}`],
  type: (row) => [row.warning ? `${row.type} warning` : row.type],
};

function objectsOf(row: EventRow): readonly ObjectRefView[] {
  return [row.about, row.object].filter((object) => object !== undefined);
}

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
    const says = value(row).some((part) => {
      const text = part.toLowerCase();
      return exact && wanted !== '' ? text === wanted : text.includes(wanted);
    });
    return (says || wanted === '') !== exclude;
  };
}

function unquote(text: string): string {
  return text.replaceAll('"', '');
}

function wholeRow(row: EventRow): readonly string[] {
  const objects = objectsOf(row).map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
  return [`${objects.join(' ')} ${row.op ?? ''} ${row.writer?.manager ?? ''} ${row.summary}`];
}
