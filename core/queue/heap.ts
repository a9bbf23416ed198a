/** An element knows its place, so that it can be moved or removed. −1: not in a heap. */
export interface HeapItem {
  index: number;
}

/**
 * Go's container/heap, ported literally: elements that compare equal leave in the order that these swaps give, not in
 * the order they came, and client-go's delaying queue shows that order. Spec: docs/spec/workqueue.md [DQ5].
 */
export class Heap<T extends HeapItem> {
  private readonly items: T[] = [];
  private readonly less: (a: T, b: T) => boolean;

  constructor(less: (a: T, b: T) => boolean) {
    this.less = less;
  }

  get size(): number {
    return this.items.length;
  }

  /** The smallest element, which stays. */
  peek(): T | undefined {
    return this.items[0];
  }

  /** All elements, in heap order (not sorted). */
  values(): readonly T[] {
    return this.items;
  }

  push(item: T): void {
    item.index = this.items.length;
    this.items.push(item);
    this.up(item.index);
  }

  pop(): T | undefined {
    const last = this.items.length - 1;
    if (last < 0) return undefined;
    this.swap(0, last);
    this.down(0, last);
    return this.dropLast();
  }

  /** Restores the order after the key of `item` changed: down, and only if it did not move, up. */
  fix(item: T): void {
    if (!this.down(item.index, this.items.length)) this.up(item.index);
  }

  remove(item: T): void {
    const last = this.items.length - 1;
    const at = item.index;
    if (at !== last) {
      this.swap(at, last);
      if (!this.down(at, last)) this.up(at);
    }
    this.dropLast();
  }

  private dropLast(): T | undefined {
    const item = this.items.pop();
    if (item !== undefined) item.index = -1;
    return item;
  }

  private up(from: number): void {
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.lessAt(child, parent)) return;
      this.swap(parent, child);
      child = parent;
    }
  }

  private down(from: number, end: number): boolean {
    let parent = from;
    for (;;) {
      const left = 2 * parent + 1;
      if (left >= end) break;
      const right = left + 1;
      const child = right < end && this.lessAt(right, left) ? right : left;
      if (!this.lessAt(child, parent)) break;
      this.swap(parent, child);
      parent = child;
    }
    return parent > from;
  }

  private lessAt(a: number, b: number): boolean {
    const [left, right] = [this.items[a], this.items[b]];
    return left !== undefined && right !== undefined && this.less(left, right);
  }

  private swap(a: number, b: number): void {
    const [left, right] = [this.items[a], this.items[b]];
    if (left === undefined || right === undefined) return;
    this.items[a] = right;
    this.items[b] = left;
    right.index = a;
    left.index = b;
  }
}
