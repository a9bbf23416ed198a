/**
 * What can have woken a run: events that put the key into the queue, and timers from the result of the run before. Spec:
 * docs/spec/traces.md [TR17]–[TR19]
 */
import type { TriggerType } from '../../shared/model/trace.ts';
import { bounds, type Item, type KeyContext, type Run, type RunTrigger } from './shapes.ts';
import type { WokenEvidence } from './traceTypes.ts';

/** Something that made the key due, and when. */
export interface Waker {
  readonly lo: number;
  readonly hi: number;
  readonly trigger: RunTrigger;
  /** False: a timer, which the next run before it makes moot. */
  readonly event: boolean;
  /** How much later than due it may still be this one, ms. */
  readonly slack: number;
  /** How much sooner than due it may be heard of, ms: a line that is known by its receipt was written some ms before. */
  readonly early?: number;
}

/** Last run of a key and what it left behind, for the next one. */
export interface LastRun {
  readonly id: string;
  readonly start: { readonly lo: number; readonly hi: number };
  readonly end: { readonly lo: number; readonly hi: number };
  readonly reconcileId: string | undefined;
  readonly result: Run['result'];
  readonly endSeq: number | undefined;
  readonly life: number;
}

/** All that goes from one segment of a key to the next. */
export interface Carry {
  /** Errors in a row. */
  readonly failures: number;
  /** What the limiter counts: requeues too. */
  readonly counted: number;
  /** The row of failures was seen from its beginning, so that the next delay is known. */
  readonly certain: boolean;
  /** Whether the last retry that was seen came when the limiter says. */
  readonly kept: 'unknown' | 'yes' | 'no';
  readonly last: LastRun | undefined;
  readonly wakers: readonly Waker[];
}

export const nothingBefore: Carry = {
  failures: 0,
  counted: 0,
  certain: false,
  kept: 'unknown',
  last: undefined,
  wakers: [],
};

/** Equal for the derivation of what follows. */
export function sameCarry(a: Carry, b: Carry): boolean {
  return a === b || JSON.stringify(a, plain) === JSON.stringify(b, plain);
}

function plain(_key: string, value: unknown): unknown {
  return value === Infinity ? 'inf' : value === -Infinity ? '-inf' : value;
}

export function eventWaker(item: Item<WokenEvidence>): Waker {
  const { trigger, initial, seq } = item.piece;
  const type: TriggerType = initial ? 'initial' : trigger.type;
  return {
    lo: item.lo,
    hi: item.hi,
    event: true,
    slack: bounds.receiptSlack,
    trigger: { at: { lo: item.lo, hi: item.hi }, type, item, seq, text: trigger.text, because: [seq] },
  };
}

/** [TR18] The timer that a run leaves behind; undefined where it leaves none, or nobody says how long. */
export function timerAfter(run: Run, counted: number, context: KeyContext): Waker | undefined {
  const delayMs = delayAfter(run, counted, context);
  if (delayMs === undefined || run.end.hi === Infinity) return undefined;
  const type: TriggerType =
    run.result === 'requeue' ? 'requeue' : run.result === 'requeue-after' ? 'requeue-after' : 'retry';
  const seq = run.endLine?.piece.seq;
  const lo = run.end.lo + delayMs;
  const hi = run.end.hi + delayMs;
  const text =
    type === 'requeue-after'
      ? `requeue after ${durationText(delayMs)}`
      : `${type === 'retry' ? 'backoff' : 'requeue'} of ${durationText(delayMs)} after failure ${counted}`;
  return {
    lo,
    hi,
    event: false,
    slack: bounds.receiptSlack + 0.05 * delayMs,
    ...(run.endLine !== undefined && !run.endLine.piece.ownClock ? { early: bounds.receiptSlack } : {}),
    trigger: { at: { lo, hi }, type, item: undefined, seq, text, because: seq === undefined ? [] : [seq] },
  };
}

function delayAfter(run: Run, counted: number, context: KeyContext): number | undefined {
  switch (run.result) {
    case 'requeue-after':
      return run.afterMs;
    case 'error':
    case 'panic':
    case 'requeue':
      return context.facts.knobs?.delayAfter(counted);
    default:
      return undefined;
  }
}

/** `1.28 s`, `5 ms`, `3 min 20 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${trimmed(ms)} ms`;
  if (ms < 60_000) return `${trimmed(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 2 : 1)));
}

/** Earlier first; equal ones by record, timers before events. */
export function compareWakers(a: Waker, b: Waker): number {
  return a.hi - b.hi || Number(a.event) - Number(b.event) || (a.trigger.seq ?? 0) - (b.trigger.seq ?? 0);
}
