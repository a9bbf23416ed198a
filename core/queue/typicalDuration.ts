const PER_KEY = 7;
const OVERALL = 31;

/**
 * How long reconciles take, learnt from those whose start and end are known: the median of the last few of a key, or of
 * the controller while the key has none. Spans in ms. A median, because one slow call must not move the next prediction.
 */
export class TypicalDuration {
  private readonly keys = new Map<string, number[]>();
  private readonly all: number[] = [];

  observe(key: string, spanMs: number): void {
    const span = Math.max(0, spanMs);
    const own = this.keys.get(key) ?? [];
    keep(own, span, PER_KEY);
    this.keys.set(key, own);
    keep(this.all, span, OVERALL);
  }

  /** Undefined before the first observation. */
  of(key: string): number | undefined {
    return median(this.keys.get(key) ?? this.all);
  }

  /** Typical for the controller. */
  overall(): number | undefined {
    return median(this.all);
  }

  forget(key: string): void {
    this.keys.delete(key);
  }
}

function keep(list: number[], value: number, most: number): void {
  list.push(value);
  if (list.length > most) list.shift();
}

function median(list: readonly number[]): number | undefined {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
