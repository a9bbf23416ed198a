import type { QueueTime } from './queueMetrics.ts';

/**
 * Moves a queue's time to `nowNs`, with every deadline on the way at its own instant, as timers fire. A time before the
 * queue's own moves nothing.
 */
export function advanceByDeadlines(
  time: QueueTime,
  nowNs: bigint,
  nextDeadlineNs: () => bigint | undefined,
  fire: () => void,
): void {
  for (let next = nextDeadlineNs(); next !== undefined && next <= nowNs; next = nextDeadlineNs()) {
    if (next > time.nowNs) time.nowNs = next;
    fire();
  }
  if (nowNs > time.nowNs) time.nowNs = nowNs;
}
