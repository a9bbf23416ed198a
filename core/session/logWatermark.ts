/**
 * Watermark: up to where in time the log is settled. Every live source has a newest pos; what lies later than the
 * least of them minus a margin is provisional, and a record that lands behind that point is late.
 * Shared by every SessionLog. Spec: docs/spec/session.md (SES8–SES12).
 */
import { assert } from '../../shared/base/assert.ts';
import type { SourceId } from '../../shared/model/ids.ts';
import type { TimeInterval } from './record.ts';

/** How far behind the slowest live source the settled part ends, ms. */
export const watermarkMarginMs = 2000;

/** What a source has said so far, as the session file keeps it. */
export interface SourcePosition {
  readonly source: SourceId;
  /** Greatest `at.hi` of its records, or the time of its last sign of life, ms. */
  readonly newest: number;
  readonly lastLo: number;
  readonly lastHi: number;
  readonly lastTie: number;
}

interface SourceState {
  newest: number;
  live: boolean;
  lastLo: number;
  lastHi: number;
  lastTie: number;
}

export class Watermark {
  private readonly now: () => number;
  private readonly sources = new Map<SourceId, SourceState>();
  private everLive = false;
  private newestOfAll = 0;
  /** min over live sources; undefined while it has to be computed again. */
  private leastLive: number | undefined;

  /** `now`: wall time in ms, for a live source that has said nothing yet. */
  constructor(now: () => number) {
    this.now = now;
  }

  /**
   * Takes a record of `source` at `at` and says where it goes: `tie` counts records of the same source at the same
   * interval in a row (0, 1, 2 …), `late` is judged against the watermark before this record.
   */
  place(source: SourceId, at: TimeInterval): { readonly tie: number; readonly late: boolean } {
    assert(at.lo <= at.hi, `a time interval with lo ≤ hi, got ${at.lo} and ${at.hi}`);
    const late = at.hi < this.value();
    const state = this.stateOf(source);
    const tie = state.lastLo === at.lo && state.lastHi === at.hi ? state.lastTie + 1 : 0;
    state.lastLo = at.lo;
    state.lastHi = at.hi;
    state.lastTie = tie;
    this.moved(state, at.hi);
    return { tie, late };
  }

  /**
   * A live source holds the watermark back to its newest pos; one that ended does not. Saying live again is a sign of
   * life: nothing older than now is still to come from it (a bookmark, an empty scrape, an open but quiet watch).
   */
  setLive(source: SourceId, live: boolean): void {
    const state = this.stateOf(source);
    state.live = live;
    this.leastLive = undefined;
    if (!live) return;
    this.everLive = true;
    this.moved(state, this.now());
  }

  /**
   * ms: min over live sources of the newest pos, minus the margin. When all have ended: the newest pos of all, for
   * nothing more comes by itself. 0 while no source was ever live (an import): then nothing is late.
   */
  value(): number {
    if (!this.everLive) return 0;
    if (this.leastLive === undefined) {
      let least = Number.POSITIVE_INFINITY;
      for (const state of this.sources.values()) {
        if (state.live && state.newest < least) least = state.newest;
      }
      this.leastLive = least;
    }
    return this.leastLive === Number.POSITIVE_INFINITY
      ? this.newestOfAll
      : this.leastLive - watermarkMarginMs;
  }

  /** Where a source stands, for the session file. */
  position(source: SourceId): SourcePosition {
    const { newest, lastLo, lastHi, lastTie } = this.stateOf(source);
    return { source, newest, lastLo, lastHi, lastTie };
  }

  /** Takes up where a session file left off: its sources are known and not live. */
  restore(positions: readonly SourcePosition[]): void {
    for (const { source, ...rest } of positions) {
      this.sources.set(source, { ...rest, live: false });
      this.newestOfAll = Math.max(this.newestOfAll, rest.newest);
      this.everLive = true;
    }
    this.leastLive = undefined;
  }

  private stateOf(source: SourceId): SourceState {
    let state = this.sources.get(source);
    if (state === undefined) {
      state = { newest: 0, live: false, lastLo: Number.NaN, lastHi: Number.NaN, lastTie: 0 };
      this.sources.set(source, state);
    }
    return state;
  }

  private moved(state: SourceState, to: number): void {
    if (to <= state.newest) return;
    // Only the one that held the minimum can move it.
    if (state.live && state.newest === this.leastLive) this.leastLive = undefined;
    state.newest = to;
    if (to > this.newestOfAll) this.newestOfAll = to;
  }
}
