import { int64FromFloat, MAX_INT64, saturate, secondsOf } from './duration.ts';

/** rate.Inf: no limit at all. */
export const UNLIMITED = Number.MAX_VALUE;

/** What reserve() promised. `ok: false` means that n can never be granted; its delay is then the longest duration. */
export interface Reservation {
  readonly ok: boolean;
  readonly tokens: number;
  readonly timeToActNs: bigint;
  /** The rate at the time of the reservation; 0 when there was no limit. */
  readonly limit: number;
}

/**
 * TokenBucket: the rate limiter of golang.org/x/time/rate, driven by explicit times (ns, may go backwards).
 * Tokens are float64 and may become negative without bound: every reservation is granted, later ones wait longer.
 * Spec: docs/spec/limiters.md [RL8]–[RL12]. Source: x/time/rate/rate.go.
 */
export class TokenBucket {
  private limit: number;
  private burst: number;
  private tokens: number;
  /** Undefined is Go's zero time: further back than any duration reaches, so the bucket counts as full. */
  private lastNs: bigint | undefined;
  private lastEventNs: bigint | undefined;

  /** `limit` in tokens per second. The bucket starts full. */
  constructor(limit: number, burst: number) {
    this.limit = limit;
    this.burst = burst;
    this.tokens = burst;
  }

  /** Takes n tokens at `atNs`, if need be from the future. Source: ReserveN. */
  reserve(atNs: bigint, n = 1): Reservation {
    return this.take(atNs, n, MAX_INT64);
  }

  /** True and n tokens fewer when they are there now; otherwise nothing changes. Source: AllowN. */
  allow(atNs: bigint, n = 1): boolean {
    return this.take(atNs, n, 0n).ok;
  }

  /** Gives back what a reservation holds, less what later reservations already built on. Source: Reservation.CancelAt. */
  cancel(reservation: Reservation, atNs: bigint): void {
    const { ok, tokens, timeToActNs, limit } = reservation;
    if (!ok || this.limit === UNLIMITED || tokens === 0 || timeToActNs < atNs) return;
    const since = this.lastEventNs === undefined ? -MAX_INT64 : saturate(this.lastEventNs - timeToActNs);
    const restore = tokens - tokensFromDuration(limit, since);
    if (restore <= 0) return;
    this.tokens = Math.min(this.tokensAt(atNs) + restore, this.burst);
    this.lastNs = atNs;
    if (timeToActNs === this.lastEventNs) {
      const previous = timeToActNs + durationFromTokens(limit, -tokens);
      if (previous >= atNs) this.lastEventNs = previous;
    }
  }

  /** Source: SetLimitAt. */
  setLimit(atNs: bigint, limit: number): void {
    this.tokens = this.tokensAt(atNs);
    this.lastNs = atNs;
    this.limit = limit;
  }

  /** Source: SetBurstAt. */
  setBurst(atNs: bigint, burst: number): void {
    this.tokens = this.tokensAt(atNs);
    this.lastNs = atNs;
    this.burst = burst;
  }

  /** Tokens at `atNs`; changes nothing. A time before the last use counts as no time passed. Source: TokensAt. */
  tokensAt(atNs: bigint): number {
    const elapsed =
      this.lastNs === undefined ? MAX_INT64 : atNs < this.lastNs ? 0n : saturate(atNs - this.lastNs);
    return Math.min(this.tokens + tokensFromDuration(this.limit, elapsed), this.burst);
  }

  /** What reserve(atNs) would have to wait, in ns; changes nothing. */
  peekDelay(atNs: bigint): bigint {
    if (this.limit === UNLIMITED) return 0n;
    if (this.burst < 1) return MAX_INT64;
    const left = this.tokensAt(atNs) - 1;
    return left < 0 ? durationFromTokens(this.limit, -left) : 0n;
  }

  private take(atNs: bigint, n: number, maxWaitNs: bigint): Reservation {
    if (this.limit === UNLIMITED) return { ok: true, tokens: n, timeToActNs: atNs, limit: 0 };
    const left = this.tokensAt(atNs) - n;
    const wait = left < 0 ? durationFromTokens(this.limit, -left) : 0n;
    if (n > this.burst || wait > maxWaitNs)
      return { ok: false, tokens: 0, timeToActNs: 0n, limit: this.limit };
    this.lastNs = atNs;
    this.tokens = left;
    this.lastEventNs = atNs + wait;
    return { ok: true, tokens: n, timeToActNs: atNs + wait, limit: this.limit };
  }
}

/** How long to wait from `atNs` on, in ns; never negative. Source: Reservation.DelayFrom. */
export function delayFrom(reservation: Reservation, atNs: bigint): bigint {
  if (!reservation.ok) return MAX_INT64;
  const delay = saturate(reservation.timeToActNs - atNs);
  return delay < 0n ? 0n : delay;
}

function durationFromTokens(limit: number, tokens: number): bigint {
  if (limit <= 0) return MAX_INT64;
  const duration = (tokens / limit) * 1e9;
  return duration > 2 ** 63 ? MAX_INT64 : int64FromFloat(duration);
}

function tokensFromDuration(limit: number, ns: bigint): number {
  return limit <= 0 ? 0 : secondsOf(ns) * limit;
}
