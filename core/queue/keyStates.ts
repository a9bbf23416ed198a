import type { Basis } from '../../shared/model/basis.ts';
import type { WaitReason, Wake } from '../../shared/model/queue.ts';
import type { CountCertainty } from './failureCounts.ts';

/** A delay that a key was given. */
export interface Wait {
  readonly why: WaitReason;
  readonly sinceNs: bigint;
  readonly readyAtNs: bigint;
  readonly basis: Basis;
}

/** A run that the model holds to be in progress. */
export interface Run {
  readonly key: string;
  readonly priority: number;
  readonly wake: Wake;
  readonly events: number;
  /** Woken by the delay that ran out, not by an event. */
  readonly byTimer: boolean;
  startedNs: bigint;
  /** The observed time that its start was worked out from: the error before its delay, else the start itself. */
  readonly reckonedFromNs: bigint;
  /** When the model first thought that it began; later than that only if it was put back in between. */
  readonly firstStartedNs: bigint;
  basis: Basis;
  /** A fact says that it started. */
  confirmed: boolean;
  /** Silence is success: a status write shows that it took place, or the object is gone and there is nothing to fail at. */
  sure: boolean;
  /** When the model gives up waiting for a fact; undefined: never. */
  giveUpNs: bigint | undefined;
  /** What a wrong wake-up must put back: the delay that an event cancelled. */
  readonly cancelled: Wait | undefined;
}

/** What an inferred success took away, in case its error line is only late. */
export interface InferredSuccess {
  readonly startedNs: bigint;
  readonly failures: number;
  readonly certainty: CountCertainty;
}

/** What the queue itself does not keep per key: why it is there. */
export interface KeyState {
  /** First event since the last hand-out. */
  wake: Wake | undefined;
  events: number;
  priority: number | undefined;
  raisedFrom: number | undefined;
  wait: Wait | undefined;
  /** The delay that an event cancelled (priority queue), until the run it led to is settled. */
  cancelled: Wait | undefined;
  /** The run that the model began too early, while the key waits for its real turn. */
  putBack: Run | undefined;
  /** The object of the key was deleted since the last hand-out. */
  gone: boolean;
}

/** A map that keeps only the newest entries: for what is worth remembering a little while. */
export class RecentMap<T> {
  private readonly capacity: number;
  private readonly entries = new Map<string, T>();

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.capacity) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}

/** The states of all keys that have one; a key at rest takes no memory. */
export class KeyStates {
  private readonly states = new Map<string, KeyState>();

  get(key: string): KeyState | undefined {
    return this.states.get(key);
  }

  of(key: string): KeyState {
    const known = this.states.get(key);
    if (known !== undefined) return known;
    const fresh: KeyState = {
      wake: undefined,
      events: 0,
      priority: undefined,
      raisedFrom: undefined,
      wait: undefined,
      cancelled: undefined,
      putBack: undefined,
      gone: false,
    };
    this.states.set(key, fresh);
    return fresh;
  }

  /** Called when the key was handed out: what woke it belongs to the run now. */
  handedOut(state: KeyState): void {
    state.wake = undefined;
    state.events = 0;
    state.priority = undefined;
    state.raisedFrom = undefined;
    state.cancelled = undefined;
    state.putBack = undefined;
    state.gone = false;
  }

  /** Drops the state of `key` if it says nothing. */
  tidy(key: string): void {
    const state = this.states.get(key);
    if (state === undefined) return;
    if ((state.wake ?? state.wait ?? state.cancelled ?? state.putBack) === undefined) this.states.delete(key);
  }

  clear(): void {
    this.states.clear();
  }
}

export function waitWake(wait: Wait, delayText: string): Wake {
  return wait.why === 'after'
    ? { kind: 'after', text: `requeue after ${delayText}` }
    : {
        kind: 'retry',
        text: wait.why === 'rateLimited' ? `requeue after ${delayText}` : `backoff of ${delayText}`,
      };
}
