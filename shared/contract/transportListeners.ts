/** What every Transport does with its listeners: frames until it ended, one end, and word of it to whoever asks later. */
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { CloseReason } from './transport.ts';

export interface TransportListeners {
  readonly ended: boolean;
  /** Gives a frame to everybody; nothing after the end. */
  deliver(frame: unknown): void;
  /** The first end counts; later ones are ignored. */
  end(reason: CloseReason): void;
  onFrame(listener: (frame: unknown) => void): Disposable;
  /** A listener added after the end is called on the next turn. */
  onClose(listener: (reason: CloseReason) => void): Disposable;
}

export function createTransportListeners(): TransportListeners {
  const frames = new Set<(frame: unknown) => void>();
  const closes = new Set<(reason: CloseReason) => void>();
  let ended: CloseReason | undefined;
  return {
    get ended() {
      return ended !== undefined;
    },
    deliver(frame) {
      if (ended !== undefined) return;
      for (const listener of [...frames]) listener(frame);
    },
    end(reason) {
      if (ended !== undefined) return;
      ended = reason;
      frames.clear();
      for (const listener of [...closes]) listener(reason);
    },
    onFrame(listener) {
      frames.add(listener);
      return toDisposable(() => frames.delete(listener));
    },
    onClose(listener) {
      closes.add(listener);
      const reason = ended;
      if (reason !== undefined)
        queueMicrotask(() => {
          if (closes.has(listener)) listener(reason);
        });
      return toDisposable(() => closes.delete(listener));
    },
  };
}
