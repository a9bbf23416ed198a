import type {
  FailureRow,
  ProcessingRow,
  QueueSnapshot,
  ReadyRow,
  WaitingRow,
  Wake,
} from '../../shared/model/queue.ts';
import { formatDuration, msFromNs } from './duration.ts';
import { type Run, waitWake } from './keyStates.ts';
import type { ReadyItem, WaitingItem } from './reconcileQueue.ts';
import type { ShadowState } from './shadowState.ts';

/** At most this many rows of a list; the counts beside them are always of all. */
export interface SnapshotLimit {
  readonly ready?: number;
  readonly waiting?: number;
  readonly failures?: number;
}

/** The queue as the window shows it, at the queue's own time. */
export function buildSnapshot(state: ShadowState, limit: SnapshotLimit = {}): QueueSnapshot {
  const { queue, totals } = state;
  const runs = totals.success + totals.error + totals.terminal + totals.requeue + totals.requeueAfter;
  const failing = Array.from(state.counts.failing(), ([key, { failures }]) => ({ key, failures }));
  failing.sort((a, b) => b.failures - a.failures || (a.key < b.key ? -1 : 1));
  return {
    controller: state.profile.name,
    at: msFromNs(queue.nowNs),
    kind: queue.kind,
    workers: state.workers,
    ...(state.startedAt === undefined ? {} : { startedAt: state.startedAt }),
    evidence: state.evidence,
    depth: queue.metrics.depth,
    waitingTotal: queue.waitingCount(),
    ready: queue
      .ready()
      .slice(0, limit.ready)
      .map((item) => readyRow(state, item)),
    processing: [...state.runs.values()].map((run) => processingRow(state, run)),
    waiting: queue
      .waiting()
      .slice(0, limit.waiting)
      .map((item) => waitingRow(state, item)),
    failures: failing.slice(0, limit.failures).map(({ key }) => failureRow(state, key)),
    totals: { ...totals, runs, adds: queue.metrics.adds, retries: queue.metrics.retries },
    limiterStepsMs: state.stepsMs,
    backoff: state.backoff.values(),
  };
}

/** One key, wherever it stands in lists of thousands. */
export interface KeyDetail {
  readonly failures: number;
  /** False while the count rests on the spacing of error lines. */
  readonly certain: boolean;
  /** What the limiter would give after one more failure. */
  readonly nextDelayMs: number;
  readonly wait: WaitingRow | undefined;
  readonly run: ProcessingRow | undefined;
}

export function keyDetail(state: ShadowState, key: string): KeyDetail {
  const readyAtNs = state.queue.readyAtNs(key);
  const run = state.runs.get(key);
  const { failures, certain, nextDelayMs } = failureRow(state, key);
  return {
    failures,
    certain: failures === 0 || certain,
    nextDelayMs,
    wait:
      readyAtNs === undefined
        ? undefined
        : waitingRow(state, { key, priority: state.keys.get(key)?.priority ?? 0, readyAtNs }),
    run: run && processingRow(state, run),
  };
}

function readyRow(state: ShadowState, { key, priority, locked }: ReadyItem<string>): ReadyRow {
  const { queue } = state;
  const known = state.keys.get(key);
  const sinceNs = queue.metrics.addedAt(key) ?? queue.nowNs;
  return {
    key,
    priority,
    since: msFromNs(sinceNs),
    inQueueMs: msFromNs(queue.nowNs - sinceNs),
    wokenBy: wakeOf(state, key),
    events: known?.events ?? 0,
    locked,
    ...(known?.raisedFrom === undefined ? {} : { raisedFrom: known.raisedFrom }),
  };
}

function processingRow(state: ShadowState, run: Run): ProcessingRow {
  const usualMs = state.durations.of(run.key);
  return {
    key: run.key,
    priority: run.priority,
    since: msFromNs(run.startedNs),
    runningMs: msFromNs(state.queue.nowNs - run.startedNs),
    ...(usualMs === undefined ? {} : { usualMs }),
    wokenBy: run.wake,
    events: run.events,
    basis: run.basis,
  };
}

function waitingRow(state: ShadowState, { key, priority, readyAtNs }: WaitingItem<string>): WaitingRow {
  const { queue } = state;
  const wait = state.keys.get(key)?.wait;
  const sinceNs = wait?.sinceNs ?? queue.nowNs;
  return {
    key,
    priority,
    readyAt: msFromNs(readyAtNs),
    delayMs: msFromNs(readyAtNs - sinceNs),
    since: msFromNs(sinceNs),
    why: wait?.why ?? 'after',
    failures: state.counts.failures(key),
    nextDelayMs: nextDelayMs(state, key),
    basis: wait?.basis ?? { kind: 'inferred', by: 'queue/hand-out', because: [] },
  };
}

function failureRow(state: ShadowState, key: string): FailureRow {
  const lastErrorAt = state.counts.lastErrorMs(key);
  const readyAtNs = state.queue.readyAtNs(key);
  const certainty = state.counts.certainty(key, 'known');
  return {
    key,
    failures: state.counts.failures(key),
    certain: certainty === 'known' || certainty === 'spaced',
    ...(lastErrorAt === undefined ? {} : { lastErrorAt }),
    nextDelayMs: nextDelayMs(state, key),
    ...(readyAtNs === undefined ? {} : { nextRunAt: msFromNs(readyAtNs) }),
  };
}

function nextDelayMs(state: ShadowState, key: string): number {
  return Math.max(0, msFromNs(state.queue.limiter.peek(key, state.queue.nowNs)));
}

function wakeOf(state: ShadowState, key: string): Wake {
  const known = state.keys.get(key);
  if (known?.wake !== undefined) return known.wake;
  if (known?.wait === undefined) return { kind: 'unseen', text: 'nothing seen' };
  return waitWake(known.wait, formatDuration(known.wait.readyAtNs - known.wait.sinceNs));
}
