/**
 * RealFifo: deltas between Reflector and cache, strictly in the order of events. Mirrors client-go
 * tools/cache/the_real_fifo.go with atomic events (the default since 1.36): a replacement is one `ReplacedAll` delta,
 * a resync one `SyncAll`, so a reader sees the whole of either or nothing.
 * Invariants  1. deltas leave in the order they came, one at a time; none is merged or dropped
 *             2. `hasSynced` turns true once, when the first batch (the initial list, or nothing if a single delta came
 *                first) has been popped; a delta popped before that is in the initial list
 * Pure: holds no timers, blocks nobody; whoever pushes is told by `onPushed`. Spec: docs/spec/informer.md
 */
import { assert } from '../../shared/base/assert.ts';
import type { ItemHead } from '../source/listerWatcher.ts';

export type Delta<T extends ItemHead> =
  | { readonly type: 'added' | 'updated' | 'deleted'; readonly item: T }
  | { readonly type: 'replacedAll'; readonly items: readonly T[]; readonly resourceVersion: string }
  | { readonly type: 'syncAll' }
  | { readonly type: 'bookmark'; readonly resourceVersion: string };

export class RealFifo<T extends ItemHead> {
  private readonly deltas: Delta<T>[] = [];
  private populated = false;
  private initialCount = 0;
  private synced = false;
  private popping = false;

  get length(): number {
    return this.deltas.length;
  }

  get hasSynced(): boolean {
    return this.synced;
  }

  push(delta: Delta<T>): void {
    if (delta.type === 'added' || delta.type === 'updated' || delta.type === 'deleted') {
      this.populated = true;
      this.checkSynced();
    }
    this.deltas.push(delta);
    if (delta.type === 'replacedAll' && !this.populated) {
      this.populated = true;
      this.initialCount = this.deltas.length;
      this.checkSynced();
    }
  }

  /**
   * Hands the oldest delta to `process`, with whether it belongs to the initial list; false when there is none.
   * The initial list counts as processed when `process` has returned.
   */
  pop(process: (delta: Delta<T>, isInInitialList: boolean) => void): boolean {
    assert(!this.popping, 'RealFifo.pop is not re-entrant');
    const delta = this.deltas.shift();
    if (delta === undefined) return false;
    this.popping = true;
    try {
      process(delta, !this.synced);
    } finally {
      this.popping = false;
      if (this.initialCount > 0) {
        this.initialCount--;
        this.checkSynced();
      }
    }
    return true;
  }

  private checkSynced(): void {
    if (this.populated && this.initialCount === 0) this.synced = true;
  }
}
