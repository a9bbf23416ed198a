import { type Disposable, toDisposable } from './disposable.ts';

/** A typed event with explicit subscription. Listeners run in order of subscription, synchronously. */
export class Emitter<T> implements Disposable {
  /** Never changed in place: an emit goes through those there were when it began, and most emits find one or two. */
  private listeners: readonly ((value: T) => void)[] = [];

  on(listener: (value: T) => void): Disposable {
    if (!this.listeners.includes(listener)) this.listeners = [...this.listeners, listener];
    return toDisposable(() => {
      this.listeners = this.listeners.filter((one) => one !== listener);
    });
  }

  emit(value: T): void {
    for (const listener of this.listeners) listener(value);
  }

  dispose(): void {
    this.listeners = [];
  }
}
