/** What a new version of a status says that the one before did not: nothing anybody waits for, a count, or something. */
import type { Change } from '../../objects/changes.ts';
import type { SeenVersion } from '../../trace/detectors/seen.ts';

/** `none`: times, random names, versions of the object itself, another order. `counter`: beside them, numbers one up. */
export type News = 'none' | 'counter' | 'some';

export function newsOf(version: SeenVersion, before: SeenVersion): News {
  const rest = version.changes.filter((change) => !isEmpty(change, before) && !isReordered(change, version));
  if (rest.length === 0) return 'none';
  return rest.every(isCountedUp) ? 'counter' : 'some';
}

function isEmpty({ sign, old, new: value }: Change, before: SeenVersion): boolean {
  if (sign !== '~') return false;
  if (typeof value === 'number') return typeof old === 'number' && isEpoch(old) && isEpoch(value);
  if (Array.isArray(value)) return Array.isArray(old) && isSameSet(old, value);
  if (typeof old !== 'string' || typeof value !== 'string') return false;
  // The version it was read in: each write makes another.
  if (value !== '' && value === before.resourceVersion) return true;
  if ((isTime(old) && isTime(value)) || (isToken(old) && isToken(value))) return true;
  return old.replace(timesInText, '') === value.replace(timesInText, '');
}

function isCountedUp({ sign, old, new: value }: Change): boolean {
  return sign === '~' && typeof old === 'number' && value === old + 1;
}

/** An item of a list without names that is another one because the list has another order. */
function isReordered(change: Change, { changes }: SeenVersion): boolean {
  const place = listPlace(change);
  if (place === undefined) return false;
  const [was, is] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const other of changes) {
    const item = listPlace(other);
    if (item?.list !== place.list) continue;
    was.set(item.label, item.older);
    is.set(item.label, item.newer);
  }
  return isSameSet([...was.values()], [...is.values()]);
}

function listPlace({
  steps,
}: Change):
  | { readonly list: string; readonly label: string; readonly older: unknown; readonly newer: unknown }
  | undefined {
  const at = steps.findIndex((step) => step.kind === 'item' && /^\d+$/.test(step.label));
  const step = steps[at];
  if (step?.kind !== 'item' || step.older === undefined || step.newer === undefined) return undefined;
  const list = steps.slice(0, at).map((one) => (one.kind === 'item' ? one.label : one.name));
  return { list: list.join('\0'), label: step.label, older: step.older.value, newer: step.newer.value };
}

function isSameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  const texts = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
  return JSON.stringify(texts(a)) === JSON.stringify(texts(b));
}

const timesInText =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|[+-]\d\d:?\d\d))?( [A-Z]{3,4})?( m=[+-][\d.]+)?/g;

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) || (/^\d{10,19}$/.test(text) && isEpoch(Number(text)));
}

/** Seconds, ms, µs or ns since 1970 of a year between 2001 and 2100. */
function isEpoch(value: number): boolean {
  return [1, 1e3, 1e6, 1e9].some((unit) => value / unit >= 978_307_200 && value / unit <= 4_102_444_800);
}

/** Made anew each time: a uuid, or a hash of at least twelve places. */
function isToken(text: string): boolean {
  return /^[0-9a-f-]{12,}$/i.test(text) && /\d/.test(text) && /[a-f-]/i.test(text);
}
