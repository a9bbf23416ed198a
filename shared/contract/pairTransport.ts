/**
 * Two ends of one pipe in memory: for tests and for an engine in the same thread. Each frame goes through JSON, so that
 * what a socket could not carry (undefined, dates, shared references) cannot be relied on here either. Delivery is on a
 * later microtask and in order, as it would be from a socket.
 */
import { toDisposable } from '../base/disposable.ts';
import type { CloseReason, Transport } from './transport.ts';

export function createPairTransport(): readonly [Transport, Transport] {
  const left = new End();
  const right = new End();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class End implements Transport {
  peer: End | undefined;
  private readonly frameListeners = new Set<(frame: unknown) => void>();
  private readonly closeListeners = new Set<(reason: CloseReason) => void>();
  private ended: CloseReason | undefined;

  send(frame: Parameters<Transport['send']>[0]): void {
    if (this.ended !== undefined) return;
    const text = JSON.stringify(frame);
    queueMicrotask(() => this.peer?.receive(text));
  }

  onFrame(listener: (frame: unknown) => void) {
    this.frameListeners.add(listener);
    return toDisposable(() => this.frameListeners.delete(listener));
  }

  onClose(listener: (reason: CloseReason) => void) {
    const ended = this.ended;
    this.closeListeners.add(listener);
    if (ended !== undefined) {
      queueMicrotask(() => {
        if (this.closeListeners.has(listener)) listener(ended);
      });
    }
    return toDisposable(() => this.closeListeners.delete(listener));
  }

  close(): void {
    this.end({ kind: 'closed', message: 'closed by this end' });
    queueMicrotask(() => this.peer?.end({ kind: 'closed', message: 'closed by the other end' }));
  }

  private receive(text: string): void {
    if (this.ended !== undefined) return;
    for (const listener of [...this.frameListeners]) listener(JSON.parse(text));
  }

  private end(reason: CloseReason): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    this.frameListeners.clear();
    for (const listener of [...this.closeListeners]) listener(reason);
  }
}
