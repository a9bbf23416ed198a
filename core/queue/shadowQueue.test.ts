import { expect, test } from 'vitest';
import type { LimiterFile } from '../../shared/model/limiter.ts';
import {
  type Prediction,
  type PredictionOutcome,
  type RunEvidence,
  zDepthSample,
  zQueueSnapshot,
} from '../../shared/model/queue.ts';
import type { QueueKind } from './reconcileQueue.ts';
import { ShadowQueue } from './shadowQueue.ts';
import type { QueueOp, ReconcileEnded } from './shadowTypes.ts';
import { profileOf } from './testOperator.ts';

const T = 1_790_000_000_000;
const reported = { kind: 'reported', from: 'log' } as const;
const observed = { kind: 'observed', from: 'watch' } as const;

interface SetUp {
  readonly kind?: QueueKind;
  readonly limiter?: LimiterFile;
  readonly workers?: number;
  readonly evidence?: RunEvidence;
  /** Default: the operator was seen to start at T. */
  readonly attachedLate?: boolean;
}

function setUp({
  kind = 'priority',
  limiter = { type: 'default' },
  workers = 1,
  evidence = 'errors',
  attachedLate,
}: SetUp = {}) {
  const predictions: Prediction[] = [];
  const outcomes: PredictionOutcome[] = [];
  const ops: QueueOp[] = [];
  const queue = new ShadowQueue({
    profile: profileOf({ kind, limiter, workers }),
    at: T,
    evidence,
    onPrediction: (prediction) => predictions.push(prediction),
    onOutcome: (outcome) => outcomes.push(outcome),
    onOp: (op) => ops.push(op),
  });
  if (!attachedLate) queue.workersStarted({ at: T });
  let seq = 0;
  return {
    queue,
    predictions,
    outcomes,
    ops,
    event: (key: string, after: number, text = 'Database MODIFIED') =>
      queue.enqueue({ key, at: T + after, cause: { subject: undefined, text, kind: 'event' } }),
    ended: (
      key: string,
      after: number,
      result: ReconcileEnded['result'],
      more: Partial<ReconcileEnded> = {},
    ) => {
      seq += 1;
      queue.reconcileEnded({ key, at: T + after, result, seq, basis: reported, ...more });
    },
    started: (key: string, after: number) => queue.reconcileStarted({ key, at: T + after, basis: reported }),
    at: (after: number) => queue.snapshot(T + after),
  };
}

test('[SQ1] an initial list counts only while the operator starts, with low priority and before any worker', () => {
  const { queue, at } = setUp({ attachedLate: true });
  queue.enqueue({
    key: 'ns/a',
    at: T,
    cause: { subject: undefined, text: 'Database ADDED', kind: 'initial' },
  });
  expect(at(0).depth).toBe(0);
  queue.processStarted({ at: T + 10, initialKeys: ['ns/a', 'ns/b'] });
  queue.enqueue({
    key: 'ns/c',
    at: T + 20,
    cause: { subject: undefined, text: 'Database ADDED', kind: 'initial' },
  });
  expect(at(30).ready.map(({ key, priority }) => [key, priority])).toEqual([
    ['ns/a', -100],
    ['ns/b', -100],
    ['ns/c', -100],
  ]);
  queue.workersStarted({ at: T + 40 });
  expect(at(40).processing.map(({ key }) => key)).toEqual(['ns/a']);
  expect(at(40).startedAt).toBe(T + 10);
});

test('[SQ2] events collapse into one run, keep the first as what woke it, and a raise tells where it came from', () => {
  const { queue, event, at, started } = setUp({ evidence: 'all' });
  event('ns/busy', 0);
  started('ns/busy', 1);
  queue.enqueue({ key: 'ns/a', at: T + 5, cause: { subject: undefined, text: 'relist', kind: 'resync' } });
  event('ns/a', 10, 'Service MODIFIED');
  event('ns/a', 15);
  const snapshot = at(105);
  expect(snapshot.ready).toEqual([
    {
      key: 'ns/a',
      priority: 0,
      since: T + 5,
      inQueueMs: 100,
      wokenBy: { kind: 'resync', text: 'relist' },
      events: 3,
      locked: false,
      raisedFrom: -100,
    },
  ]);
  expect(snapshot.totals).toMatchObject({ events: 4, collapsed: 2, adds: 2 });
});

test('[SQ2] a key that runs and was woken again is listed as locked', () => {
  for (const kind of ['priority', 'classic'] as const) {
    const { event, started, at } = setUp({ kind, evidence: 'all' });
    event('ns/a', 0);
    started('ns/a', 1);
    event('ns/a', 2, 'Secret MODIFIED');
    expect(at(3).ready).toMatchObject([{ key: 'ns/a', locked: true, wokenBy: { text: 'Secret MODIFIED' } }]);
    expect([at(3).depth, at(3).processing.length]).toEqual([1, 1]);
  }
});

test('[SQ3] a logged start confirms the modelled run, or overrules it', () => {
  const { event, started, at, ops } = setUp({ evidence: 'all' });
  event('ns/a', 0);
  event('ns/b', 1);
  expect(at(2).processing).toMatchObject([{ key: 'ns/a', basis: { kind: 'inferred' } }]);
  started('ns/b', 4);
  expect(at(5).processing).toMatchObject([{ key: 'ns/b', basis: reported, since: T + 4 }]);
  expect(ops.filter(({ op }) => op === 'ended')).toEqual([]);
});

test('[SQ4] an error waits the next step of the limiter, a requeue-after what it said; success forgets', () => {
  const { event, ended, at } = setUp({ evidence: 'all' });
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  ended('ns/a', 20, 'error');
  expect(at(20).waiting).toMatchObject([
    {
      key: 'ns/a',
      why: 'backoff',
      failures: 2,
      delayMs: 10,
      readyAt: T + 30,
      nextDelayMs: 20,
      since: T + 20,
    },
  ]);
  expect(at(20).failures).toMatchObject([
    { key: 'ns/a', failures: 2, certain: true, lastErrorAt: T + 20, nextRunAt: T + 30 },
  ]);
  ended('ns/a', 31, 'requeueAfter', { afterMs: 30_000 });
  expect(at(31).waiting).toMatchObject([{ why: 'after', delayMs: 30_000, failures: 0, nextDelayMs: 5 }]);
  ended('ns/a', 30_040, 'requeue');
  expect(at(30_040).waiting).toMatchObject([{ why: 'rateLimited', delayMs: 5, failures: 1 }]);
  ended('ns/a', 30_050, 'success');
  expect(at(30_050)).toMatchObject({
    waiting: [],
    failures: [],
    totals: { error: 2, requeueAfter: 1, requeue: 1, success: 1, runs: 5, retries: 4 },
  });
});

test('[SQ4] a key at the cap says so', () => {
  const { event, ended, at } = setUp({ limiter: { type: 'exp', base: '1s', factor: 3, max: '2s' } });
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  expect(at(10).waiting).toMatchObject([{ why: 'backoff', delayMs: 1_000, nextDelayMs: 2_000 }]);
  ended('ns/a', 1_020, 'error');
  expect(at(1_020).waiting).toMatchObject([{ why: 'atCap', delayMs: 2_000, nextDelayMs: 2_000 }]);
  expect(at(1_020).limiterStepsMs).toEqual([1_000, 2_000]);
});

test('[SQ4] a terminal error does not come back, and its failures still count when the key does', () => {
  const { event, ended, at, predictions } = setUp();
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  ended('ns/a', 20, 'terminal');
  expect([at(20).waiting, at(20).failures.length, predictions.length]).toEqual([[], 1, 1]);
  event('ns/a', 100);
  ended('ns/a', 110, 'error');
  expect(at(110).waiting).toMatchObject([{ delayMs: 10 }]);
});

test('[SQ5] an error line for a key that nothing woke is a run that was not seen to be woken', () => {
  const { ended, at, ops } = setUp();
  ended('ns/new', 50, 'error');
  expect(ops.find(({ op }) => op === 'started')).toMatchObject({ key: 'ns/new', wake: { kind: 'unseen' } });
  expect(at(50).totals).toMatchObject({ error: 1, adds: 1, retries: 1 });
});

test('[SQ6] without a log, a status write ends the run well; the typical duration is learnt from it', () => {
  const { queue, event, at } = setUp({ evidence: 'none' });
  event('ns/a', 0);
  queue.wroteStatus({ key: 'ns/a', at: T + 8, basis: observed });
  expect(at(8)).toMatchObject({ processing: [], totals: { success: 1 } });
  event('ns/a', 1_000);
  expect(at(1_007).processing).toMatchObject([{ usualMs: 8 }]);
  expect(at(1_009)).toMatchObject({ processing: [], totals: { success: 2 } });
});

test('[SQ7] a restart empties queue and failures, and supersedes what was predicted', () => {
  const { queue, event, ended, at, outcomes } = setUp({ limiter: { type: 'exp', base: '1s', max: '20s' } });
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  queue.processEnded({ at: T + 100 });
  expect(outcomes).toMatchObject([{ kind: 'superseded', because: 'the operator ended', at: T + 100 }]);
  event('ns/b', 200);
  expect(at(5_000)).toMatchObject({ processing: [], waiting: [], failures: [], depth: 1 });
  queue.processStarted({ at: T + 6_000, initialKeys: ['ns/a'] });
  queue.workersStarted({ at: T + 6_100 });
  ended('ns/a', 6_110, 'error');
  expect(at(6_110).waiting).toMatchObject([{ failures: 1, delayMs: 1_000 }]);
});

test('[SQ9] another limiter: delays after errors are counted anew from their lines', () => {
  const { queue, event, ended, at, predictions, outcomes } = setUp({
    limiter: { type: 'exp', base: '1s', max: '20s' },
  });
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  const limiter: LimiterFile = { type: 'exp', base: '5s', max: '20s' };
  queue.changeProfile({ at: T + 100, profile: profileOf({ kind: 'classic', limiter, workers: 2 }) });
  expect(at(100)).toMatchObject({
    kind: 'classic',
    workers: 2,
    waiting: [{ key: 'ns/a', readyAt: T + 5_010, delayMs: 5_000, failures: 1, nextDelayMs: 10_000 }],
    totals: { error: 1, retries: 1 },
  });
  expect(outcomes).toMatchObject([{ kind: 'superseded', because: 'the profile was changed' }]);
  expect(predictions.at(-1)).toMatchObject({ delayMs: 5_000, runsAt: T + 5_010 });
});

test('[SW1] workers take keys up to their number, in the order of the queue', () => {
  const { queue, event, at } = setUp({ workers: 2, evidence: 'all' });
  for (const [index, key] of ['ns/a', 'ns/b', 'ns/c'].entries()) event(key, index);
  queue.enqueue({
    key: 'ns/d',
    at: T + 3,
    cause: { subject: undefined, text: 'x', kind: 'event' },
    priority: 5,
  });
  expect(at(4).processing.map(({ key }) => key)).toEqual(['ns/a', 'ns/b']);
  expect(at(4).ready.map(({ key }) => key)).toEqual(['ns/d', 'ns/c']);
});

test('[SW2] [SW4] with errors logged, a run without an error line succeeded', () => {
  const { event, at, ops } = setUp();
  event('ns/a', 0);
  expect(at(499).processing).toHaveLength(1);
  expect(at(501)).toMatchObject({ processing: [], totals: { success: 1 } });
  expect(ops.at(-1)).toMatchObject({ op: 'ended', basis: { kind: 'inferred', by: 'queue/no-error-line' } });
});

test('[SW5] lines in the other order: the run that the model began too early is put back, not taken for a success', () => {
  const { event, ended, at } = setUp();
  event('ns/a', 0);
  event('ns/b', 1);
  ended('ns/b', 5, 'error');
  ended('ns/a', 9, 'error');
  expect(at(9).totals).toMatchObject({ success: 0, error: 2, adds: 2, runs: 2 });
});

test('[SW6] with starts logged, an event that woke nobody gives the delay back', () => {
  const { event, started, ended, at, outcomes, ops } = setUp({
    evidence: 'all',
    limiter: { type: 'exp', base: '5s', max: '60s' },
  });
  event('ns/a', 0);
  started('ns/a', 1);
  ended('ns/a', 10, 'error');
  event('ns/a', 1_000);
  expect(at(1_000)).toMatchObject({ waiting: [], processing: [{ key: 'ns/a' }] });
  expect(at(2_100)).toMatchObject({
    processing: [],
    waiting: [{ key: 'ns/a', readyAt: T + 5_010, failures: 1 }],
  });
  expect(ops.at(-1)).toMatchObject({ op: 'corrected' });
  started('ns/a', 5_010);
  ended('ns/a', 5_020, 'error');
  expect(outcomes).toMatchObject([{ kind: 'hit' }]);
});

test('[SW7] an event that arrives just after the run it woke is not another run', () => {
  const { event, ended, at, outcomes } = setUp({ limiter: { type: 'exp', base: '10s', max: '60s' } });
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  ended('ns/a', 3_000, 'error');
  event('ns/a', 3_008, 'Secret MODIFIED');
  expect(outcomes).toMatchObject([{ kind: 'superseded', because: 'Secret MODIFIED' }]);
  expect(at(3_008)).toMatchObject({ depth: 0, processing: [], waiting: [{ failures: 2, delayMs: 20_000 }] });
});

test('[SF1] [SF4] attached in the middle: one line tells nothing, two lines tell the count', () => {
  const { ended, at, predictions } = setUp({ attachedLate: true });
  ended('ns/a', 100, 'error');
  expect(at(100)).toMatchObject({ waiting: [], failures: [{ key: 'ns/a', failures: 1, certain: false }] });
  expect(predictions).toEqual([]);
  ended('ns/a', 10_350, 'error');
  expect(at(10_350).waiting).toMatchObject([{ failures: 13, delayMs: 20_480, nextDelayMs: 40_960 }]);
  expect(predictions).toMatchObject([
    { attempt: 13, delayMs: 20_480, basis: { by: 'queue/backoff-spaced' } },
  ]);
});

test('[SF1] an object created after we attached has no failures in the limiter', () => {
  const { queue, ended, predictions } = setUp({
    attachedLate: true,
    limiter: { type: 'exp', base: '1s', max: '20s' },
  });
  queue.enqueue({
    key: 'ns/a',
    at: T,
    cause: { subject: undefined, text: 'Database ADDED', kind: 'event' },
    fresh: true,
  });
  ended('ns/a', 10, 'error');
  expect(predictions).toMatchObject([{ attempt: 1, delayMs: 1_000, basis: { by: 'queue/backoff' } }]);
});

test('[SF6] the line of a slow run comes after the model gave it up: failures come back', () => {
  const { event, ended, at } = setUp({ limiter: { type: 'exp', base: '1s', max: '100s' } });
  event('ns/a', 0);
  ended('ns/a', 5, 'error');
  ended('ns/a', 1_010, 'error');
  expect(at(3_600).totals.success).toBe(1);
  ended('ns/a', 8_000, 'error');
  expect(at(8_000)).toMatchObject({
    totals: { success: 0, error: 3, adds: 3 },
    waiting: [{ failures: 3, delayMs: 4_000 }],
  });
});

test('[SW8] an event that the last run had covered already: the key waits on for its retry, which is a hit', () => {
  const { event, ended, at, predictions, outcomes, ops } = setUp({
    limiter: { type: 'exp', base: '1s', max: '100s' },
  });
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  event('ns/a', 1_005);
  event('ns/a', 1_012);
  ended('ns/a', 1_020, 'error');
  expect(at(2_000)).toMatchObject({
    processing: [],
    waiting: [{ failures: 2, delayMs: 2_000, since: T + 1_020, readyAt: T + 3_020 }],
    failures: [{ failures: 2, certain: false }],
    totals: { success: 0, error: 2 },
  });
  expect(ops.at(-1)).toMatchObject({ op: 'corrected' });
  ended('ns/a', 3_032, 'error');
  expect(outcomes.at(-1)).toMatchObject({ kind: 'hit' });
  expect(at(3_032).failures).toMatchObject([{ failures: 3, certain: true }]);
  expect(at(3_032)).toMatchObject({
    totals: { success: 0, error: 3 },
    waiting: [{ failures: 3, delayMs: 4_000 }],
  });
  expect(predictions.at(-1)).toMatchObject({ runsAt: T + 7_032, predictedAt: T + 7_044 });
});

test('[SP1] a prediction names its cause, when the key runs and when its line is expected', () => {
  const { event, ended, predictions } = setUp({ limiter: { type: 'exp', base: '1s', max: '20s' } });
  event('ns/a', 0);
  ended('ns/a', 40, 'error');
  expect(predictions).toEqual([
    {
      id: `database/${T}/1`,
      controller: 'database',
      key: 'ns/a',
      why: 'backoff',
      attempt: 1,
      delayMs: 1_000,
      madeAt: T + 40,
      runsAt: T + 1_040,
      predictedAt: T + 1_080,
      becauseSeq: 1,
      basis: { kind: 'inferred', by: 'queue/backoff', because: [1] },
    },
  ]);
});

test('[SP3] the outcome says by how much', () => {
  const { event, ended, outcomes } = setUp({ limiter: { type: 'exp', base: '1s', max: '20s' } });
  event('ns/a', 0);
  ended('ns/a', 40, 'error');
  ended('ns/a', 1_100, 'error');
  ended('ns/a', 3_900, 'error');
  expect(outcomes).toMatchObject([
    { kind: 'hit', errorMs: 20, observedAt: T + 1_100, observedSeq: 2 },
    { kind: 'missed', observedAt: T + 3_900, observedSeq: 3 },
  ]);
});

test('[SP4] on a classic queue an event runs the key once more and the delay stays: the prediction stands', () => {
  const { event, ended, at, outcomes, predictions } = setUp({
    kind: 'classic',
    limiter: { type: 'exp', base: '5s', max: '60s' },
  });
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  event('ns/a', 1_000);
  ended('ns/a', 1_010, 'error');
  expect([outcomes, predictions.length]).toEqual([[], 1]);
  expect(at(1_010).waiting).toMatchObject([
    { readyAt: T + 5_010, since: T + 10, failures: 2, delayMs: 5_000 },
  ]);
  ended('ns/a', 5_020, 'error');
  expect(outcomes).toMatchObject([{ kind: 'hit' }]);
});

test('[SP5] an early run that nothing explains is a miss, after the moment in which an event may still explain it', () => {
  const { queue, event, ended, outcomes } = setUp({ limiter: { type: 'exp', base: '10s', max: '60s' } });
  event('ns/a', 0);
  ended('ns/a', 10, 'error');
  ended('ns/a', 3_000, 'error');
  expect(outcomes).toEqual([]);
  queue.advanceTo(T + 3_300);
  expect(outcomes).toMatchObject([{ kind: 'missed', observedAt: T + 3_000, errorMs: -7_020 }]);
});

test('the next change is known, so that the owner can set its timer', () => {
  const { queue, event, ended } = setUp({ limiter: { type: 'exp', base: '1s', max: '20s' } });
  expect(queue.nextChangeAt()).toBeUndefined();
  event('ns/a', 0);
  expect(queue.nextChangeAt()).toBe(T + 500);
  ended('ns/a', 40, 'error');
  expect(queue.nextChangeAt()).toBe(T + 1_040);
  expect(queue.keyInfo('ns/a')).toEqual({ state: 'waiting', failures: 1, nextRunAt: T + 1_040 });
});

test('depth over time has one sample per change, and snapshots fit the contract', () => {
  const { queue, event, ended, at } = setUp({ evidence: 'all' });
  event('ns/a', 0);
  event('ns/b', 10);
  ended('ns/a', 20, 'error');
  const snapshot = at(21);
  expect(zQueueSnapshot.parse(snapshot)).toEqual(snapshot);
  expect(snapshot.backoff).toEqual([{ at: T + 20, key: 'ns/a', failures: 1, delayMs: 5, why: 'backoff' }]);
  const history = queue.history();
  expect(history.map((sample) => zDepthSample.parse(sample))).toEqual([
    { at: T, depth: 0, waiting: 0, processing: 1 },
    { at: T + 10, depth: 1, waiting: 0, processing: 1 },
    { at: T + 20, depth: 0, waiting: 1, processing: 1 },
  ]);
  const cut = queue.snapshot(T + 22, { ready: 0, waiting: 0, failures: 0 });
  expect([cut.waiting, cut.failures, cut.waitingTotal]).toEqual([[], [], 1]);
});

test('[SP9] a start reckoned from a time of whole seconds teaches no duration', () => {
  const { ended, predictions } = setUp({ limiter: { type: 'exp', base: '1s', factor: 3, max: '20s' } });
  // Written at 0.9 s, known as "second 0"; the retry is followed, and seems to have run for 0.9 s.
  ended('ns/a', 0, 'error', { precisionMs: 999 });
  ended('ns/a', 1_900, 'error');
  expect(predictions.at(-1)).toMatchObject({ runsAt: T + 4_900, predictedAt: T + 4_900 });
  // Between two followed lines it is a measure.
  ended('ns/a', 4_920, 'error');
  expect(predictions.at(-1)).toMatchObject({ runsAt: T + 13_920, predictedAt: T + 13_940 });
});

test('[SF8] lines that a log dropped in a burst are found again by the distance of two lines', () => {
  const { ended, predictions } = setUp();
  const keys = Array.from({ length: 20 }, (_, index) => `ns/db-${index}`);
  // Errors at 0, 5, 15, 35, 75 ms of each key: the first hundred lines. The next three of each were dropped.
  for (const after of [0, 5, 15, 35, 75]) for (const key of keys) ended(key, after, 'error');
  for (const key of keys) ended(key, 1_275, 'error');
  expect(predictions.slice(-keys.length).map(({ delayMs }) => delayMs)).toEqual(keys.map(() => 1_280));
});
