/** The shadow queue against what the operator's metrics counted, which it never saw. */
import type { ModelCheck } from '../../shared/contract/views/traces.ts';
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
export function scoreQueues(truth: Truth, checks: readonly ModelCheck[]): readonly QueueScore[] {
  return [...truth.queues]
    .filter(([, totals]) => totals.adds > 0)
    .flatMap(([controller, totals]) => {
      const check = checks.find((one) => one.controller === controller);
      return figures.map((figure): QueueScore => {
        const model = check?.rows.find(({ name }) => name === figure)?.model;
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
