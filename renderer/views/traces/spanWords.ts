/** How runs are counted, timed and measured in words. Pure. */
import type { Span, SpanResult, SpanRow, TraceWrite, Within } from '../../../shared/model/trace.ts';
import { formatDuration, formatTime, formatTimeMs } from '../../format/format.ts';
import type { RunResult } from '../../widgets/ResultMark.tsx';

/** A span that has not ended runs. */
export function resultOf(row: Pick<SpanRow, 'result' | 'end'>): RunResult {
  if (row.end === undefined && row.result === undefined) return 'running';
  return row.result ?? 'unknown';
}

export function isFailure(result: SpanResult | 'running' | undefined): boolean {
  return result === 'error' || result === 'terminal' || result === 'panic';
}

/** Which attempt it was, from 1, of a key that failed before or in it; undefined: a run like any other has no number. */
export function attemptOf(row: Pick<SpanRow, 'failures' | 'result'>): number | undefined {
  return row.failures > 0 || isFailure(row.result) ? row.failures + 1 : undefined;
}

/** Below this width a time is exact. */
const exactMs = 1;

export function isExact({ lo, hi }: Within): boolean {
  return hi - lo < exactMs;
}

/** Up to this width the middle of an interval says it, ms. */
const aboutMs = 200;

/** `14:09:20.649`, `~14:09:20.649`; what is known to the second only has no decimals: `14:09:20`, `14:09:20–21`. */
export function timeWords(at: Within): string {
  if (isExact(at)) return formatTimeMs(at.hi);
  return at.hi - at.lo <= aboutMs ? `~${formatTimeMs((at.lo + at.hi) / 2)}` : stretchTime(at.lo, at.hi);
}

/** `14:03:52–09:20`; the hour stands again only when it is another. */
export function stretchTime(from: number, to: number): string {
  const [first, last] = [formatTime(from), formatTime(to)];
  if (first === last) return first;
  if (first.slice(0, 6) === last.slice(0, 6)) return `${first}–${last.slice(6)}`;
  return `${first}–${first.slice(0, 3) === last.slice(0, 3) ? last.slice(3) : last}`;
}

/** `41.2 ms`, `40–52 ms`, `≤ 90 ms`: an interval keeps both ends. */
export function lengthWords(length: Within | undefined): string {
  if (length === undefined) return formatDuration(undefined);
  const { lo, hi } = length;
  const longest = formatDuration(hi);
  if (lo <= 0 && hi > 0) return `≤ ${longest}`;
  const shortest = formatDuration(lo);
  if (shortest === longest) return longest;
  const [number = '', unit] = shortest.split(' ');
  // One unit stands once.
  return unit !== undefined && longest.endsWith(` ${unit}`)
    ? `${number}–${longest}`
    : `${shortest}–${longest}`;
}

/** `+31.8 ms` after the start; a clock time where the distance is not known to a millisecond. */
export function offsetWords(at: Within, start: Within): string {
  const from = at.lo - start.hi;
  const to = at.hi - start.lo;
  if (to - from >= exactMs) return isExact(at) ? formatTime(at.hi) : stretchTime(at.lo, at.hi);
  const offset = (from + to) / 2;
  const size = Math.abs(offset);
  const sign = offset < 0 ? '−' : '+';
  // Zero is 0, with no decimals that nobody measured.
  if (size < 0.05) return '+0 ms';
  return `${sign}${size < 99.95 ? `${size.toFixed(1)} ms` : formatDuration(size)}`;
}

/**
 * How long a timer held the key back before this run: from the end of the run before until it was due, ms. undefined: no
 * timer woke it, or one of the two is not known well enough to be told from nothing.
 */
export function delayBefore(span: Span, earlier: SpanRow | undefined): number | undefined {
  const timed = span.triggerList.some(({ type }) => type === 'retry' || type === 'requeue-after');
  if (!timed || earlier?.end === undefined || span.waitMs === undefined) return undefined;
  const longest = span.start.hi - span.waitMs.lo - earlier.end.lo;
  const shortest = span.start.lo - span.waitMs.hi - earlier.end.hi;
  // Below a tenth of it in doubt: then the middle says it.
  return shortest > 0 && longest - shortest < shortest / 10 ? (longest + shortest) / 2 : undefined;
}

/** 0 … 1 on an axis of decades from 0.1 ms to 100 s: the same length is the same bar in every list. */
export function barOf(ms: number): number {
  return Math.max(0.02, Math.min(1, (Math.log10(Math.max(ms, 0.1)) + 1) / 6));
}

/** Kubernetes words, the same in every language: `Update Database/status`. */
export function writeWords(
  write: Pick<TraceWrite, 'verb' | 'subject' | 'subresource'>,
  ofKey: string,
): string {
  const [kind = '', namespace = '', name = ''] = write.subject.split('/');
  const verb = write.verb.charAt(0).toUpperCase() + write.verb.slice(1);
  const target = write.subresource === '' ? kind : `${kind}/${write.subresource}`;
  const path = namespace === '-' || namespace === '' ? name : `${namespace}/${name}`;
  return path === ofKey ? `${verb} ${target}` : `${verb} ${target} ${name}`;
}

/** `Database shop/orders-db` of `Database/shop/orders-db`. */
export function subjectWords(subject: string): string {
  const [kind = '', namespace = '', ...name] = subject.split('/');
  const rest = name.join('/');
  return namespace === '-' || namespace === '' ? `${kind} ${rest}`.trim() : `${kind} ${namespace}/${rest}`;
}

/** `operator.log` of the path of a file; any other name of a source as it is. */
export function shortSource(source: string): string {
  if (!/^(~|\.{0,2}\/|[A-Za-z]:\\)/.test(source)) return source;
  return source.split(/[\\/]/).at(-1) || source;
}

/** How far it is, in whole percent; 100 only when it is done. */
export function percentDone(done: number, total: number): number {
  return total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));
}
