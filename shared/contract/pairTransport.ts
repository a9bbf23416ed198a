/**
 * Two ends of one pipe in memory: for tests and for an engine in the same thread. Each frame goes through JSON, so that
 * what a socket could not carry (undefined, dates, shared references) cannot be relied on here either. Delivery is on a
 * later microtask and in order, as it would be from a socket.
 */
import type { Transport } from './transport.ts';
import { createTransportListeners } from './transportListeners.ts';

export function createPairTransport(): readonly [Transport, Transport] {
  const left = new End();
  const right = new End();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class End implements Transport {
  peer: End | undefined;
  private readonly listeners = createTransportListeners();
  readonly onFrame = this.listeners.onFrame;
  readonly onClose = this.listeners.onClose;

  send(frame: Parameters<Transport['send']>[0]): void {
    if (this.listeners.ended) return;
    const text = JSON.stringify(frame);
    queueMicrotask(() => this.peer?.receive(text));
  }

  close(): void {
    this.listeners.end({ kind: 'closed', message: 'closed by this end' });
    queueMicrotask(() => this.peer?.listeners.end({ kind: 'closed', message: 'closed by the other end' }));
  }

  private receive(text: string): void {
    if (!this.listeners.ended) this.listeners.deliver(JSON.parse(text));
  }
}
