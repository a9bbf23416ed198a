/** The bars of the issue, and which of them a scored run misses. */
import type { Ratio } from './score.ts';
import type { Row, RowScore, RunScore } from './scoreRun.ts';

interface Bars {
  /** Least share of writes that are right; `reconcile`: in the right reconcile too, not only of the right key and controller. */
  readonly writes: number;
  readonly reconcile: boolean;
  /** Largest share of spans that did not happen; undefined: told, not barred. */
  readonly notHappened?: number;
  /** Every error of the log is a span. */
  readonly errors: boolean;
}

export const bars: Readonly<Record<Row, Bars>> = {
  vLog: { writes: 0.99, reconcile: true, notHappened: 0.01, errors: true },
  log: { writes: 0.97, reconcile: false, notHappened: 0.03, errors: true },
  watch: { writes: 0.95, reconcile: false, errors: false },
};

/** Of the shadow queue on the test bed, with a log that tells every reconcile. */
export const widestQueueInterval = 0.05;

export interface Leniency {
  /** A lower bar for the share of writes, where a scenario states one with its reason. */
  readonly leastWrites?: number;
  /** Bars in whole writes and spans, rounded in favour: in a run of thirty writes a single one is more than 1 %. */
  readonly whole?: boolean;
}

/** What a run misses, a sentence each; empty: nothing. */
export function missed({ run, truth, rows }: RunScore, leniency: Leniency = {}): readonly string[] {
  return rows.flatMap((row) =>
    [...missedOfSpans(row, leniency), ...missedOfQueues(row, truth.spans !== undefined)].map(
      (text) => `${run}, ${rowTitle[row.row]}: ${text}`,
    ),
  );
}

export const rowTitle: Readonly<Record<Row, string>> = {
  vLog: 'V(5) log with ms + watch',
  log: 'default log + watch',
  watch: 'watch + managedFields',
};

function missedOfSpans({ row, score }: RowScore, leniency: Leniency): readonly string[] {
  const bar = bars[row];
  const least = Math.min(bar.writes, leniency.leastWrites ?? 1);
  const writes = bar.reconcile ? score.writes : score.writesByKey;
  const round = (count: number) => (leniency.whole === true ? Math.ceil(count) : count);
  const sentences: string[] = [];
  if (writes.of - writes.right > round((1 - least) * writes.of))
    sentences.push(`${percent(writes, 1)} of the writes are right; at least ${least * 100} % must be`);
  const { notHappened } = score;
  if (bar.notHappened !== undefined && notHappened.right > round(bar.notHappened * notHappened.of))
    sentences.push(
      `${percent(notHappened, 0)} of the spans did not happen; at most ${bar.notHappened * 100} % may`,
    );
  if (bar.errors && score.errors.right < score.errors.of)
    sentences.push(`${score.errors.right} of ${score.errors.of} errors of the log are spans; all must be`);
  return sentences;
}

function missedOfQueues({ row, queues }: RowScore, testBed: boolean): readonly string[] {
  if (!testBed || row !== 'vLog') return [];
  return (queues ?? []).flatMap(({ controller, figure, model, reported, inside, width }) => {
    if (model === undefined) return [`the queue ${controller} states no ${figure}`];
    const said = `${figure} of ${controller}: ${model.lo} to ${model.hi}, reported ${reported}`;
    // A share of a small count says nothing: a key or two may end while the scrape is taken.
    const tooWide = width !== undefined && width > widestQueueInterval && model.hi - model.lo > 2;
    return [...(inside ? [] : [`${said}, which lies outside`]), ...(tooWide ? [`${said}: too wide`] : [])];
  });
}

/** `whenNone`: the share where there was nothing to be right or wrong about. */
export function share({ right, of }: Ratio, whenNone: number): number {
  return of === 0 ? whenNone : right / of;
}

export function percent(ratio: Ratio, whenNone: number): string {
  return `${(share(ratio, whenNone) * 100).toFixed(1)} %`;
}
