import type { Retention, SessionRow } from '../../../shared/contract/views/sessions.ts';
import { deleteBlocked } from './sessionWords.ts';

/**
 * The sessions that a retention deletes at once, oldest first, as the engine does (core/node/sessionLibrary.ts): unkept
 * ones beyond the newest `keep`, and older ones while all files together take more than `maxBytes`. What the user keeps,
 * what is being written, what cannot be read and what is on screen (`shown`, a path) stays.
 */
export function beyondRetention(
  rows: readonly SessionRow[],
  retention: Retention,
  shown?: string,
): readonly SessionRow[] {
  const newestFirst = [...rows].sort((a, b) => b.startedAt - a.startedAt);
  const beyond = new Set(newestFirst.filter((row) => !row.kept).slice(retention.keep));
  let bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const gone: SessionRow[] = [];
  for (const row of newestFirst.reverse()) {
    // What cannot be read here another version may still need.
    const unknown = row.state === 'unreadable' && row.bytes > 0;
    const stays = row.kept || unknown || deleteBlocked(row, shown) !== undefined;
    if (stays || (!beyond.has(row) && bytes <= retention.maxBytes)) continue;
    bytes -= row.bytes;
    gone.push(row);
  }
  return gone;
}

export interface RetentionText {
  readonly keep: string;
  /** GB, decimal. */
  readonly gigabytes: string;
}

export function printRetention({ keep, maxBytes }: Retention): RetentionText {
  return { keep: `${keep}`, gigabytes: `${Number((maxBytes / 1e9).toPrecision(3))}` };
}

/** What was typed, or which field is wrong. */
export function parseRetention(text: RetentionText): Retention | 'badKeep' | 'badSize' {
  const keep = Number(text.keep.trim());
  if (text.keep.trim() === '' || !Number.isInteger(keep) || keep < 1 || keep > 1000) return 'badKeep';
  const bytes = Math.round(Number(text.gigabytes.trim().replace(',', '.')) * 1e9);
  if (text.gigabytes.trim() === '' || !Number.isSafeInteger(bytes) || bytes <= 0) return 'badSize';
  return { keep, maxBytes: bytes };
}
