/** Runs in the order in which they happened, where their times alone do not tell it. Pure. */
import type { SpanRow } from '../../../shared/model/trace.ts';
import { isFailure } from './spanWords.ts';

export interface OrderedRun {
  readonly run: SpanRow;
  /** The latest it can have begun: what woke it lies before, the run of its key after it does not. ms. */
  readonly at: number;
}

/**
 * Newest first. Runs of a key never overlap: where their times are only known to the second, failures in a row say which
 * came first. Runs of different keys stand by time, those of one moment by key and id, so that the order is always the same.
 * `notAfter`: a time, ms, by which a run had begun, such as that of the first version it wrote.
 */
export function orderRuns(
  rows: readonly SpanRow[],
  notAfter: (run: SpanRow) => number | undefined = () => undefined,
): readonly OrderedRun[] {
  const byKey = new Map<string, SpanRow[]>();
  for (const row of rows) {
    const key = `${row.controller} ${row.key}`;
    const list = byKey.get(key);
    if (list === undefined) byKey.set(key, [row]);
    else list.push(row);
  }
  const placed = [...byKey.values()].flatMap((list) => orderKey(list, notAfter));
  placed.sort((a, b) => b.at - a.at || compare(a.run.key, b.run.key) || b.index - a.index);
  return placed.map(({ run, at }) => ({ run, at }));
}

/** Newest first, the runs alone. */
export function newestFirst(rows: readonly SpanRow[]): readonly SpanRow[] {
  return orderRuns(rows).map(({ run }) => run);
}

function orderKey(
  rows: readonly SpanRow[],
  notAfter: (run: SpanRow) => number | undefined,
): readonly (OrderedRun & { readonly index: number })[] {
  const byTime = [...rows].sort((a, b) => a.start.lo - b.start.lo || compare(a.id, b.id));
  const oldestFirst = clustersOf(byTime).flatMap(orderCluster);
  let at = Number.POSITIVE_INFINITY;
  return oldestFirst
    .map((run, index) => ({ run, index }))
    .reverse()
    .map(({ run, index }) => {
      at = Math.min(at, run.start.hi, notAfter(run) ?? Number.POSITIVE_INFINITY);
      return { run, at, index };
    });
}

/** Runs whose possible starts overlap, one after the other. */
function clustersOf(byTime: readonly SpanRow[]): readonly (readonly SpanRow[])[] {
  const clusters: SpanRow[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const row of byTime) {
    const last = clusters.at(-1);
    if (last !== undefined && row.start.lo <= end) last.push(row);
    else clusters.push([row]);
    end = Math.max(end, row.start.hi);
  }
  return clusters;
}

/** By their count of failures where all failed and each has another count: one that went well would begin it anew. */
function orderCluster(cluster: readonly SpanRow[]): readonly SpanRow[] {
  const counted = new Set(cluster.map(({ failures }) => failures)).size === cluster.length;
  if (!counted || !cluster.every(({ result }) => isFailure(result))) return cluster;
  return [...cluster].sort((a, b) => a.failures - b.failures);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
