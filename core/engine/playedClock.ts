/**
 * PlayedClock: the time of a recording over the clock of the host: it plays at a speed, stands still, goes elsewhere. Its
 * timers count played time and fire only while it plays. HeldClock: the host's time, whose timers wait while it is held.
 * Spec: docs/spec/playback.md (PB30–PB34).
 */
import { assert } from '../../shared/base/assert.ts';
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import { Heap, type HeapItem } from '../queue/heap.ts';

interface Timer extends HeapItem {
  /** By this clock's monotonic(). */
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

export class PlayedClock implements Clock, Disposable {
  private readonly host: Clock;
  private readonly timers = new Heap<Timer>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  private order = 0;
  /** Wall and monotonic time of this clock at `since`, by the host's monotonic(). */
  private wall: number;
  private played = 0;
  private since: number;
  private speed = 0;
  private wake: Disposable | undefined;

  /** Stands at `at`, ms since the epoch. */
  constructor(host: Clock, at: number) {
    this.host = host;
    this.wall = at;
    this.since = host.monotonic();
  }

  /** How fast it goes: 0 stands still, 1 is as it happened. */
  get rate(): number {
    return this.speed;
  }

  now(): number {
    return this.wall + this.gone();
  }

  monotonic(): number {
    return this.played + this.gone();
  }

  setTimer(delayMs: number, fire: () => void): Disposable {
    const timer: Timer = {
      at: this.monotonic() + Math.max(0, delayMs),
      order: this.order++,
      fire,
      index: -1,
    };
    this.timers.push(timer);
    this.arm();
    return toDisposable(() => {
      this.timers.remove(timer);
      this.arm();
    });
  }

  play(rate: number): void {
    assert(rate > 0, `a rate above 0, got ${rate}`);
    this.settle();
    this.speed = rate;
    this.arm();
  }

  pause(): void {
    this.settle();
    this.speed = 0;
    this.arm();
  }

  /** Goes to a moment. Timers keep their distance: what waits for an instant is set anew by who set it. */
  goTo(at: number): void {
    this.settle();
    this.wall = at;
  }

  dispose(): void {
    this.wake?.dispose();
    this.wake = undefined;
    while (this.timers.pop() !== undefined);
  }

  private gone(): number {
    return this.speed === 0 ? 0 : (this.host.monotonic() - this.since) * this.speed;
  }

  private settle(): void {
    const gone = this.gone();
    this.wall += gone;
    this.played += gone;
    this.since = this.host.monotonic();
  }

  private arm(): void {
    this.wake?.dispose();
    this.wake = undefined;
    const next = this.timers.peek();
    if (next === undefined || this.speed === 0) return;
    const wait = Math.max(0, (next.at - this.monotonic()) / this.speed);
    this.wake = this.host.setTimer(wait, () => {
      this.wake = undefined;
      this.fireDue();
    });
  }

  private fireDue(): void {
    // Fractions of a played ms may be missing to the instant that was waited for.
    const until = this.monotonic() + rounding;
    for (let next = this.timers.peek(); next !== undefined && next.at <= until; next = this.timers.peek()) {
      this.timers.pop();
      next.fire();
      if (this.speed === 0) break;
    }
    this.arm();
  }
}

const rounding = 1e-6;

/** Timers that come due while it is held fire when it is released, in their order. */
export class HeldClock implements Clock {
  private readonly host: Clock;
  private readonly waiting = new Set<() => void>();
  private isHeld = false;

  constructor(host: Clock) {
    this.host = host;
  }

  now(): number {
    return this.host.now();
  }

  monotonic(): number {
    return this.host.monotonic();
  }

  setTimer(delayMs: number, fire: () => void): Disposable {
    const timer = this.host.setTimer(delayMs, () => {
      if (this.isHeld) this.waiting.add(fire);
      else fire();
    });
    return toDisposable(() => {
      timer.dispose();
      this.waiting.delete(fire);
    });
  }

  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    for (const fire of [...this.waiting]) if (this.waiting.delete(fire)) fire();
  }
}
