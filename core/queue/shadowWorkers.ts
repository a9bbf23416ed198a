import { assert } from '../../shared/base/assert.ts';
import type { Basis } from '../../shared/model/basis.ts';
import { predictionTolerance, type Wake } from '../../shared/model/queue.ts';
import { formatDuration, msFromNs, nsFromMs } from './duration.ts';
import { type Run, waitWake } from './keyStates.ts';
import type { ShadowDelays } from './shadowDelays.ts';
import { ABSORB_MS, inferred, type ShadowState } from './shadowState.ts';

/** With every start logged, a run that shows none after this long does not exist. */
const CONFIRM_MS = 1_000;
/** A confirmed run whose end is not seen is given up after this long. */
const LOST_END_MS = 600_000;
/** A status write this long after a run that passed in silence is still that run's. */
const LATE_WRITE_MS = 60_000;
/** Lines reach us with some jitter: a timer that explains a run this much too early does so without doubt. */
const EARLY_MS = 50;

/** How a run is known. `timer`: its delay ran out, even if the model's clock has not reached that point. */
export interface HowTaken {
  readonly basis: Basis;
  readonly timer?: boolean;
}

/**
 * ShadowWorkers: the modelled workers of a shadow queue. They take keys as the operator's would, and give way to facts: a
 * run that was seen exists, a run that should have been seen and was not does not. Spec: docs/spec/shadowQueue.md [SW1]–[SW7].
 */
export class ShadowWorkers {
  private readonly state: ShadowState;
  private readonly delays: ShadowDelays;

  constructor(state: ShadowState, delays: ShadowDelays) {
    this.state = state;
    this.delays = delays;
  }

  start(): void {
    this.state.workersRunning = true;
    this.state.starting = false;
  }

  /** [SW1] Free workers take what is ready. */
  handOut(): void {
    const { state } = this;
    if (!state.workersRunning) return;
    while (state.runs.size < state.workers) {
      const taken = state.queue.tryGet();
      if (taken?.kind !== 'item') return;
      this.begin(taken.key, taken.priority, {
        basis: inferred('queue/hand-out'),
        confirmed: false,
        timer: false,
      });
    }
  }

  /** [SW2] Runs whose patience is over at this instant. */
  giveUp(): void {
    for (const run of [...this.state.runs.values()]) {
      if (run.giveUpNs === undefined || run.giveUpNs > this.state.nowNs) continue;
      if (this.state.evidence === 'all' && !run.confirmed) this.dismiss(run);
      else
        this.endSilent(
          run,
          this.state.evidence === 'none' ? 'queue/typical-duration' : 'queue/no-error-line',
        );
    }
  }

  nextGiveUpNs(): bigint | undefined {
    let next: bigint | undefined;
    for (const { giveUpNs } of this.state.runs.values()) {
      if (giveUpNs !== undefined && (next === undefined || giveUpNs < next)) next = giveUpNs;
    }
    return next;
  }

  /** The evidence changed: patience counts anew. */
  restartPatience(): void {
    for (const run of this.state.runs.values()) run.giveUpNs = this.giveUpNs(run.key, run.confirmed);
  }

  /** A start was reported for a run that the model had begun by itself. */
  confirm(run: Run, basis: Basis): void {
    run.confirmed = true;
    run.startedNs = this.state.nowNs;
    run.basis = basis;
    run.giveUpNs = this.giveUpNs(run.key, true);
    this.state.op({ op: 'started', key: run.key, wake: run.wake, basis });
  }

  /** [SW3] An observed run of a key that the model does not run: it overrules the order and the number of workers. */
  take(key: string, how: HowTaken): Run {
    const { queue, unseen } = this.state;
    this.start();
    this.makeRoom();
    const earlyMs = this.timerIsNear(key);
    const timer = how.timer ?? earlyMs !== undefined;
    const explained = queue.isDue(key) || (timer && (earlyMs ?? 0) <= EARLY_MS);
    const priority = queue.takeKey(key, timer);
    assert(priority !== undefined, `${key} is being processed, but no run is known`);
    if (!explained) unseen.set(key, queue.nowNs);
    return this.begin(key, priority, { basis: how.basis, confirmed: true, timer });
  }

  /**
   * [SF9] The run of a line whose key is queued or waits: the key's turn, or the late end of a run that passed in silence.
   */
  takeQueued(key: string, basis: Basis): Run {
    const { state } = this;
    const silent = state.silent.get(key);
    const itsTurn = state.queue.isDue(key) || this.timerIsNear(key) !== undefined;
    const run = this.take(key, { basis });
    if (itsTurn || silent === undefined) return run;
    if (state.elapsedMs(silent.startedNs) > 4 * state.patienceMs(key)) return run;
    state.counts.undoubt(key);
    return this.resume(run, silent);
  }

  /** [SQ6] The status of the object of `key` was written: its run takes place, unless the write is that of the last error's run. */
  statusWritten(key: string, basis: Basis): void {
    const { state } = this;
    const run = state.runs.get(key);
    if (state.evidence === 'none') {
      if (run !== undefined) state.durations.observe(key, state.elapsedMs(run.startedNs));
      this.inferSuccess(run ?? this.take(key, { basis }), 'queue/status-write');
    }
    if (state.evidence !== 'errors') return;
    const ofThisRun = state.nowMs - (state.counts.lastErrorMs(key) ?? 0) > ABSORB_MS;
    if (run !== undefined) {
      run.giveUpNs = state.nowNs + nsFromMs(state.patienceMs(key));
      run.sure ||= ofThisRun;
      return;
    }
    const silent = state.silent.get(key);
    if (silent === undefined || !ofThisRun || state.elapsedMs(silent.startedNs) > LATE_WRITE_MS) return;
    const taken = this.take(key, { basis, timer: false });
    this.resume(taken, silent).sure = true;
  }

  replace(run: Run, change: Partial<Run>): Run {
    const changed = { ...run, ...change };
    this.state.runs.set(run.key, changed);
    return changed;
  }

  /** [SW4] No fact contradicts it, so the run succeeded. Remembered, in case its error line is only late. */
  inferSuccess(run: Run, rule: string): void {
    const { state } = this;
    const { key } = run;
    const failures = state.counts.failures(key);
    const certainty = state.counts.certainty(key, state.ifUnseen());
    state.successes.set(key, { startedNs: run.startedNs, failures, certainty });
    state.runs.delete(key);
    state.totals.success += 1;
    state.counts.forget(key, false);
    state.queue.forget(key);
    state.queue.done(key);
    state.op({ op: 'ended', key, result: 'success', basis: inferred(rule) });
    state.keys.tidy(key);
  }

  /**
   * [SW8] Patience is over. With errors logged, a failing key is not healthy because a run that only the model knows of
   * showed no line: while the retry that the last line gave may be ahead, the key waits on for that, less certainly.
   */
  private endSilent(run: Run, rule: string): void {
    const { state } = this;
    const { key } = run;
    if (!this.delays.mayStillFail(run)) {
      this.inferSuccess(run, rule);
      return;
    }
    state.runs.delete(key);
    state.queue.done(key);
    state.queue.metrics.adds -= 1;
    state.counts.doubt(key);
    state.op({ op: 'corrected', key, because: 'no line came, and nothing shows that it succeeded' });
    this.delays.waitAgain(run);
    state.silent.set(key, run);
    state.keys.tidy(key);
  }

  /** `run` was taken for a fact about the run that passed in silence. */
  private resume(run: Run, silent: Run): Run {
    this.state.unseen.delete(run.key);
    const { wake, startedNs, reckonedFromNs, byTimer } = silent;
    return this.replace(run, { wake, startedNs, reckonedFromNs, byTimer });
  }

  /** [SW7] True when `wake` explains a run that had begun without a cause just before. */
  absorb(key: string, wake: Wake): boolean {
    const { state } = this;
    const sinceNs = state.unseen.get(key);
    if (sinceNs === undefined || state.elapsedMs(sinceNs) > ABSORB_MS) return false;
    state.unseen.delete(key);
    const run = state.runs.get(key);
    if (run !== undefined) this.replace(run, { wake, events: run.events + 1 });
    const { queue, counts } = state;
    const held = counts.failures(key);
    counts.reassure(key, queue.kind === 'classic');
    if (counts.failures(key) !== held) this.delays.renew(key);
    state.book.explain(key, state.nowMs, wake.text);
    state.op({ op: 'corrected', key, because: `the run before was woken by ${wake.text}` });
    return true;
  }

  private begin(
    key: string,
    priority: number,
    how: { readonly basis: Basis; readonly confirmed: boolean; readonly timer: boolean },
  ): Run {
    const { state } = this;
    const known = state.keys.of(key);
    const { wait, putBack } = known;
    const due = wait !== undefined && (how.timer || wait.readyAtNs <= state.nowNs);
    const timerWake = due ? waitWake(wait, formatDuration(wait.readyAtNs - wait.sinceNs)) : undefined;
    const run: Run = {
      key,
      priority,
      wake: putBack?.wake ?? known.wake ?? timerWake ?? { kind: 'unseen', text: 'nothing seen' },
      events: known.events + (putBack?.events ?? 0),
      byTimer: putBack?.byTimer ?? (known.wake === undefined && due),
      startedNs: due && how.timer && wait.readyAtNs < state.nowNs ? wait.readyAtNs : state.nowNs,
      reckonedFromNs: putBack?.reckonedFromNs ?? (due ? wait.sinceNs : state.nowNs),
      firstStartedNs: putBack?.firstStartedNs ?? state.nowNs,
      basis: how.basis,
      confirmed: how.confirmed,
      sure: known.gone || putBack?.sure === true,
      giveUpNs: this.giveUpNs(key, how.confirmed),
      cancelled: putBack?.cancelled ?? known.cancelled,
    };
    if (due || state.queue.readyAtNs(key) === undefined) known.wait = undefined;
    state.keys.handedOut(known);
    state.keys.tidy(key);
    state.successes.delete(key);
    state.silent.delete(key);
    state.runs.set(key, run);
    state.op({ op: 'started', key, wake: run.wake, basis: run.basis });
    return run;
  }

  /** [SW5] Another key runs now, so a run without a fact has either not begun or is over. */
  private makeRoom(): void {
    const { state } = this;
    for (const run of [...state.runs.values()]) {
      if (state.runs.size < state.workers) return;
      if (run.confirmed) continue;
      const tried = state.elapsedMs(run.firstStartedNs);
      if (state.evidence === 'all' || (state.evidence === 'errors' && tried <= state.patienceMs(run.key)))
        this.putBack(run);
      else this.endSilent(run, 'queue/worker-moved-on');
    }
  }

  /** The order was another one: the run has not begun yet. The key goes to the end of the line; nothing is counted. */
  private putBack(run: Run): void {
    const { queue, runs, keys } = this.state;
    if (!queue.isDue(run.key)) {
      queue.addWithOpts({ priority: run.priority }, [run.key]);
      queue.metrics.adds -= 1;
    }
    runs.delete(run.key);
    queue.done(run.key);
    keys.of(run.key).putBack = run;
  }

  /** [SW6] Starts are logged and this one was not: the operator never ran it. The delay it had cancelled comes back. */
  private dismiss(run: Run): void {
    const { state } = this;
    const { key, cancelled } = run;
    state.runs.delete(key);
    state.queue.done(key);
    state.op({ op: 'corrected', key, because: 'no start was logged: what seemed to wake it did not' });
    if (cancelled !== undefined && !state.queue.isDue(key)) {
      const left = cancelled.readyAtNs - state.nowNs;
      state.queue.addWithOpts({ afterNs: left > 0n ? left : 1n, priority: run.priority }, [key]);
      state.keys.of(key).wait = cancelled;
      state.book.reinstate(key);
    }
    state.keys.tidy(key);
  }

  /** By how much the delay of `key` would have ended early, ms, if it explains a run now; undefined: it is too far away. */
  private timerIsNear(key: string): number | undefined {
    const readyAtNs = this.state.queue.readyAtNs(key);
    const wait = this.state.keys.get(key)?.wait;
    if (readyAtNs === undefined || wait === undefined) return undefined;
    const { nowNs, precisionMs } = this.state;
    const earlyMs = Math.max(0, msFromNs(readyAtNs - nowNs) - precisionMs);
    return earlyMs <= predictionTolerance(msFromNs(wait.readyAtNs - wait.sinceNs)) ? earlyMs : undefined;
  }

  private giveUpNs(key: string, confirmed: boolean): bigint {
    const { evidence, nowNs } = this.state;
    if (evidence === 'all') return nowNs + nsFromMs(confirmed ? LOST_END_MS : CONFIRM_MS);
    return nowNs + nsFromMs(this.state.patienceMs(key));
  }
}
