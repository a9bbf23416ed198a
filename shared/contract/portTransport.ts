/**
 * A Transport over a MessagePort: the page's own kind (DOM), Node's, and Electron's MessagePortMain, which is an
 * emitter whose messages wait until `start()`. Frames cross as plain cloneable values, no port is ever transferred.
 *
 * A port tells little of the other end's death: newer ones fire `close`, older ones fall silent. So close() says goodbye
 * first, and whoever learns of the death otherwise (the shell saw the engine's process end) calls abandon().
 */
import { toDisposable } from '../base/disposable.ts';
import type { CloseReason, Transport } from './transport.ts';

/** The page's MessagePort, and Node's. */
export interface EventPort {
  postMessage(value: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  start(): void;
  close(): void;
}

/** Electron's MessagePortMain. */
export interface EmitterPort {
  postMessage(value: unknown): void;
  on(type: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(type: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

export interface PortTransport extends Transport {
  /** The other end is known to be gone: ends this one as broken, with a sentence why. */
  abandon(why: string): void;
}

const goodbye = { type: 'goodbye' } as const;

/** `port` is not started yet; this becomes its only reader and starts it. */
export function createPortTransport(port: EventPort | EmitterPort): PortTransport {
  const frameListeners = new Set<(frame: unknown) => void>();
  const closeListeners = new Set<(reason: CloseReason) => void>();
  /** What came before somebody listened, as on a socket that was accepted and not yet read. */
  let early: unknown[] | undefined = [];
  let ended: CloseReason | undefined;

  function end(reason: CloseReason): void {
    if (ended !== undefined) return;
    ended = reason;
    early = undefined;
    frameListeners.clear();
    for (const listener of [...closeListeners]) listener(reason);
  }

  function receive(data: unknown): void {
    if (ended !== undefined) return;
    if (isGoodbye(data)) {
      end({ kind: 'closed', message: 'closed by the other end' });
      port.close();
      return;
    }
    if (early !== undefined) {
      early.push(data);
      return;
    }
    for (const listener of [...frameListeners]) listener(data);
  }

  function closed(): void {
    end({ kind: 'error', message: 'the other end of the port is gone' });
  }

  if ('addEventListener' in port) {
    port.addEventListener('message', (event) => receive(event.data));
    port.addEventListener('close', closed);
  } else {
    port.on('message', (event) => receive(event.data));
    port.on('close', closed);
  }
  port.start();

  return {
    send(frame) {
      if (ended === undefined) port.postMessage(frame);
    },
    onFrame(listener) {
      frameListeners.add(listener);
      const waiting = early ?? [];
      early = undefined;
      for (const frame of waiting) listener(frame);
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
      if (ended !== undefined) return;
      end({ kind: 'closed', message: 'closed by this end' });
      port.postMessage(goodbye);
      port.close();
    },
    abandon(why) {
      if (ended !== undefined) return;
      end({ kind: 'error', message: why });
      port.close();
    },
  };
}

function isGoodbye(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === goodbye.type;
}
