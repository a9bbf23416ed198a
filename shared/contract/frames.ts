/**
 * What travels on a Transport. Each direction numbers its frames from 0 without holes, so that a lost or repeated one
 * is an error and not a wrong screen. `id` is chosen by the client and names one call or one stream until its end.
 */
import { z } from 'zod';
import { ContractError, zContractErrorCode } from './errors.ts';

const zNumber = z.number().int().nonnegative();

export const zClientFrame = z.discriminatedUnion('type', [
  z.object({ n: zNumber, type: z.literal('call'), id: zNumber, name: z.string(), params: z.unknown() }),
  z.object({ n: zNumber, type: z.literal('cancel'), id: zNumber }),
  z.object({
    n: zNumber,
    type: z.literal('listen'),
    id: zNumber,
    kind: z.enum(['value', 'table']),
    name: z.string(),
    params: z.unknown(),
  }),
  z.object({ n: zNumber, type: z.literal('unlisten'), id: zNumber }),
]);
export type ClientFrame = z.infer<typeof zClientFrame>;

export const zEngineFrame = z.discriminatedUnion('type', [
  z.object({ n: zNumber, type: z.literal('reply'), id: zNumber, result: z.unknown() }),
  z.object({
    n: zNumber,
    type: z.literal('error'),
    id: zNumber,
    code: zContractErrorCode,
    message: z.string(),
  }),
  z.object({ n: zNumber, type: z.literal('item'), id: zNumber, item: z.unknown() }),
]);
export type EngineFrame = z.infer<typeof zEngineFrame>;

export type Frame = ClientFrame | EngineFrame;
/** A frame before it has its number. */
export type Unnumbered<F extends Frame> = F extends Frame ? Omit<F, 'n'> : never;

/** Checks shape and number of what arrives. Throws ContractError `malformed` or `gap`; after that the connection is over. */
export class FrameReader<F extends Frame> {
  private readonly schema: z.ZodType<F>;
  private next = 0;

  constructor(schema: z.ZodType<F>) {
    this.schema = schema;
  }

  read(raw: unknown): F {
    const parsed = this.schema.safeParse(raw);
    if (!parsed.success) {
      throw new ContractError('malformed', `a frame that is not understood: ${describeIssues(parsed.error)}`);
    }
    const frame = parsed.data;
    if (frame.n !== this.next) {
      throw new ContractError('gap', `frame ${this.next} was expected, ${frame.n} arrived`);
    }
    this.next += 1;
    return frame;
  }
}

/** The first three things wrong, in one line, without the values (they may be secret or huge). */
export function describeIssues(error: z.ZodError): string {
  const lines = error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.map(String).join('.') || 'value'}: ${issue.message}`);
  const more = error.issues.length - lines.length;
  return lines.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
