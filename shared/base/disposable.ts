/** Something that was started and can be stopped. `dispose` is idempotent and never throws. */
export interface Disposable {
  dispose(): void;
}

/** Makes a function a Disposable that runs at most once. */
export function toDisposable(stop: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      stop();
    },
  };
}

/** Owns what was started; disposes in reverse order. Adding to a disposed store disposes at once. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    for (let item = this.items.pop(); item !== undefined; item = this.items.pop()) item.dispose();
  }
}
