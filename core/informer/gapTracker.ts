/**
 * GapTracker: turns what happens to one resource's connection into gap records. A gap opens when a synced cache may
 * have fallen behind and closes when it is known to be level again: the watch resumed (nothing was missed) or a relist
 * told what differs (versions in between are lost). Pure.
 */
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { ApiStatus } from '../source/listerWatcher.ts';
import type { ReplaceSummary } from './store.ts';

/** expired: 410. lost: the connection broke, fell silent or could not be made. failed: the server answered an error. */
export type GapCause = 'expired' | 'lost' | 'failed';

export interface Gap {
  /** What opened it; `expired` if a 410 came later on. */
  readonly cause: GapCause;
  /** Clock.now() when the last thing was heard before it, and when the cache was level again. */
  readonly since: number;
  readonly until: number;
  /** Versions at both ends. */
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly error: ApiStatus | undefined;
  readonly outcome: { readonly kind: 'resumed' } | ({ readonly kind: 'relisted' } & ReplaceSummary);
}

/** The beginning of a Gap, told when it opens. */
export type GapStart = Pick<Gap, 'cause' | 'since' | 'fromVersion' | 'error'>;

export interface GapListeners {
  onOpened?(gap: GapStart): void;
  onClosed?(gap: Gap): void;
}

interface OpenGap {
  cause: GapCause;
  error: ApiStatus | undefined;
  readonly since: number;
  readonly fromVersion: string;
}

/** A reopened watch that says nothing for this long has not been refused by an ERROR event: it resumed. */
const silentMeansResumedMs = 2000;

export class GapTracker implements Disposable {
  private readonly clock: Clock;
  private readonly listeners: GapListeners;
  private open: OpenGap | undefined;
  private timer: Disposable | undefined;
  private heardAt: number | undefined;

  constructor(clock: Clock, listeners: GapListeners) {
    this.clock = clock;
    this.listeners = listeners;
  }

  /** Since when the cache may be behind; undefined while it is level, and before the first list. */
  get lostSince(): number | undefined {
    return this.open?.since;
  }

  /** The connection is lost or the version is gone. Before the first list there is nothing to lose. */
  lost(cause: GapCause, version: string, error: ApiStatus | undefined): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.heardAt === undefined) return;
    if (this.open === undefined) {
      this.open = { cause, error, since: this.heardAt, fromVersion: version };
      this.listeners.onOpened?.({ ...this.open });
    } else {
      if (cause === 'expired') this.open.cause = cause;
      this.open.error = error ?? this.open.error;
    }
  }

  /** A watch was opened at `version`; whether the server still has that version shows in what comes first. */
  opened(version: string): void {
    if (this.open === undefined) return;
    this.timer?.dispose();
    this.timer = this.clock.setTimer(silentMeansResumedMs, () => this.resumed(version));
  }

  /** An event or bookmark came: the watch carries on from where it was. */
  heard(version: string): void {
    this.heardAt = this.clock.now();
    if (this.open !== undefined) this.resumed(version);
  }

  /** The watch ended as agreed: up to now nothing was missed. */
  closedCleanly(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.open === undefined && this.heardAt !== undefined) this.heardAt = this.clock.now();
  }

  /** A list replaced the cache. */
  relisted(version: string, found: ReplaceSummary): void {
    this.heardAt = this.clock.now();
    this.close(version, { kind: 'relisted', ...found });
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private resumed(version: string): void {
    this.heardAt = this.clock.now();
    this.close(version, { kind: 'resumed' });
  }

  private close(toVersion: string, outcome: Gap['outcome']): void {
    this.timer?.dispose();
    this.timer = undefined;
    const gap = this.open;
    if (gap === undefined) return;
    this.open = undefined;
    this.listeners.onClosed?.({ ...gap, until: this.clock.now(), toVersion, outcome });
  }
}
