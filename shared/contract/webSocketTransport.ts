/**
 * A Transport over an open WebSocket: one text message a frame. Written against the part of the interface that the
 * browser's socket and the `ws` package share, so that both ends of the browser host run this one piece.
 */
import { toDisposable } from '../base/disposable.ts';
import type { CloseReason, Transport } from './transport.ts';

export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

const OPEN = 1;
const NORMAL_CLOSE = 1000;
const GOING_AWAY = 1001;

/** `socket` is open already; this becomes its only reader. */
export function createWebSocketTransport(socket: WebSocketLike): Transport {
  const frameListeners = new Set<(frame: unknown) => void>();
  const closeListeners = new Set<(reason: CloseReason) => void>();
  let ended: CloseReason | undefined;

  function end(reason: CloseReason): void {
    if (ended !== undefined) return;
    ended = reason;
    frameListeners.clear();
    for (const listener of [...closeListeners]) listener(reason);
  }

  socket.addEventListener('message', (event) => {
    if (ended !== undefined) return;
    const frame = parse(event.data);
    for (const listener of [...frameListeners]) listener(frame);
  });
  socket.addEventListener('close', (event) => {
    const normal = event.code === NORMAL_CLOSE || event.code === GOING_AWAY;
    const detail = event.reason === '' ? `code ${event.code}` : event.reason;
    end({ kind: normal ? 'closed' : 'error', message: `closed by the other end (${detail})` });
  });

  return {
    send(frame) {
      if (ended === undefined && socket.readyState === OPEN) socket.send(JSON.stringify(frame));
    },
    onFrame(listener) {
      frameListeners.add(listener);
      return toDisposable(() => frameListeners.delete(listener));
    },
    onClose(listener) {
      closeListeners.add(listener);
      const reason = ended;
      if (reason !== undefined) {
        queueMicrotask(() => {
          if (closeListeners.has(listener)) listener(reason);
        });
      }
      return toDisposable(() => closeListeners.delete(listener));
    },
    close() {
      end({ kind: 'closed', message: 'closed by this end' });
      socket.close(NORMAL_CLOSE);
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
  };
}

/** What is not JSON becomes undefined, which no frame schema accepts: the reader ends the connection as `malformed`. */
function parse(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
