/** Whether two spans say the same, the marks of revisions aside. */
import type { Span } from '../../shared/model/trace.ts';

export function sameSpan(a: Span, b: Span): boolean {
  return sameValue(a, b, true);
}

function sameValue(a: unknown, b: unknown, top = false): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => sameValue(value, b[index]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const name of names) {
    if (top && (name === 'revision' || name === 'revisedBy')) continue;
    if (!sameValue(left[name], right[name])) return false;
  }
  return true;
}
