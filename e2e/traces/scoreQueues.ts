/** The shadow queue against what the operator's metrics counted, which it never saw. */
import type { CountsBetween } from '../../core/queue/runCounts.ts';
import type { Truth } from './truth.ts';

export interface QueueScore {
  readonly controller: string;
  readonly figure: 'adds' | 'retries' | 'depth';
  /** What the model states; undefined where it states nothing. */
  readonly model: { readonly lo: number; readonly hi: number } | undefined;
  readonly reported: number;
  readonly inside: boolean;
  /** Width of the interval as a share of the reported figure (of 1 where that is 0). */
  readonly width: number | undefined;
}

const figures = ['adds', 'retries', 'depth'] as const;

/** Of every queue that took at least one key. */
export function scoreQueues(
  truth: Truth,
  countsOf: (controller: string) => CountsBetween | undefined,
): readonly QueueScore[] {
  return [...truth.queues]
    .filter(([, totals]) => totals.adds > 0)
    .flatMap(([controller, totals]) => {
      const counts = countsOf(controller);
      return figures.map((figure): QueueScore => {
        const model = counts?.[figure];
        const reported = totals[figure];
        return {
          controller,
          figure,
          model,
          reported,
          inside: model !== undefined && model.lo <= reported && reported <= model.hi,
          width: model === undefined ? undefined : (model.hi - model.lo) / Math.max(1, reported),
        };
      });
    });
}
