/**
 * A true controller on virtual time, and what a log and a watch would have shown of it: truth for the assembler's tests.
 * Each run of a key settles what changed: it writes children, then the status, whose events come back to the queue.
 */
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import type { ReconcileOutcome } from '../queue/controller.ts';
import { ControllerSim } from '../queue/controllerSim.ts';
import { msFromNs, nsFromMs } from '../queue/duration.ts';
import { limiterSpecFromFile } from '../queue/limiterSpec.ts';
import { createReconcileQueue } from '../queue/reconcileQueue.ts';
import type { Evidence, LineEvidence, TraceKnobs } from './traceTypes.ts';

export const T0 = 1_790_000_000_000;
const source = { log: sourceId('log:1'), watch: sourceId('watch:all'), self: sourceId('self') };

export interface WorldScript {
  readonly random: () => number;
  readonly keys: number;
  readonly workers: number;
  readonly lengthMs: number;
  /** Mean time between changes by others, per key, ms. */
  readonly everyMs: number;
  /** Chance that a run with something to do fails. */
  readonly failing: number;
  readonly panics?: number;
  /** `all`: V(5) with ms. `errors`: the default log, whole seconds. `none`: no log. */
  readonly log: 'all' | 'errors' | 'none';
  /** The operator hears of its own status writes too: no GenerationChangedPredicate. */
  readonly statusWakes: boolean;
  /** Longest run, ms. */
  readonly longestRun?: number;
  readonly restartAt?: number;
  readonly requeueAfterMs?: number;
  /** Mean delay of our watch after the server's answer, ms: most are shorter, a few much longer. */
  readonly lagMs: number;
}

export interface TrueRun {
  readonly id: string;
  readonly key: string;
  readonly start: number;
  end: number;
  result: string;
  readonly versions: string[];
}

export interface World {
  readonly evidence: readonly Evidence[];
  readonly runs: readonly TrueRun[];
  readonly knobs: TraceKnobs;
}

interface Draft {
  readonly receivedAt: number;
  readonly order: number;
  readonly make: (seq: number) => readonly Evidence[];
}

export function worldKnobs(workers: number): TraceKnobs {
  return {
    controllers: [
      {
        controller: 'database',
        kind: { group: 'db.example.com', kind: 'Database' },
        namespaced: true,
        workers,
        delayAfter: (failures) => Math.min(1_000_000, 5 * 2 ** (failures - 1)),
      },
    ],
    skewOf: () => ({ ms: 0, errorMs: 0 }),
  };
}

export function runWorld(script: WorldScript): World {
  const world = new Simulation(script);
  world.run();
  return { evidence: world.evidence(), runs: world.runs, knobs: worldKnobs(script.workers) };
}

class Simulation {
  readonly runs: TrueRun[] = [];
  private readonly script: WorldScript;
  private readonly drafts: Draft[] = [];
  private readonly actions: { readonly at: number; readonly order: number; readonly act: () => void }[] = [];
  private readonly todo = new Map<string, number>();
  private readonly open = new Map<string, TrueRun>();
  private sim: ControllerSim<string>;
  private order = 0;
  private version = 100;
  private lastReceipt = 0;
  private lastLine = 0;
  private life = 1;

  constructor(script: WorldScript) {
    this.script = script;
    this.sim = this.controller(0n);
  }

  run(): void {
    const { random, keys, lengthMs, everyMs, restartAt } = this.script;
    this.processLine(0, 'started');
    this.processLine(20, 'workers');
    this.at(20, () => this.sim.startWorkers());
    for (let index = 0; index < keys; index += 1) {
      const key = `shop/k${index}`;
      let when = 40 + random() * everyMs;
      this.at(when, () => this.change(key, 'ADDED'));
      for (when += 50 + random() * 2 * everyMs; when < lengthMs; when += 5 + random() * 2 * everyMs)
        this.at(when, () => this.change(key, 'MODIFIED'));
    }
    if (restartAt !== undefined) this.at(restartAt, () => this.restart());
    this.go();
  }

  evidence(): readonly Evidence[] {
    const sorted = this.drafts.toSorted((a, b) => a.receivedAt - b.receivedAt || a.order - b.order);
    return sorted.flatMap((draft, index) => draft.make(index + 1));
  }

  private go(): void {
    for (;;) {
      const own = this.sim.nextNs();
      const next = this.actions[0];
      const ownMs = own === undefined ? Infinity : msFromNs(own);
      const at = Math.min(ownMs, next?.at ?? Infinity);
      if (at > this.script.lengthMs + 500) return;
      if (ownMs <= (next?.at ?? Infinity) && own !== undefined) this.sim.advanceTo(own);
      else if (next !== undefined) {
        this.actions.shift();
        this.sim.advanceTo(nsFromMs(next.at));
        next.act();
      }
    }
  }

  private at(at: number, act: () => void): void {
    this.order += 1;
    const action = { at, order: this.order, act };
    let index = this.actions.length;
    while (index > 0 && (this.actions[index - 1]?.at ?? 0) > at) index -= 1;
    this.actions.splice(index, 0, action);
  }

  private now(): number {
    return msFromNs(this.sim.queue.nowNs);
  }

  private controller(startNs: bigint): ControllerSim<string> {
    const spec = limiterSpecFromFile({ type: 'exp', base: '5ms', factor: 2, max: '1000s' }, 'priority');
    if (!spec.ok) throw new Error(spec.error);
    const life = this.life;
    const sim: ControllerSim<string> = new ControllerSim<string>({
      queue: createReconcileQueue<string>({ kind: 'priority', limiter: spec.value, startNs }),
      workers: this.script.workers,
      reconcile: (key) => this.reconcile(key, life),
      onTimeline: (entry) => {
        if (entry.ev !== 'end' || life !== this.life) return;
        const { failure, requeueAfterNs = 0n } = entry.outcome;
        const afterMs = requeueAfterNs > 0n ? msFromNs(requeueAfterNs) : undefined;
        this.ended(entry.key, failure?.kind, afterMs);
      },
    });
    return sim;
  }

  private change(key: string, type: 'ADDED' | 'MODIFIED'): void {
    this.todo.set(key, (this.todo.get(key) ?? 0) + 1);
    this.event(key, type, 'Database', undefined, true);
  }

  private reconcile(key: string, life: number): ReconcileOutcome {
    const { random, failing, panics = 0, longestRun = 20, statusWakes, requeueAfterMs } = this.script;
    const start = this.now();
    const run: TrueRun = {
      id: `run-${this.runs.length}`,
      key,
      start,
      end: start,
      result: 'unknown',
      versions: [],
    };
    this.runs.push(run);
    this.open.set(key, run);
    this.line(start, key, run, 'started', undefined);
    const todo = this.todo.get(key) ?? 0;
    const slow = longestRun > 20 ? (random() * longestRun) / 5 : 0;
    if (todo === 0) return { durationNs: nsFromMs(0.3 + random() * 3 + slow) };
    const fails = random() < failing;
    const panic = fails && random() < panics;
    const children = Math.floor(random() * 3) + (fails ? 0 : 1);
    let at = start + 0.5 + random();
    const answered = () => {
      at += 2 + random() * 5 + slow;
      return at;
    };
    for (let index = 0; index < children; index += 1)
      this.at(answered(), () => this.write(run, key, `child${index}`, true, life));
    if (!fails) {
      this.todo.set(key, 0);
      this.at(answered(), () => this.write(run, key, 'status', statusWakes, life));
    }
    const durationNs = nsFromMs(at - start + 0.2 + random() * 1.5);
    if (panic) return { durationNs, failure: { kind: 'panic', value: 'nil map' } };
    if (fails) return { durationNs, failure: { kind: 'error', message: 'no quota' } };
    return {
      durationNs,
      ...(requeueAfterMs === undefined ? {} : { requeueAfterNs: nsFromMs(requeueAfterMs) }),
    };
  }

  private write(run: TrueRun, key: string, what: string, wakes: boolean, life: number): void {
    if (life !== this.life) return;
    this.version += 1;
    run.versions.push(String(this.version));
    this.event(key, 'MODIFIED', what, String(this.version), wakes);
  }

  /** A change of an object, seen by the operator and by us. */
  private event(
    key: string,
    type: 'ADDED' | 'MODIFIED',
    what: string,
    own: string | undefined,
    wakes: boolean,
  ): void {
    const { random, lagMs } = this.script;
    const at = this.now();
    if (own === undefined) this.version += 1;
    const version = String(this.version);
    const life = this.life;
    if (wakes)
      this.at(at + delay(random, 1), () => {
        if (life === this.life) this.sim.add({}, [key]);
      });
    this.lastReceipt = Math.max(this.lastReceipt + 0.01, at + delay(random, lagMs));
    const receivedAt = this.lastReceipt;
    const name = key.slice(key.indexOf('/') + 1);
    const status = what === 'Database' || what === 'status';
    const subject = status ? `Database/${key}` : `ConfigMap/${key}-${what}`;
    const object = status ? `db.example.com/Database/${key}` : `/ConfigMap/shop/${name}-${what}`;
    this.draft(receivedAt, (seq) => {
      const base = {
        seq: recordSeq(seq),
        source: source.watch,
        at: { lo: T0 + receivedAt, hi: T0 + receivedAt },
        receivedAt: T0 + receivedAt,
        ownClock: false,
        controller: 'database',
        key,
      };
      const out: Evidence[] = [];
      if (wakes)
        out.push({
          ...base,
          evidence: 'woken',
          trigger: { type, object, subject, text: `${what} ${type}` },
          initial: false,
          gone: false,
          resourceVersion: version,
        });
      if (own !== undefined)
        out.push({
          ...base,
          evidence: 'write',
          write: {
            object,
            subject,
            verb: 'update',
            subresource: what === 'status' ? 'status' : '',
            resourceVersion: own,
            manager: 'op',
            outcome: 'stored',
            fields: [],
            changes: 1,
          },
          basis: { kind: 'observed', from: 'watch' },
          by: status ? 'self' : 'owner',
        });
      return out;
    });
  }

  private ended(key: string, failure: string | undefined, afterMs: number | undefined): void {
    const run = this.open.get(key);
    if (run === undefined) return;
    this.open.delete(key);
    run.end = this.now();
    run.result = failure === undefined ? (afterMs === undefined ? 'success' : 'requeue-after') : failure;
    this.line(run.end, key, run, 'ended', afterMs);
  }

  private line(
    at: number,
    key: string,
    run: TrueRun,
    says: 'started' | 'ended',
    afterMs: number | undefined,
  ): void {
    const { log, random } = this.script;
    const error = run.result === 'error' || run.result === 'panic';
    if (log === 'none' || (log === 'errors' && !(says === 'ended' && error))) return;
    this.lastLine = Math.max(this.lastLine + 0.001, at + random() * 3);
    const receivedAt = this.lastLine;
    const stamp = T0 + at;
    const within =
      log === 'all'
        ? { lo: Math.floor(stamp), hi: Math.floor(stamp) + 1 }
        : { lo: Math.floor(stamp / 1000) * 1000, hi: Math.floor(stamp / 1000) * 1000 + 999 };
    this.draft(receivedAt, (seq): readonly LineEvidence[] => [
      {
        evidence: 'line',
        seq: recordSeq(seq),
        source: source.log,
        at: within,
        receivedAt: T0 + receivedAt,
        ownClock: true,
        controller: 'database',
        key,
        reconcileId: run.id,
        says,
        result: says === 'started' ? undefined : (run.result as LineEvidence['result']),
        afterMs,
        error: error ? 'no quota' : undefined,
        level: error ? 'error' : 'debug',
        text: says === 'started' ? 'Reconciling' : error ? 'Reconciler error' : 'Reconcile successful',
        names: [],
        probe: false,
      },
    ]);
  }

  private restart(): void {
    const at = this.now();
    for (const run of this.open.values()) run.end = at;
    this.open.clear();
    this.life += 1;
    this.processLine(at, 'exited');
    this.processLine(at + 1_000, 'started');
    this.processLine(at + 1_100, 'workers');
    this.sim = this.controller(nsFromMs(at));
    this.at(at + 1_100, () => {
      this.sim.add({}, [...this.todo.keys()]);
      this.sim.startWorkers();
    });
  }

  private processLine(at: number, event: 'started' | 'exited' | 'workers'): void {
    this.draft(at, (seq) => [
      {
        evidence: 'process',
        seq: recordSeq(seq),
        source: source.self,
        at: { lo: T0 + at, hi: T0 + at },
        receivedAt: T0 + at,
        ownClock: false,
        event,
        controller: event === 'workers' ? 'database' : undefined,
        holder: undefined,
        workers: event === 'workers' ? this.script.workers : undefined,
      },
    ]);
  }

  private draft(receivedAt: number, make: Draft['make']): void {
    this.order += 1;
    this.drafts.push({ receivedAt, order: this.order, make });
  }
}

/** A little before the answer, mostly soon after it, sometimes late: as measured on real watches. */
function delay(random: () => number, mean: number): number {
  return Math.min(20 * mean, -0.5 - mean * Math.log(1 - random()));
}
