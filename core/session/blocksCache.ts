/** A cache that holds at most `capacity` of weight and forgets what was used longest ago. */
export class LruCache<K, V> {
  private readonly entries = new Map<K, { readonly value: V; readonly weight: number }>();
  private readonly capacity: number;
  private held = 0;
  /** Used last, as most are used many times in a row: no look-up then. */
  private last: { readonly key: K; readonly value: V } | undefined;

  /** `capacity` and weights: any unit, bytes or pieces. */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Sum of the weights held. */
  get weight(): number {
    return this.held;
  }

  get(key: K): V | undefined {
    if (this.last !== undefined && this.last.key === key) return this.last.value;
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.last = { key, value: entry.value };
    // A Map keeps the order of insertion: what is used moves to the end.
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Keeps `value`; one heavier than the whole cache is kept alone, until the next. */
  set(key: K, value: V, weight = 1): void {
    this.delete(key);
    this.entries.set(key, { value, weight });
    this.last = { key, value };
    this.held += weight;
    for (const oldest of this.entries.keys()) {
      if (this.held <= this.capacity || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.held -= entry.weight;
    if (this.last?.key === key) this.last = undefined;
  }
}
