import { type Disposable, toDisposable } from './disposable.ts';

/** A typed event with explicit subscription. Listeners run in order of subscription, synchronously. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): Disposable {
    this.listeners.add(listener);
    return toDisposable(() => this.listeners.delete(listener));
  }

  emit(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
