/** The newest `capacity` items, oldest first. What falls out is gone: rings are for charts, not for records. */
export class Ring<T> {
  private readonly capacity: number;
  private items: T[] = [];

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  push(item: T): void {
    this.items.push(item);
    if (this.items.length >= 2 * this.capacity) this.items = this.items.slice(-this.capacity);
  }

  /** Overwrites the newest item, if there is one. */
  replaceLast(item: T): void {
    if (this.items.length > 0) this.items[this.items.length - 1] = item;
  }

  last(): T | undefined {
    return this.items.at(-1);
  }

  values(): readonly T[] {
    return this.items.slice(-this.capacity);
  }

  clear(): void {
    this.items = [];
  }
}
