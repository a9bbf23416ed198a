import type { Disposable } from '../base/disposable.ts';
import type { Frame } from './frames.ts';

/** Why a connection ended, with a sentence for the log: one end closed it in order, or it broke. */
export interface CloseReason {
  readonly kind: 'closed' | 'error';
  readonly message: string;
}

/**
 * What the contract needs of a pipe: frames arrive whole, in order, at most once. A MessagePort, a WebSocket and an
 * in-memory pair each fit. Frames are plain cloneable values. Nothing is delivered after onClose fired, and onClose
 * fires once; a listener added later than that is called on the next turn.
 */
export interface Transport {
  /** Never throws; on a closed transport the frame is dropped (onClose has told, or will tell). */
  send(frame: Frame): void;
  /** What arrives is not trusted: the receiver validates it. */
  onFrame(listener: (frame: unknown) => void): Disposable;
  onClose(listener: (reason: CloseReason) => void): Disposable;
  close(): void;
  /** Bytes accepted by send() and not yet given to the network; absent where the pipe cannot say. */
  readonly bufferedAmount?: number | undefined;
}
