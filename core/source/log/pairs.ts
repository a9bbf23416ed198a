/** `key=value` pairs as klog, logfmt and logr's text write them. */
import { parseJson } from '../../../shared/base/json.ts';

/**
 * Pairs from `at` on; keys bare or quoted. Values are quoted, a bracketed list, object or Go struct, klog's `<` … `>` over
 * several lines, or run to the next space. Undefined where there is no pair and the rest is not empty.
 */
export function readPairs(text: string, at: number): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {};
  let index = at;
  let count = 0;
  // controller-runtime has names with a blank in them, which klog leaves bare.
  const key = /\s*(?:"([^"\\]+)"|((?:worker|reconciler) [a-z]+|[^\s="]+))=/y;
  for (;;) {
    key.lastIndex = index;
    const match = key.exec(text);
    if (match === null) break;
    index = key.lastIndex;
    const value = readValue(text, index);
    const name = match[1] ?? match[2] ?? '';
    // As with JSON the later one counts: loggers put what the call names behind what the logger carries.
    if (name !== '__proto__') fields[name] = value.value;
    count++;
    index = value.end;
  }
  return count > 0 || text.slice(index).trim() === '' ? fields : undefined;
}

/** A Go-quoted string; its escapes are JSON's but for \x, \a, \v and \U, which keep their text. */
export function readQuoted(text: string, at: number): { value: string; end: number } | undefined {
  let index = at + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  if (index >= text.length) return undefined;
  const raw = text.slice(at, index + 1);
  const value = parseJson(raw);
  return { value: typeof value === 'string' ? value : raw.slice(1, -1), end: index + 1 };
}

function readValue(text: string, at: number): { value: unknown; end: number } {
  const first = text[at];
  if (first === '"') {
    const quoted = readQuoted(text, at);
    // Without its end the value is cut: all of it is one value, quote and all, so that nobody takes it for a whole one.
    return quoted ?? { value: text.slice(at), end: text.length };
  }
  if (first === '<' && text[at + 1] === '\n') {
    const close = text.indexOf('\n >', at);
    if (close >= 0) return { value: text.slice(at + 2, close).replace(/^\t/gm, ''), end: close + 3 };
  }
  const open = first === '&' ? at + 1 : text.startsWith('map[', at) ? at + 3 : at;
  if (text[open] === '{' || text[open] === '[') {
    const end = closingBracket(text, open);
    if (end !== undefined) {
      const raw = text.slice(at, end);
      return { value: (open === at ? parseJson(raw) : undefined) ?? raw, end };
    }
  }
  const space = /\s/g;
  space.lastIndex = at;
  const end = space.exec(text)?.index ?? text.length;
  return { value: text.slice(at, end), end };
}

function closingBracket(text: string, at: number): number | undefined {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const char = text[index];
    if (char === '"') {
      const quoted = readQuoted(text, index);
      if (quoted === undefined) return undefined;
      index = quoted.end - 1;
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}
