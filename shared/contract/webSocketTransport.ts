/**
 * A Transport over an open WebSocket: one text message a frame. Written against the part of the interface that the
 * browser's socket and the `ws` package share, so that both ends of the browser host run this one piece.
 */
import type { Transport } from './transport.ts';
import { createTransportListeners } from './transportListeners.ts';

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
  const listeners = createTransportListeners();

  socket.addEventListener('message', (event) => {
    if (!listeners.ended) listeners.deliver(parse(event.data));
  });
  socket.addEventListener('close', (event) => {
    const normal = event.code === NORMAL_CLOSE || event.code === GOING_AWAY;
    const detail = event.reason === '' ? `code ${event.code}` : event.reason;
    listeners.end({ kind: normal ? 'closed' : 'error', message: `closed by the other end (${detail})` });
  });

  return {
    send(frame) {
      if (!listeners.ended && socket.readyState === OPEN) socket.send(JSON.stringify(frame));
    },
    onFrame: listeners.onFrame,
    onClose: listeners.onClose,
    close() {
      listeners.end({ kind: 'closed', message: 'closed by this end' });
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
