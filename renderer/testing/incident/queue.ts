import type { PredictionRow, QueueView } from '../../../shared/contract/api.ts';
import type { Basis } from '../../../shared/model/basis.ts';
import type {
  BackoffSample,
  DepthSample,
  QueueSnapshot,
  ReadyRow,
  WaitingRow,
} from '../../../shared/model/queue.ts';
import { at, moment, noise } from './time.ts';

const logged: Basis = { kind: 'reported', from: 'log' };
const modelled: Basis = { kind: 'inferred', by: 'queue/shadow', because: [171_903] };
const stepsMs = Array.from({ length: 19 }, (_, n) => Math.min(1_000_000, 5 * 2 ** n));

function waiting(
  key: string,
  failures: number,
  leftMs: number,
  delayMs: number,
  why: WaitingRow['why'],
): WaitingRow {
  return {
    key,
    priority: 0,
    readyAt: moment + leftMs,
    delayMs,
    since: moment + leftMs - delayMs,
    why,
    failures,
    nextDelayMs: Math.min(1_000_000, delayMs * 2),
    basis: modelled,
  };
}

function ready(
  key: string,
  priority: number,
  inQueueMs: number,
  wokenBy: string,
  events: number,
  extra: Partial<ReadyRow> = {},
): ReadyRow {
  return {
    key,
    priority,
    since: moment - inQueueMs,
    inQueueMs,
    wokenBy: { kind: 'event', text: wokenBy },
    events,
    locked: false,
    ...extra,
  };
}

/** 17 failures of orders-db from 14:03:52.350: 5 ms × 2ⁿ⁻¹ after each, the run itself takes about 41 ms. */
function backoffOf(key: string, start: number, count: number): readonly BackoffSample[] {
  const samples: BackoffSample[] = [];
  let time = start;
  for (let failures = 1; failures <= count && time < moment; failures += 1) {
    const delayMs = stepsMs[Math.min(failures, stepsMs.length) - 1] as number;
    samples.push({ at: time, key, failures, delayMs, why: delayMs >= 1_000_000 ? 'atCap' : 'backoff' });
    time += delayMs + 41;
  }
  return samples;
}

const backoff: readonly BackoffSample[] = [
  ...backoffOf('shop/orders-db', at('14:03:52.350'), 17),
  ...backoffOf('dev/sandbox-db', at('14:12:04.500'), 8),
  ...backoffOf('qa/report-db', at('14:12:06.110'), 3),
  {
    at: at('14:06:34.300'),
    key: 'billing/ledger-db',
    failures: 23,
    delayMs: 1_000_000,
    why: 'atCap' as const,
  },
].sort((a, b) => a.at - b.at);

export const snapshot: QueueSnapshot = {
  controller: 'database',
  at: moment,
  kind: 'priority',
  workers: 2,
  startedAt: at('13:20:11'),
  evidence: 'errors',
  depth: 8,
  ready: [
    ready('shop/users-db', 0, 86, 'StatefulSet MODIFIED', 3, { raisedFrom: -100 }),
    ready('shop/cart-db', 0, 140, 'Service MODIFIED', 2, { locked: true }),
    ready('load/db-08', -100, 331, 'Backup relist', 2),
    ready('load/db-09', -100, 331, 'Backup relist', 1),
    ready('load/db-10', -100, 331, 'Backup relist', 1),
    ready('load/db-11', -100, 330, 'Backup relist', 2),
    ready('load/db-12', -100, 330, 'Backup relist', 1),
    ready('load/db-13', -100, 330, 'Backup relist', 1),
  ],
  processing: [
    {
      key: 'shop/cart-db',
      priority: 0,
      since: moment - 212,
      runningMs: 212,
      usualMs: 62,
      wokenBy: { kind: 'event', text: 'StatefulSet MODIFIED' },
      events: 1,
      basis: logged,
    },
    {
      key: 'load/db-07',
      priority: -100,
      since: moment - 31,
      runningMs: 31,
      usualMs: 38,
      wokenBy: { kind: 'resync', text: 'Backup relist' },
      events: 1,
      basis: modelled,
    },
  ],
  waiting: [
    waiting('qa/report-db', 3, 9, 20, 'backoff'),
    waiting('dev/sandbox-db', 8, 310, 640, 'backoff'),
    waiting('shop/sessions-db', 0, 12_400, 30_000, 'after'),
    waiting('shop/orders-db', 17, at('14:14:48.370') - moment, 327_680, 'backoff'),
    waiting('billing/ledger-db', 23, 668_000, 1_000_000, 'atCap'),
  ],
  failures: [
    {
      key: 'billing/ledger-db',
      failures: 23,
      certain: false,
      lastErrorAt: at('14:06:34'),
      nextDelayMs: 1_000_000,
      nextRunAt: moment + 668_000,
    },
    {
      key: 'shop/orders-db',
      failures: 17,
      certain: true,
      lastErrorAt: at('14:09:20'),
      nextDelayMs: 655_360,
      nextRunAt: at('14:14:48.370'),
    },
    {
      key: 'dev/sandbox-db',
      failures: 8,
      certain: true,
      lastErrorAt: at('14:12:05'),
      nextDelayMs: 1280,
      nextRunAt: moment + 310,
    },
    {
      key: 'qa/report-db',
      failures: 3,
      certain: true,
      lastErrorAt: at('14:12:06'),
      nextDelayMs: 40,
      nextRunAt: moment + 9,
    },
  ],
  totals: {
    adds: 1204,
    retries: 312,
    collapsed: 5,
    events: 1209,
    runs: 1196,
    success: 1021,
    error: 169,
    terminal: 0,
    requeue: 0,
    requeueAfter: 6,
  },
  limiterStepsMs: stepsMs,
  backoff,
};

const history: readonly DepthSample[] = Array.from({ length: 240 }, (_, n) => {
  const time = moment - 600_000 + n * 2_500;
  const burst =
    n > 234
      ? 14
      : n < 55
        ? Math.round(noise(n >> 1) * 5)
        : noise(n) > 0.72
          ? Math.round(noise(n + 7) * 3)
          : 0;
  return { at: time, depth: n === 239 ? 8 : burst, waiting: n < 90 ? 3 : 5, processing: burst > 0 ? 1 : 0 };
});

export const queueView: QueueView = { controller: 'database', snapshot, history };

export const emptyQueue: QueueView = {
  controller: 'database',
  snapshot: {
    ...snapshot,
    depth: 0,
    ready: [],
    processing: [],
    waiting: [],
    failures: [],
    backoff: [],
  },
  history: [],
};

export const predictions: readonly PredictionRow[] = backoff
  .filter((sample) => sample.delayMs >= 300)
  .map((sample, index) => {
    const runsAt = sample.at + sample.delayMs;
    const prediction = {
      id: `p${index}`,
      controller: 'database',
      key: sample.key,
      why: sample.why,
      attempt: sample.failures,
      delayMs: sample.delayMs,
      madeAt: sample.at + 2,
      runsAt,
      predictedAt: runsAt + 41,
      becauseSeq: 160_418 + index,
      basis: modelled,
    };
    if (prediction.predictedAt > moment) return { prediction };
    const base = { predictionId: prediction.id, controller: 'database', key: sample.key, at: runsAt + 44 };
    if (index === 3) {
      return {
        prediction,
        outcome: {
          kind: 'superseded' as const,
          ...base,
          because: 'StatefulSet MODIFIED woke the key earlier',
        },
      };
    }
    const errorMs = Math.round((noise(index) - 0.4) * 50) / 10;
    return {
      prediction,
      outcome: {
        kind: 'hit' as const,
        ...base,
        observedAt: prediction.predictedAt + errorMs,
        errorMs,
        observedSeq: 171_900,
      },
    };
  });
