/**
 * Who leads: the Leases of leader election, folded from the versions that a watch brings. Mirrors client-go
 * tools/leaderelection: a Lease has expired when its record was not seen to change for its duration, by the clock of
 * whoever looks; renewTime is the holder's clock and is never compared with now (reference, section 5). Pure.
 * Spec: docs/spec/sources.md (SRC50–SRC56)
 */
import type { Within } from '../../shared/model/trace.ts';

/** One version of a Lease as it was seen. */
export interface LeaseSeen {
  /** `namespace/name`. */
  readonly lease: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** When it was seen, ms by our clock. */
  readonly seenAt: number;
  /** From a first list: how long it has been like that is not known. */
  readonly initial: boolean;
  /** The Lease is gone; what it said last does not count. */
  readonly deleted: boolean;
  /** `spec` of the object; whatever shape it has. */
  readonly spec: unknown;
}

/** How a Lease stands. Times ms; `stated` ones are of the holder's clock. */
export interface LeaseState {
  readonly lease: string;
  /** Empty: nobody holds it. */
  readonly holder: string;
  /** Its holder took it in here, by our clock: after `lo`, and it was seen at `hi`. `lo` is -Infinity where it held it before we looked. */
  readonly since: Within;
  /** acquireTime, by the holder's clock. */
  readonly statedSince: number | undefined;
  /** leaseTransitions: take-overs of this Lease so far. */
  readonly transitions: number | undefined;
  readonly durationMs: number;
  /** The last change that was seen, by our clock: what expiry counts from. */
  readonly changedAt: number;
  /** renewTime of that change, by the holder's clock. */
  readonly statedRenewal: number | undefined;
  readonly resourceVersion: string;
}

/**
 * What a version says that the one before did not. taken: somebody holds it (`missed`: holders in between that nobody
 * saw). released: the holder gave it up by itself. gone: the Lease was deleted. A renewal is none.
 */
export type LeaseChange = {
  readonly lease: string;
  /** In here it happened, by our clock. */
  readonly at: Within;
  readonly resourceVersion: string;
} & (
  | {
      readonly change: 'taken';
      readonly holder: string;
      readonly before: string;
      readonly missed: number;
      /** It was held already when we first looked. */
      readonly initial: boolean;
    }
  | { readonly change: 'released' | 'gone'; readonly before: string }
);

/** held: renewed in time. expired: not seen to change for its duration, anybody may take it. free: nobody holds it. */
export type LeaseVerdict = 'held' | 'expired' | 'free';

export interface LeaseFold {
  /** Undefined: a renewal, a version that was seen before, or nothing new. */
  apply(seen: LeaseSeen): LeaseChange | undefined;
  state(lease: string): LeaseState | undefined;
  states(): readonly LeaseState[];
}

/** client-go's default of 15 s, where a Lease does not say. */
const defaultDurationMs = 15_000;

export function createLeaseFold(): LeaseFold {
  const states = new Map<string, LeaseState & { readonly uid: string }>();
  return {
    apply(seen) {
      const { lease, resourceVersion, seenAt, uid } = seen;
      const last = states.get(lease);
      // Deleted and made again: another Lease by the same name, whose counters start anew.
      const before = last?.uid === uid ? last : undefined;
      const at = { lo: last?.changedAt ?? Number.NEGATIVE_INFINITY, hi: seenAt };
      if (seen.deleted) {
        states.delete(lease);
        if (last === undefined) return undefined;
        return { change: 'gone', lease, at, resourceVersion, before: last.holder };
      }
      if (before?.resourceVersion === resourceVersion) return undefined;
      const spec = readSpec(seen.spec);
      const isSame =
        before !== undefined && before.holder === spec.holder && before.transitions === spec.transitions;
      const since = isSame
        ? before.since
        : { lo: last?.changedAt ?? (seen.initial ? Number.NEGATIVE_INFINITY : seenAt), hi: seenAt };
      states.set(lease, { lease, uid, resourceVersion, since, changedAt: seenAt, ...spec });
      if (isSame) return undefined;
      const holderBefore = last?.holder ?? '';
      const range = { lo: since.lo, hi: seenAt };
      if (spec.holder === '') {
        if (holderBefore === '') return undefined;
        return { change: 'released', lease, at: range, resourceVersion, before: holderBefore };
      }
      return {
        change: 'taken',
        lease,
        at: range,
        resourceVersion,
        holder: spec.holder,
        before: holderBefore,
        missed: missedBetween(before, spec.transitions),
        initial: last === undefined && seen.initial,
      };
    },
    state: (lease) => states.get(lease),
    states: () => [...states.values()],
  };
}

/**
 * How a Lease stands at `now` (ms, our clock), for somebody who has looked at it without a gap. `ageMs`: since its last
 * change was seen.
 */
export function judgeLease(
  state: LeaseState,
  now: number,
): { readonly verdict: LeaseVerdict; readonly ageMs: number } {
  const ageMs = Math.max(0, now - state.changedAt);
  if (state.holder === '') return { verdict: 'free', ageMs };
  // Source: leaderelection.go tryAcquireOrRenew: observedTime + LeaseDuration is after now.
  return { verdict: ageMs < state.durationMs ? 'held' : 'expired', ageMs };
}

/** The host name in a holder's identity, which is the pod's name in a pod: controller-runtime writes `<hostname>_<uuid>`. */
export function hostOfHolder(holder: string): string {
  const end = holder.lastIndexOf('_');
  return end < 0 ? holder : holder.slice(0, end);
}

/** Holders that took and lost it between two versions that were seen. */
function missedBetween(before: LeaseState | undefined, transitions: number | undefined): number {
  if (before?.transitions === undefined || transitions === undefined) return 0;
  return Math.max(0, transitions - before.transitions - 1);
}

type LeaseSpec = Pick<LeaseState, 'holder' | 'statedSince' | 'transitions' | 'durationMs' | 'statedRenewal'>;

function readSpec(value: unknown): LeaseSpec {
  const spec: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const seconds = spec.leaseDurationSeconds;
  return {
    holder: typeof spec.holderIdentity === 'string' ? spec.holderIdentity : '',
    statedSince: timeOf(spec.acquireTime),
    statedRenewal: timeOf(spec.renewTime),
    transitions: typeof spec.leaseTransitions === 'number' ? spec.leaseTransitions : undefined,
    durationMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : defaultDurationMs,
  };
}

/** MicroTime, `2006-01-02T15:04:05.000000Z`, to ms with fractions. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value.replace(/\.\d+/, ''));
  if (Number.isNaN(ms)) return undefined;
  const fraction = /\.(\d+)/.exec(value)?.[1];
  return fraction === undefined ? ms : ms + Number(`0.${fraction}`) * 1000;
}
