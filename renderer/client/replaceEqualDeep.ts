/**
 * `next` with every part that equals the same part of `previous` replaced by that part, so that unchanged rows keep
 * their reference and React skips them. Plain JSON values only; anything else is compared by identity.
 * After @tanstack/query-core, utils.ts, replaceEqualDeep.
 */
export function replaceEqualDeep<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) return next;
  if (Array.isArray(next)) {
    if (!Array.isArray(previous)) return next;
    let equal = previous.length === next.length;
    const copy = next.map((item, index) => {
      const kept = replaceEqualDeep(previous[index], item);
      if (equal && !Object.is(kept, previous[index])) equal = false;
      return kept;
    });
    return (equal ? previous : copy) as T;
  }
  if (!isPlain(next) || !isPlain(previous)) return next;
  const keys = Object.keys(next);
  let equal = keys.length === Object.keys(previous).length;
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const kept = replaceEqualDeep(previous[key], next[key]);
    copy[key] = kept;
    if (equal && (!(key in previous) || !Object.is(kept, previous[key]))) equal = false;
  }
  return (equal ? previous : copy) as T;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
