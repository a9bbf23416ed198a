import { createRateLimiter } from '../../../core/queue/rateLimiter.ts';
import { limiterSpec, type VectorLimiter } from '../limiterSpec.ts';
import { compare, type Mismatch, ns } from '../mismatch.ts';

interface Script {
  readonly id: string;
  readonly limiter: VectorLimiter;
  readonly ops: readonly {
    readonly op: 'when' | 'forget' | 'numRequeues' | 'advance';
    readonly item?: string;
    readonly byNs?: number | string;
    readonly delayNs?: number | string;
    readonly numRequeues?: number;
  }[];
}

/** limiters: calls of one rate limiter on virtual time. */
export function replay(line: unknown): readonly Mismatch[] {
  const script = line as Script;
  const limiter = createRateLimiter<string>(limiterSpec(script.limiter));
  const mismatches: Mismatch[] = [];
  let nowNs = 0n;
  for (const [op, step] of script.ops.entries()) {
    const item = step.item ?? '';
    let delayNs = 0n;
    if (step.op === 'when') delayNs = limiter.when(item, nowNs);
    else if (step.op === 'forget') limiter.forget(item);
    else if (step.op === 'advance') nowNs += ns(step.byNs);
    else if (step.op !== 'numRequeues') throw new Error(`unknown op ${JSON.stringify(step.op)}`);
    const numRequeues = step.op === 'advance' ? 0 : limiter.numRequeues(item);
    const expected = { delayNs: ns(step.delayNs), numRequeues: step.numRequeues };
    compare(mismatches, { id: script.id, op, what: step.op }, expected, { delayNs, numRequeues });
  }
  return mismatches;
}
