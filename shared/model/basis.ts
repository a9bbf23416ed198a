import { z } from 'zod';

/**
 * How a statement is known. observed: the API server said it. reported: the operator said it.
 * inferred: the model concludes it, by a named rule, from the records listed (seq numbers).
 */
export const zBasis = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('observed'), from: z.enum(['watch', 'audit', 'file', 'review']) }),
  z.object({ kind: z.literal('reported'), from: z.enum(['log', 'metrics', 'event']) }),
  z.object({ kind: z.literal('inferred'), by: z.string(), because: z.array(z.number()).readonly() }),
]);
export type Basis = Readonly<z.infer<typeof zBasis>>;
