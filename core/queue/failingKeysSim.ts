import { predictionTolerance } from '../../shared/model/queue.ts';
import { ControllerSim } from './controllerSim.ts';
import { msFromNs, nsFromMs } from './duration.ts';
import { limiterSpecFromFile } from './limiterSpec.ts';
import { createReconcileQueue, type QueueKind } from './reconcileQueue.ts';
import { ShadowQueue } from './shadowQueue.ts';
import { profileOf, T0 } from './testOperator.ts';
import { pick, seededRandom } from './testRandom.ts';

/*
 * Test support: an operator whose keys fail, are changed in bursts and now and then heal, run on the exact controller; a
 * shadow queue that sees its error lines and the events, in either order; and how far both are from each other.
 */

export interface FailingScript {
  readonly kind: QueueKind;
  readonly seed: number;
  /** Whether a healing run writes the status of its object. */
  readonly writesStatus: boolean;
  /** Share of healing changes among all changes, 0 to 1. */
  readonly heals: number;
}

interface Truth {
  readonly failures: number;
  readonly nextRunAt: number | undefined;
}

type Seen = {
  readonly at: number;
  readonly key: string;
  readonly what: 'event' | 'line' | 'status';
};

/** Samples taken 1 s after a line that no other line of its key followed within that time. */
export interface Score {
  samples: number;
  wrongFailures: number;
  wrongWait: number;
  /** The operator counts failures, the model none. */
  looksHealthy: number;
  /** The model has another count than the operator and claims to be certain. */
  wronglyCertain: number;
}

const KEYS = ['ns/a', 'ns/b', 'ns/c', 'ns/d'];
const LENGTH_MS = 90_000;
const LAG_MS = 40;

/** Runs the operator; `probes` (ms) are the times at which the truth of all keys is read. */
function runFailing(
  script: FailingScript,
  probes: readonly number[],
): { readonly seen: readonly Seen[]; readonly truths: ReadonlyMap<string, Truth> } {
  const random = seededRandom(script.seed);
  const lag = seededRandom(script.seed + 1_000_003);
  const spec = limiterSpecFromFile({ type: 'exp', base: '5ms', factor: 2, max: '1000s' }, script.kind);
  if (!spec.ok) throw new Error(spec.error);
  const seen: Seen[] = [];
  const healed = new Set<string>();
  let lastLine = 0;
  const sim = new ControllerSim<string>({
    queue: createReconcileQueue<string>({ kind: script.kind, limiter: spec.value, startNs: nsFromMs(T0) }),
    workers: 2,
    reconcile: (key) => {
      const durationNs = BigInt(Math.floor((3 + 12 * random()) * 1e6));
      return healed.has(key) ? { durationNs } : { durationNs, failure: { kind: 'error', message: 'boom' } };
    },
    onTimeline: ({ ev, atNs, key, ...entry }) => {
      if (ev !== 'end') return;
      const at = msFromNs(atNs);
      if ('outcome' in entry && entry.outcome.failure !== undefined) {
        lastLine = Math.max(lastLine, at + lag() * LAG_MS);
        seen.push({ at: lastLine, key, what: 'line' });
      } else if (script.writesStatus) seen.push({ at: at + lag() * LAG_MS, key, what: 'status' });
    },
  });
  const todo: { readonly at: number; readonly run: () => void }[] = [];
  for (let change = 0; change < 14; change += 1) {
    const start = T0 + 4_000 + random() * (LENGTH_MS - 8_000);
    const key = pick(random, KEYS);
    const heals = random() < script.heals;
    todo.push({ at: start, run: () => (heals ? healed.add(key) : healed.delete(key)) });
    const events = 1 + Math.floor(random() * 6);
    for (let event = 0; event < events; event += 1) {
      const at = start + (event === 0 ? 0 : random() * 400);
      const wakes = event === 0 || random() < 0.7;
      seen.push({ at: at + lag() * LAG_MS, key, what: 'event' });
      if (wakes) todo.push({ at, run: () => sim.add({}, [key]) });
    }
  }
  const truths = new Map<string, Truth>();
  for (const at of probes)
    todo.push({
      at,
      run() {
        for (const key of KEYS) {
          const readyAtNs = sim.queue.readyAtNs(key);
          truths.set(`${at} ${key}`, {
            failures: sim.queue.numRequeues(key),
            nextRunAt: readyAtNs === undefined ? undefined : msFromNs(readyAtNs),
          });
        }
      },
    });
  sim.add({}, KEYS);
  sim.startWorkers();
  for (const { at, run } of todo.sort((a, b) => a.at - b.at)) {
    sim.advanceTo(nsFromMs(at));
    run();
  }
  sim.advanceTo(nsFromMs(T0 + LENGTH_MS));
  return { seen: seen.sort((a, b) => a.at - b.at), truths };
}

/** Lets a shadow queue watch one run and compares it with the truth. */
export function scoreFailing(script: FailingScript): Score {
  const { seen } = runFailing(script, []);
  const lines = seen.filter(({ what }) => what === 'line');
  const last = lines.filter(
    (line) =>
      line.at > T0 + 3_000 &&
      !lines.some(({ key, at }) => key === line.key && at > line.at && at <= line.at + 1_000),
  );
  const probes = last.map(({ at, key }) => ({ at: at + 1_000, key })).filter(({ at }) => at < T0 + LENGTH_MS);
  const { truths } = runFailing(
    script,
    probes.map(({ at }) => at),
  );
  const shadow = new ShadowQueue({
    profile: profileOf({
      ...script,
      limiter: { type: 'exp', base: '5ms', factor: 2, max: '1000s' },
      workers: 2,
    }),
    at: T0,
    evidence: 'errors',
  });
  shadow.processStarted({ at: T0, initialKeys: KEYS });
  shadow.workersStarted({ at: T0 });
  const score: Score = { samples: 0, wrongFailures: 0, wrongWait: 0, looksHealthy: 0, wronglyCertain: 0 };
  const steps = [...seen, ...probes.map((probe) => ({ ...probe, what: 'probe' as const }))];
  for (const { at, key, what } of steps.sort((a, b) => a.at - b.at)) {
    if (what === 'event')
      shadow.enqueue({ key, at, cause: { subject: undefined, text: 'Database MODIFIED', kind: 'event' } });
    else if (what === 'line')
      shadow.reconcileEnded({ key, at, result: 'error', basis: { kind: 'reported', from: 'log' } });
    else if (what === 'status') shadow.wroteStatus({ key, at, basis: { kind: 'observed', from: 'watch' } });
    else compare(shadow, key, at, truths.get(`${at} ${key}`), score);
  }
  return score;
}

function compare(shadow: ShadowQueue, key: string, at: number, truth: Truth | undefined, score: Score): void {
  if (truth === undefined) throw new Error(`no truth of ${key} at ${at}`);
  const row = shadow.snapshot(at).failures.find((one) => one.key === key);
  const { failures, nextRunAt } = shadow.keyInfo(key);
  const bar = predictionTolerance((truth.nextRunAt ?? at) - at + 1_000);
  const sameWait =
    truth.nextRunAt === undefined || nextRunAt === undefined
      ? truth.nextRunAt === nextRunAt
      : Math.abs(truth.nextRunAt - nextRunAt) <= bar;
  score.samples += 1;
  if (failures !== truth.failures) score.wrongFailures += 1;
  if (!sameWait) score.wrongWait += 1;
  if (truth.failures > 0 && failures === 0) score.looksHealthy += 1;
  if (failures !== truth.failures && (row === undefined ? failures === 0 && truth.failures > 0 : row.certain))
    score.wronglyCertain += 1;
}

export function addScores(scores: readonly Score[]): Score {
  const sum: Score = { samples: 0, wrongFailures: 0, wrongWait: 0, looksHealthy: 0, wronglyCertain: 0 };
  for (const score of scores)
    for (const name of Object.keys(sum) as (keyof Score)[]) sum[name] += score[name];
  return sum;
}
