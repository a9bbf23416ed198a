/** One line that says what a version changed. Spec: docs/spec/objects.md */
import type { DiffRow } from '../../shared/contract/views/objects.ts';

/** Longest value in the line. */
const longestValue = 32;

/**
 * `status.conditions[Ready].status False → True, +2`: the change that says most, and how many more there are. `+` marks
 * what is new, `−` what is gone. With nothing but bookkeeping it says so; without rows: `no change`.
 */
export function summarise(rows: readonly DiffRow[]): string {
  const told = rows.filter((row) => !row.bookkeeping);
  if (told.length === 0) return rows.length === 0 ? 'no change' : 'only bookkeeping fields';
  let best = told[0];
  for (const row of told) if (best === undefined || weight(row) < weight(best)) best = row;
  if (best === undefined) return 'no change';
  const more = told.length - 1;
  return `${words(best)}${more === 0 ? '' : `, +${more}`}`;
}

function words(row: DiffRow): string {
  const { path } = row;
  if (row.sign === '-') return `−${path}`;
  if (row.sign === '+') return `+${path} ${plain(row.new)}`;
  return `${path} ${plain(row.old)} → ${plain(row.new)}`;
}

/** A string without its quotes, cut. */
function plain(json: string | undefined): string {
  const text = json === undefined ? '' : /^".*"$/s.test(json) ? json.slice(1, -1) : json;
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text === '' ? '""' : text;
}

/** Lower says more; of equals a changed value before one that came or went. */
function weight(row: DiffRow): number {
  return pathWeight(row.path) + (row.sign === '~' ? 0 : 0.5);
}

/** Times and counters move along with what matters. */
function pathWeight(path: string): number {
  if (path === 'metadata.deletionTimestamp') return 0;
  if (/^status\.conditions\[[^\]]*\]\.status$/.test(path)) return 1;
  if (/(Time|Timestamp|generation|Generation)$/.test(path) || path.startsWith('metadata.uid')) return 9;
  if (path.startsWith('spec')) return 2;
  if (/^status\.conditions\[[^\]]*\]\.(reason|type)$/.test(path)) return 3;
  if (path.startsWith('status')) return 4;
  if (path.startsWith('metadata.finalizers') || path.startsWith('metadata.ownerReferences')) return 4;
  if (path.startsWith('metadata.')) return 5;
  return path === 'apiVersion' || path === 'kind' ? 8 : 3;
}
