/**
 * The window's hold on its engine: opens the pipe, and opens it again after it broke (the engine's process died, the
 * WebSocket dropped, the computer slept) with growing pauses. Says what it does in a form that a banner can show. What is
 * on screen stays; EngineClient attaches its streams to the new pipe.
 */
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import type { Transport } from '../../shared/contract/transport.ts';
import type { LinkProblem } from './webSocketTransport.ts';

export type OpenedPipe =
  | { readonly ok: true; readonly transport: Transport }
  | {
      readonly ok: false;
      readonly why: LinkProblem | 'engine';
      /** In words, from the shell; the catalogue has the rest by `why`. */
      readonly detail?: string;
      /** When the host itself will have an engine again. */
      readonly retryMs?: number | undefined;
    };

export type LinkState =
  | { readonly state: 'open' }
  | {
      readonly state: 'trying' | 'waiting';
      readonly since: number;
      /** The number of this try, or of the next one; from 1. */
      readonly attempt: number;
      /** ms since the epoch, by this computer. */
      readonly nextTryAt?: number;
      readonly detail?: string;
    }
  /** Not worth a further try by itself: this tab's link counts no more. */
  | { readonly state: 'over'; readonly since: number; readonly why: LinkProblem };

export interface EngineLinkOptions {
  /** `hurry`: the user asked, the host should not wait either. Never rejects. */
  readonly open: (hurry: boolean) => Promise<OpenedPipe>;
  /** The new pipe is there. */
  readonly onOpen: (transport: Transport) => void;
  readonly clock: Clock;
}

const pausesMs = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

export class EngineLink {
  private readonly options: EngineLinkOptions;
  private readonly changed = new Emitter<LinkState>();
  private current: LinkState;
  private timer: Disposable | undefined;
  private since = 0;
  private attempt = 0;
  /** Raised with each try: an older one that still comes back is closed. */
  private turn = 0;

  constructor(options: EngineLinkOptions) {
    this.options = options;
    this.since = options.clock.now();
    this.current = { state: 'trying', since: this.since, attempt: 1 };
  }

  readonly get = (): LinkState => this.current;

  /** For useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const subscription = this.changed.on(listener);
    return () => subscription.dispose();
  };

  /** The first try. */
  start(): void {
    this.since = this.options.clock.now();
    this.attempt = 1;
    void this.attemptNow(false);
  }

  /** The pipe that was open is over. `retryMs`: when the host will have an engine again, if it said so. */
  lost(retryMs?: number, detail?: string): void {
    if (this.current.state !== 'open') return;
    this.since = this.options.clock.now();
    this.attempt = 1;
    this.wait(retryMs ?? pausesMs[0] ?? 0, detail);
  }

  /** The user's button: now, whatever the pause. */
  reconnect(): void {
    if (this.current.state === 'open') return;
    void this.attemptNow(true);
  }

  private wait(pauseMs: number, detail: string | undefined): void {
    this.timer?.dispose();
    this.timer = this.options.clock.setTimer(pauseMs, () => void this.attemptNow(false));
    this.set({
      state: 'waiting',
      since: this.since,
      attempt: this.attempt,
      nextTryAt: this.options.clock.now() + pauseMs,
      ...(detail === undefined ? {} : { detail }),
    });
  }

  private async attemptNow(hurry: boolean): Promise<void> {
    this.timer?.dispose();
    const mine = ++this.turn;
    this.set({ state: 'trying', since: this.since, attempt: this.attempt });
    const opened = await this.options.open(hurry);
    if (mine !== this.turn) {
      if (opened.ok) opened.transport.close();
      return;
    }
    if (opened.ok) {
      this.set({ state: 'open' });
      this.options.onOpen(opened.transport);
      return;
    }
    if (opened.why !== 'engine' && opened.why !== 'unreachable') {
      this.set({ state: 'over', since: this.since, why: opened.why });
      return;
    }
    const pauseMs = pausesMs[Math.min(this.attempt, pausesMs.length - 1)] ?? 0;
    this.attempt += 1;
    this.wait(opened.retryMs === undefined ? pauseMs : Math.max(opened.retryMs, 100), opened.detail);
  }

  private set(state: LinkState): void {
    this.current = state;
    this.changed.emit(state);
  }
}
