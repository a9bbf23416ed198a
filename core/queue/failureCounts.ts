import { predictionTolerance } from '../../shared/model/queue.ts';

/**
 * How sure the count of a key is. known: every failure since the limiter started (or forgot the key) was seen.
 * spaced: read off the spacing of two error lines. doubtful: counted on, but an observation disagreed, or a success was
 * only inferred. unknown: attached in the middle, and one line is not enough.
 */
export type CountCertainty = 'known' | 'spaced' | 'doubtful' | 'unknown';

interface Count {
  failures: number;
  /** Taken away by an inferred success while the count was not certain. */
  forgotten: number;
  certainty: CountCertainty;
  /** What it was before the last line raised a doubt. */
  certaintyBefore: CountCertainty;
  /** How certain it was before a run passed in silence: so certain again once a line comes when predicted. */
  sure: CountCertainty | undefined;
  /** Every line counted, where the spacing of lines said less: what silence at the retry of the lesser count brings back. */
  most: number | undefined;
  /** Lines of the log were lost: the limiter may have counted more. */
  low: boolean;
  lastErrorMs: number | undefined;
  /** The line that gave the delay which has not ended yet, and how many failures came after it without a say in it. */
  baseMs: number | undefined;
  sinceBase: number;
  /** What both were before the last line. */
  before: { readonly baseMs: number | undefined; readonly sinceBase: number } | undefined;
}

/** Events come in bursts, and each may wake a run: lines nearer than this to each other say nothing of the limiter. */
const BURST_MS = 600;

/** What is known of an error line when it is counted. Times and spans in ms. */
export interface ErrorLine {
  readonly atMs: number;
  /** Typical time from the start of a run to its line. */
  readonly runMs: number;
  /** How far off `atMs` may be: 1,000 for a time of whole seconds, 0 for a receipt time. */
  readonly precisionMs: number;
  /** A known cause explains the run: an event, or a delay that ran out. */
  readonly explained: boolean;
  /** The line came when a stored prediction said it would. */
  readonly predicted: boolean;
  /** The distance to the line before says nothing about the limiter: an event woke the run, or it took unusually long. */
  readonly unspaced: boolean;
  /** An event woke the run and the queue kind keeps a delay that was given before (classic). */
  readonly delayStays: boolean;
  /** Lines of this key may be missing since its last one: the distance may be the sum of several delays. */
  readonly linesMissing?: boolean;
}

/**
 * FailureCounts: how often each key failed in a row, in the eyes of the operator's limiter. Counting lines is enough when
 * the history is whole; where it is not, the distance of two lines tells which step of the limiter lay between them.
 * Spec: docs/spec/shadowQueue.md [SF1]–[SF8].
 */
export class FailureCounts {
  private readonly counts = new Map<string, Count>();
  private stepsMs: readonly number[];

  /** `stepsMs`: the delay after 1, 2, 3 … failures; the last one is the cap. */
  constructor(stepsMs: readonly number[]) {
    this.stepsMs = stepsMs;
  }

  failures(key: string): number {
    return this.counts.get(key)?.failures ?? 0;
  }

  /** A key that never failed here is as certain as `ifUnseen` says. */
  certainty(key: string, ifUnseen: CountCertainty): CountCertainty {
    return this.counts.get(key)?.certainty ?? ifUnseen;
  }

  lastErrorMs(key: string): number | undefined {
    return this.counts.get(key)?.lastErrorMs;
  }

  /** The line that gave the delay which has not ended yet, ms. */
  baseMs(key: string): number | undefined {
    return this.counts.get(key)?.baseMs;
  }

  /** Keys with failures, in no order. */
  *failing(): IterableIterator<
    readonly [string, { readonly failures: number; readonly certainty: CountCertainty }]
  > {
    for (const [key, count] of this.counts) if (count.failures > 0) yield [key, count];
  }

  /**
   * Failures before this line, as the limiter must have counted them; corrected where the spacing says so. Counts the
   * line. `corrected` is true when the count is not simply one more than before.
   */
  count(
    key: string,
    line: ErrorLine,
    ifUnseen: CountCertainty,
  ): { readonly before: number; readonly corrected: boolean } {
    const count = this.counts.get(key) ?? this.fresh(ifUnseen);
    const spaced = this.fromSumOfDelays(count, line) ?? this.fromSpacing(count, line);
    const before = spaced ?? count.failures;
    const corrected = before !== count.failures;
    if (line.predicted) confirm(count);
    count.certaintyBefore = count.certainty;
    const most =
      spaced !== undefined && spaced < count.failures ? (count.most ?? count.failures) : count.most;
    if (spaced !== undefined) {
      const short = this.isShort(count, line);
      count.certainty = short ? 'doubtful' : 'spaced';
      count.sure = short ? 'spaced' : undefined;
      count.low = short;
    }
    if (spaced === undefined && !line.explained && count.certainty !== 'unknown')
      count.certainty = 'doubtful';
    count.failures = before + 1;
    count.most = most === undefined || most <= before ? undefined : most + 1;
    count.forgotten = 0;
    count.lastErrorMs = line.atMs;
    count.before = { baseMs: count.baseMs, sinceBase: count.sinceBase };
    if (line.delayStays && count.baseMs !== undefined) count.sinceBase += 1;
    else {
      count.baseMs = line.atMs;
      count.sinceBase = 0;
    }
    this.counts.set(key, count);
    return { before, corrected };
  }

  /** The same for a delay given by the last line, ms: on a classic queue the latest time at which a retry can be due. */
  latestRetryMs(key: string, failures: number): number | undefined {
    const lastMs = this.counts.get(key)?.lastErrorMs;
    const step = this.stepsMs[Math.min(failures, this.stepsMs.length) - 1];
    return lastMs === undefined || step === undefined ? undefined : lastMs + step;
  }

  /** When the retry after `failures` errors was due, ms, counted from the line that gave its delay. */
  retryDueMs(key: string, failures: number): number | undefined {
    const { baseMs, sinceBase } = this.counts.get(key) ?? this.fresh('unknown');
    const step = this.stepsMs[Math.min(failures - sinceBase, this.stepsMs.length) - 1];
    return baseMs === undefined || step === undefined ? undefined : baseMs + step;
  }

  /**
   * The line that raised a doubt has found its cause, an event: its distance to the one before said nothing.
   * `delayStays`: as for a line.
   */
  reassure(key: string, delayStays: boolean): void {
    const count = this.counts.get(key);
    if (count === undefined) return;
    count.certainty = count.certaintyBefore;
    if (delayStays && count.before?.baseMs !== undefined) {
      count.baseMs = count.before.baseMs;
      count.sinceBase = count.before.sinceBase + 1;
    }
    count.before = undefined;
    this.countAll(key);
  }

  /** A run of a failing key passed in silence and nothing else tells whether it was one. */
  doubt(key: string): void {
    const count = this.counts.get(key);
    if (count === undefined || count.certainty === 'unknown') return;
    if (count.certainty !== 'doubtful') count.sure = count.certainty;
    count.certainty = 'doubtful';
  }

  /** The run that passed in silence failed after all, as its late line says. */
  undoubt(key: string): void {
    const count = this.counts.get(key);
    if (count !== undefined) confirm(count);
  }

  /** The most that the limiter can have counted: every line, whatever their spacing seemed to say. */
  mostFailures(key: string): number {
    const count = this.counts.get(key);
    return count?.most ?? count?.failures ?? 0;
  }

  /** Whether a line at `atMs` is as far from the last one as the delay after more than `failures` failures. */
  fitsLongerDelay(key: string, failures: number, atMs: number): boolean {
    const lastMs = this.counts.get(key)?.lastErrorMs;
    if (lastMs === undefined) return false;
    const longer = this.stepsMs.slice(failures);
    return longer.some((step) => Math.abs(atMs - lastMs - step) <= predictionTolerance(step));
  }

  /** Whether lines may be missing, so that the limiter may have counted more than is known here. */
  mayBeLow(key: string): boolean {
    return this.counts.get(key)?.low === true;
  }

  /** Takes back what the spacing of lines had taken away. */
  countAll(key: string): void {
    const count = this.counts.get(key);
    if (count?.most === undefined) return;
    count.failures = count.most;
    count.most = undefined;
    if (count.certainty === 'spaced') count.certainty = 'doubtful';
  }

  /** [SF5] The limiter forgot the key. `seen`: a success was reported, not only inferred. */
  forget(key: string, seen: boolean): void {
    const count = this.counts.get(key) ?? (seen ? this.fresh('known') : undefined);
    if (count === undefined) return;
    count.forgotten = seen || count.certainty === 'known' ? 0 : count.failures;
    count.failures = 0;
    count.most = undefined;
    count.sure = undefined;
    count.low = false;
    if (seen) count.sinceBase = 0;
    count.certainty = seen ? 'known' : 'doubtful';
    this.counts.set(key, count);
  }

  /** Puts back what an inferred success had taken away. */
  restore(key: string, failures: number, certainty: CountCertainty): void {
    const count = this.counts.get(key) ?? this.fresh(certainty);
    this.counts.set(key, {
      ...count,
      failures,
      certainty,
      forgotten: 0,
      most: undefined,
      sure: undefined,
      low: false,
    });
  }

  /** Lines were lost: the limiter may have counted more than is known here. */
  linesLost(): void {
    this.doubtAll();
    for (const count of this.counts.values()) if (count.failures > 0) count.low = true;
  }

  /** Lines may be missing from now on, or the limiter is another one. */
  doubtAll(stepsMs: readonly number[] = this.stepsMs): void {
    this.stepsMs = stepsMs;
    for (const count of this.counts.values()) if (count.certainty !== 'unknown') count.certainty = 'doubtful';
  }

  clear(): void {
    this.counts.clear();
  }

  private fresh(certainty: CountCertainty): Count {
    return {
      failures: 0,
      forgotten: 0,
      certainty,
      certaintyBefore: certainty,
      sure: undefined,
      most: undefined,
      low: false,
      lastErrorMs: undefined,
      baseMs: undefined,
      sinceBase: 0,
      before: undefined,
    };
  }

  /**
   * [SF2] [SF3] The count that the distance to the line before implies; undefined when the count is trusted, the
   * distance has another cause, or it fits no step.
   */
  private fromSpacing(count: Count, line: ErrorLine): number | undefined {
    if (count.certainty === 'known' || line.unspaced || line.predicted) return undefined;
    if (count.baseMs === undefined || count.failures + count.forgotten === 0) return undefined;
    if (count.certainty === 'spaced' && line.explained) return undefined;
    const gap = line.atMs - count.baseMs - line.runMs;
    if (count.certainty !== 'unknown' && this.isShort(count, line)) return undefined;
    const fits = (step: number) => Math.abs(gap - step) <= predictionTolerance(step) + line.precisionMs;
    const atBase = Math.max(0, count.failures - count.sinceBase);
    const expected = this.stepsMs[Math.min(atBase, this.stepsMs.length) - 1];
    if (expected !== undefined && count.certainty !== 'unknown' && fits(expected)) return count.failures;
    let best: number | undefined;
    for (const [index, step] of this.stepsMs.entries()) {
      const nearer =
        best === undefined || Math.abs(gap - step) < Math.abs(gap - (this.stepsMs[best - 1] ?? 0));
      if (fits(step) && nearer) best = index + 1;
    }
    return best === undefined ? undefined : best + count.sinceBase;
  }

  /** Events come in bursts: two lines this near to each other need not have a delay between them. */
  private isShort(count: Count, line: ErrorLine): boolean {
    const gap = line.atMs - (count.baseMs ?? line.atMs) - line.runMs;
    return line.linesMissing !== true && gap < Math.min(BURST_MS, this.stepsMs.at(-1) ?? 0);
  }

  /** [SF8] How many failures went by unlogged, where lines may be missing: the delays that together make the distance. */
  private fromSumOfDelays(count: Count, line: ErrorLine): number | undefined {
    if (line.linesMissing !== true || line.predicted || count.baseMs === undefined) return undefined;
    const known = count.failures === 0 ? count.forgotten : count.failures;
    const gap = line.atMs - count.baseMs;
    let best: { readonly failures: number; readonly offMs: number } | undefined;
    let sum = 0;
    for (let atBase = Math.max(1, known - count.sinceBase); known > 0; atBase++) {
      sum += (this.stepsMs[Math.min(atBase, this.stepsMs.length) - 1] ?? 0) + line.runMs;
      const tolerance = predictionTolerance(sum) + line.precisionMs;
      const offMs = Math.abs(gap - sum);
      if (offMs <= tolerance && offMs < (best?.offMs ?? Number.POSITIVE_INFINITY))
        best = { failures: atBase + count.sinceBase, offMs };
      if (sum > gap + tolerance) break;
    }
    return best?.failures;
  }
}

/** A line at the time that the count had given: no success lay in between, and the count is what it was held to be. */
function confirm(count: Count): void {
  if (count.certainty === 'doubtful' && count.sure !== undefined) count.certainty = count.sure;
  count.sure = undefined;
  count.most = undefined;
  count.low = false;
}
