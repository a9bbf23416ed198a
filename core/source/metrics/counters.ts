/**
 * Counters across restarts. A counter only ever grows within one life of its process; one that fell, or a process that
 * states another start, is a new life, which counts from zero again. Pure. Spec: docs/spec/metrics.md
 */

/** One reading of one counter. `value` is absent where that scrape had no such sample. */
export interface CounterReading {
  /** Our clock, ms. */
  readonly at: number;
  readonly value: number | undefined;
  /** process_start_time_seconds of the same scrape, in ms. */
  readonly processStartedAt?: number | undefined;
}

/** What was counted in (from, to], ms. Both ends lie in the same life. */
export interface CounterDelta {
  readonly from: number;
  readonly to: number;
  /** Never negative. */
  readonly delta: number;
  /** Index into `lives`. */
  readonly life: number;
  /**
   * It counts from the start of the life on, not from a scrape. `from` is that start, or (where no start is stated) the last
   * scrape of the life before: the process began somewhere after it.
   */
  readonly opens: boolean;
}

/** One life of the process, as the scrapes show it. */
export interface CounterLife {
  /** First and last scrape of it, ms. */
  readonly from: number;
  readonly to: number;
  /** As the process states it, ms; absent where it states none. */
  readonly startedAt: number | undefined;
  /** How it was told from the one before; the first one is `first`. */
  readonly toldBy: 'first' | 'startTime' | 'fell';
}

export interface CounterSeries {
  readonly lives: readonly CounterLife[];
  /** By time. What a life counted after its last scrape is in no delta: nobody saw it. */
  readonly deltas: readonly CounterDelta[];
}

/** The same process states its start a little differently when the wall clock of its machine is set; ms. */
const START_JITTER_MS = 2_000;

/**
 * Growth from scrape to scrape. Readings may come in any order and more than once; those without a finite value are passed
 * over (no growth is claimed for a stretch that ends in nothing, the next reading covers it).
 *
 * The first reading of the first life gives a delta only where the process states its start: the counter then counts from
 * there. The first reading of a later life always gives one. Source: Prometheus rate() has the same rule for resets
 * (promql/functions.go, extrapolatedRate), without the start time.
 */
export function counterSeries(readings: readonly CounterReading[]): CounterSeries {
  const lives: { from: number; to: number; startedAt: number | undefined; toldBy: CounterLife['toldBy'] }[] =
    [];
  const deltas: CounterDelta[] = [];
  let last: { readonly at: number; readonly value: number } | undefined;
  for (const { at, value, processStartedAt } of inOrder(readings)) {
    if (value === undefined || !Number.isFinite(value)) continue;
    const startedAt = finite(processStartedAt);
    const life = lives.at(-1);
    const toldBy = newLife(life?.startedAt, startedAt, last?.value, value);
    if (life !== undefined && last !== undefined && toldBy === undefined) {
      life.to = at;
      life.startedAt ??= startedAt;
      deltas.push({ from: last.at, to: at, delta: value - last.value, life: lives.length - 1, opens: false });
    } else {
      lives.push({ from: at, to: at, startedAt, toldBy: toldBy ?? 'first' });
      const from = openedAt(startedAt, last?.at, at);
      if (from !== undefined)
        deltas.push({ from, to: at, delta: value, life: lives.length - 1, opens: true });
    }
    last = { at, value };
  }
  return { lives, deltas };
}

function inOrder(readings: readonly CounterReading[]): CounterReading[] {
  const sorted = [...readings].sort((a, b) => a.at - b.at);
  // Of two at the same instant (a scrape that was imported twice) one counts, the later one that has a value.
  const byTime = new Map<number, CounterReading>();
  for (const one of sorted) if (one.value !== undefined || !byTime.has(one.at)) byTime.set(one.at, one);
  return [...byTime.values()];
}

function newLife(
  lifeStartedAt: number | undefined,
  startedAt: number | undefined,
  before: number | undefined,
  value: number,
): 'startTime' | 'fell' | undefined {
  if (before === undefined) return undefined;
  if (
    lifeStartedAt !== undefined &&
    startedAt !== undefined &&
    Math.abs(startedAt - lifeStartedAt) > START_JITTER_MS
  )
    return 'startTime';
  return value < before ? 'fell' : undefined;
}

/** Where the first reading of a life counts from; undefined: it cannot be said. */
function openedAt(startedAt: number | undefined, lastAt: number | undefined, at: number): number | undefined {
  if (startedAt === undefined) return lastAt;
  // Another machine's clock: a life neither begins after it was scraped nor before the last one was.
  return Math.min(at, Math.max(startedAt, lastAt ?? startedAt));
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}
