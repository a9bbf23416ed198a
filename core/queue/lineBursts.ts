/** zap's production logger keeps the first 100 lines of one message in a second and drops most of the rest. */
const LINES = 100;
const WINDOW_MS = 1_050;

/**
 * LineBursts: notices that a log may have dropped error lines, from how many of them came in a second. What was dropped
 * leaves a distance between two lines that is the sum of several delays. Times in ms. Spec: docs/spec/shadowQueue.md [SF8].
 */
export class LineBursts {
  private readonly times: number[] = [];
  private burstAtMs: number | undefined;

  /** An error line of any key. */
  note(atMs: number): void {
    this.times.push(atMs);
    if (this.times.length > LINES) this.times.shift();
    const first = this.times[0];
    if (this.times.length === LINES && first !== undefined && atMs - first <= WINDOW_MS)
      this.burstAtMs = atMs;
  }

  /** Whether lines of a key may be missing between two of its lines. */
  between(olderMs: number | undefined, newerMs: number): boolean {
    const { burstAtMs } = this;
    return burstAtMs !== undefined && olderMs !== undefined && olderMs <= burstAtMs && newerMs > burstAtMs;
  }
}
