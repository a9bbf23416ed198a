import { expect, test } from 'vitest';
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import type { Prediction } from '../../shared/model/queue.ts';
import { ShadowQueue } from '../queue/shadowQueue.ts';
import { profileOf } from '../queue/testOperator.ts';
import type { LogFact } from '../session/facts.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import { createRecorder } from '../session/recorder.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createControllerSources } from './controllerSources.ts';
import { createObjectIndex } from './objectIndex.ts';
import { buildSlice, collectSteps, logStep, wasThere } from './shadowSteps.ts';

const second = Date.parse('2026-11-30T09:00:00Z');
const text = JSON.stringify({
  level: 'error',
  ts: '2026-11-30T09:00:00Z',
  msg: 'Reconciler error',
  controller: 'database',
  controllerGroup: 'db.example.com',
  controllerKind: 'Database',
  namespace: 'shop',
  name: 'orders',
  error: 'boom',
});

function line(at: { readonly lo: number; readonly hi: number }, receivedAt: number): LogFact {
  const source = sourceId('log:1');
  return { fact: 'log', seq: recordSeq(1), source, at, receivedAt, entry: parseLogLine(text) };
}

/** When the retry is predicted, ms after the second of the line; undefined: it is not. */
function retryOf(fact: LogFact): number | undefined {
  const profile = profileOf({
    kind: 'priority',
    limiter: { type: 'exp', base: '20s', factor: 2, max: '40s' },
    workers: 1,
  });
  const predictions: Prediction[] = [];
  const queue = new ShadowQueue({
    profile,
    at: second - 1,
    onPrediction: (prediction) => predictions.push(prediction),
  });
  queue.workersStarted({ at: second - 1 });
  const step = logStep(
    fact,
    profile,
    createControllerSources(profile, () => []),
    createObjectIndex(),
  );
  step?.apply(queue);
  const [prediction] = predictions;
  return prediction && prediction.runsAt - second;
}

test('a followed line happened when it was received', () => {
  const fact = line({ lo: second + 700, hi: second + 700 }, second + 700);
  expect(wasThere(fact)).toBe(false);
  expect(retryOf(fact)).toBe(20_700);
});

test('a line that was there counts from the middle of its second, however long ago', () => {
  const fact = line({ lo: second, hi: second + 999 }, second + 5_000);
  expect(wasThere(fact)).toBe(true);
  expect(retryOf(fact)).toBe(20_499.5);
});

test('a line that was there, of a second that is not over, happened before it was read', () => {
  const fact = line({ lo: second, hi: second + 999 }, second + 600);
  expect(wasThere(fact)).toBe(true);
  expect(retryOf(fact)).toBe(20_300);
});

test('[SRC4] a line of a pod says itself whether it stood there: its node’s clock may be another', () => {
  const ofPod = (at: number, receivedAt: number, initial: boolean): LogFact => ({
    ...line({ lo: second + at, hi: second + at }, second + receivedAt),
    source: sourceId('podLog:1'),
    ...(initial ? { initial } : {}),
  });
  // The node is five seconds behind: it was received when it was written all the same.
  const live = ofPod(700.25, 5_730, false);
  expect(wasThere(live)).toBe(false);
  expect(retryOf(live)).toBe(25_730);
  const old = ofPod(700.25, 60_000, true);
  expect(wasThere(old)).toBe(true);
  expect(retryOf(old)).toBe(20_700.25);
  // Of a followed file lines carry their receipt: what is older stood there.
  expect(wasThere({ ...live, source: sourceId('log:1') })).toBe(true);
});

test('[QC2] a line from inside a reconcile counts the run, and leaves the queue alone', () => {
  const profile = profileOf({ kind: 'priority', limiter: { type: 'default' }, workers: 1 });
  const sources = createControllerSources(profile, () => []);
  const queue = new ShadowQueue({ profile, at: second - 10_000, evidence: 'errors' });
  const before = queue.snapshot(second);
  const seen = (reconcileID: string, msg: string): LogFact => ({
    ...line({ lo: second, hi: second }, second),
    entry: parseLogLine(
      JSON.stringify({ ...JSON.parse(text), level: 'info', msg, reconcileID, error: undefined }),
    ),
  });
  for (const fact of [seen('a', 'Start reconciling'), seen('a', 'updated'), seen('b', 'Start reconciling')])
    logStep(fact, profile, sources, createObjectIndex())?.apply(queue);
  const now = { lo: second, hi: second };
  expect(queue.runCounts.between({ lo: second - 9_000, hi: second - 9_000 }, now).adds).toMatchObject({
    lo: 2,
    hi: 2,
  });
  expect(queue.snapshot(second)).toEqual(before);
});

test('[PB33] reads the records of a session a few at a time', () => {
  const recorder = createRecorder(createMemoryLog({ clock: new FakeClock(second) }));
  const source = sourceId('log:1');
  const lines = buildSlice * 5;
  for (let at = second; at < second + lines; at++)
    recorder.record({ kind: 'log', source, at: { lo: at, hi: at }, receivedAt: at, payload: text });
  const profile = profileOf({ kind: 'priority', limiter: { type: 'default' }, workers: 1 });
  const reading = collectSteps(
    recorder.log,
    profile,
    createControllerSources(profile, () => []),
    [],
  );
  let halts = 0;
  let step = reading.next();
  for (; step.done !== true; step = reading.next()) halts++;
  expect(halts).toBe(5);
  expect(step.value.map(({ at }) => at)).toEqual(Array.from({ length: lines }, (_, index) => second + index));
});
