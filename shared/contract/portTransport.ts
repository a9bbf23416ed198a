/**
 * A Transport over a MessagePort: the page's own kind (DOM), Node's, and Electron's MessagePortMain, which is an
 * emitter whose messages wait until `start()`. Frames cross as plain cloneable values, no port is ever transferred.
 *
 * A port tells little of the other end's death: newer ones fire `close`, older ones fall silent. So close() says goodbye
 * first, and whoever learns of the death otherwise (the shell saw the engine's process end) calls abandon().
 */
import type { Transport } from './transport.ts';
import { createTransportListeners } from './transportListeners.ts';

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
  const listeners = createTransportListeners();
  /** What came before somebody listened, as on a socket that was accepted and not yet read. */
  let early: unknown[] | undefined = [];

  function receive(data: unknown): void {
    if (listeners.ended) return;
    if (isGoodbye(data)) {
      listeners.end({ kind: 'closed', message: 'closed by the other end' });
      port.close();
      return;
    }
    if (early === undefined) listeners.deliver(data);
    else early.push(data);
  }

  function closed(): void {
    listeners.end({ kind: 'error', message: 'the other end of the port is gone' });
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
      if (!listeners.ended) port.postMessage(frame);
    },
    onFrame(listener) {
      const listening = listeners.onFrame(listener);
      const waiting = listeners.ended ? [] : (early ?? []);
      early = undefined;
      for (const frame of waiting) listener(frame);
      return listening;
    },
    onClose: listeners.onClose,
    close() {
      if (listeners.ended) return;
      listeners.end({ kind: 'closed', message: 'closed by this end' });
      port.postMessage(goodbye);
      port.close();
    },
    abandon(why) {
      if (listeners.ended) return;
      listeners.end({ kind: 'error', message: why });
      port.close();
    },
  };
}

function isGoodbye(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === goodbye.type;
}
