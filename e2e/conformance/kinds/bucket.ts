import { delayFrom, type Reservation, TokenBucket } from '../../../core/queue/tokenBucket.ts';
import { compare, type Mismatch, ns } from '../mismatch.ts';

interface Script {
  readonly id: string;
  readonly qps?: number;
  readonly burst?: number;
  readonly ops: readonly Step[];
}

interface Step {
  readonly op: 'reserve' | 'allow' | 'cancel' | 'setLimit' | 'setBurst' | 'tokens';
  readonly atNs?: number | string;
  readonly n?: number;
  readonly ref?: number;
  readonly limit?: number;
  readonly burst?: number;
  readonly ok?: boolean;
  readonly delayNs?: number | string;
  readonly tokens?: number;
}

/** bucket: one rate.Limiter on explicit times; tokens compare exactly. */
export function replay(line: unknown): readonly Mismatch[] {
  const script = line as Script;
  const bucket = new TokenBucket(script.qps ?? 0, script.burst ?? 0);
  const reservations = new Map<number, Reservation>();
  const mismatches: Mismatch[] = [];
  for (const [op, step] of script.ops.entries()) {
    const atNs = ns(step.atNs);
    const answer = apply(bucket, reservations, op, step, atNs);
    const expected = { ok: step.ok, delayNs: ns(step.delayNs), tokens: step.tokens };
    compare(mismatches, { id: script.id, op, what: step.op }, expected, {
      ...answer,
      tokens: bucket.tokensAt(atNs),
    });
  }
  return mismatches;
}

function apply(
  bucket: TokenBucket,
  reservations: Map<number, Reservation>,
  op: number,
  step: Step,
  atNs: bigint,
): { readonly ok?: boolean; readonly delayNs?: bigint } {
  switch (step.op) {
    case 'reserve': {
      const reservation = bucket.reserve(atNs, step.n ?? 0);
      reservations.set(op, reservation);
      return { ok: reservation.ok, delayNs: delayFrom(reservation, atNs) };
    }
    case 'allow':
      return { ok: bucket.allow(atNs, step.n ?? 0) };
    case 'cancel': {
      const reservation = reservations.get(step.ref ?? 0);
      if (reservation === undefined)
        throw new Error(`op ${op} cancels op ${step.ref}, which is no reservation`);
      bucket.cancel(reservation, atNs);
      return {};
    }
    case 'setLimit':
      bucket.setLimit(atNs, step.limit ?? 0);
      return {};
    case 'setBurst':
      bucket.setBurst(atNs, step.burst ?? 0);
      return {};
    case 'tokens':
      return {};
    default:
      throw new Error(`unknown op ${JSON.stringify(step)}`);
  }
}
