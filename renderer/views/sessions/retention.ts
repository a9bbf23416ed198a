import type { Retention, SessionRow } from '../../../shared/contract/views/sessions.ts';

/**
 * The sessions that a retention deletes at once, newest first: unkept ones beyond the newest `keep`, or beyond `maxBytes`
 * of all files together. What is being recorded and what the user keeps stays, and counts for the size.
 */
export function beyondRetention(rows: readonly SessionRow[], retention: Retention): readonly SessionRow[] {
  const newestFirst = [...rows].sort((a, b) => b.startedAt - a.startedAt);
  const stays = newestFirst.filter(staysAlways);
  let bytes = stays.reduce((sum, row) => sum + row.bytes, 0);
  let count = 0;
  const gone: SessionRow[] = [];
  for (const row of newestFirst) {
    if (staysAlways(row)) continue;
    count += 1;
    bytes += row.bytes;
    if (count > retention.keep || bytes > retention.maxBytes) gone.push(row);
  }
  return gone;
}

function staysAlways(row: SessionRow): boolean {
  return row.kept || row.state === 'recording' || row.state === 'elsewhere';
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
