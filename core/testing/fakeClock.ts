/**
 * Time for tests and replays: moves only when told. Timers fire at their own instant, in order of time and then of
 * setting; promises settle between timers, so code that awaits sees the same order as with real time.
 */
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/** A macrotask of the host, where it has one: after it every queued promise reaction has run. */
const macrotask = (globalThis as { setImmediate?: (task: () => void) => unknown }).setImmediate;

/** Resolves when all promise reactions that are ready now (and those they make ready) have run. No real time passes. */
export async function settlePromises(): Promise<void> {
  if (macrotask !== undefined) {
    await new Promise<void>((resolve) => void macrotask(resolve));
    return;
  }
  for (let turn = 0; turn < 256; turn++) await undefined;
}

export class FakeClock implements Clock {
  private wallMs: number;
  private monotonicMs = 0;
  private order = 0;
  private readonly timers = new Set<Timer>();

  /** `wallMs`: what now() answers at the start. monotonic() starts at 0. */
  constructor(wallMs = 0) {
    this.wallMs = wallMs;
  }

  now(): number {
    return this.wallMs;
  }

  monotonic(): number {
    return this.monotonicMs;
  }

  setTimer(delayMs: number, fire: () => void): Disposable {
    const timer = { at: this.monotonicMs + Math.max(0, delayMs), order: this.order++, fire };
    this.timers.add(timer);
    return toDisposable(() => this.timers.delete(timer));
  }

  /** Number of timers not yet fired nor cancelled: a test of dispose expects 0. */
  get pendingTimers(): number {
    return this.timers.size;
  }

  /** monotonic() of the next timer, undefined when none is set. */
  nextTimerAt(): number | undefined {
    return this.next()?.at;
  }

  /** Moves time by `ms` (fractions allowed); every timer on the way fires at its instant, promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.monotonicMs + ms;
    await settlePromises();
    for (let timer = this.next(); timer !== undefined && timer.at <= end; timer = this.next()) {
      this.fireAt(timer);
      await settlePromises();
    }
    this.moveTo(end);
    await settlePromises();
  }

  /** As advance(), for code without promises: everything happens before it returns. */
  advanceSync(ms: number): void {
    const end = this.monotonicMs + ms;
    for (let timer = this.next(); timer !== undefined && timer.at <= end; timer = this.next()) {
      this.fireAt(timer);
    }
    this.moveTo(end);
  }

  /** One jump, like client-go's FakeClock.Step: the clock stands at its end when the due timers fire, in their order. */
  jump(ms: number): void {
    const end = this.monotonicMs + ms;
    this.moveTo(end);
    for (let timer = this.next(); timer !== undefined && timer.at <= end; timer = this.next()) {
      this.timers.delete(timer);
      timer.fire();
    }
  }

  /** The wall clock is set, as NTP or a suspended laptop does; monotonic() does not see it. */
  setWall(wallMs: number): void {
    this.wallMs = wallMs;
  }

  private next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) {
      if (
        first === undefined ||
        timer.at < first.at ||
        (timer.at === first.at && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    return first;
  }

  private fireAt(timer: Timer): void {
    this.timers.delete(timer);
    this.moveTo(Math.max(timer.at, this.monotonicMs));
    timer.fire();
  }

  private moveTo(monotonicMs: number): void {
    this.wallMs += monotonicMs - this.monotonicMs;
    this.monotonicMs = monotonicMs;
  }
}
