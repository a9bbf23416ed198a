import { z } from 'zod';

/*
 * `loopscope trace --json`, format 1: spans as a program reads them. Every field is always there; what is not known is null.
 * Times are RFC 3339 with milliseconds, by our clock. Promises: docs/spec/cli.md
 */

const zTime = z.iso.datetime({ precision: 3 });
const zBasisWord = z.enum(['observed', 'reported', 'inferred']);

export const zJsonWrite = z.strictObject({
  at: zTime,
  subject: z.string().regex(/^\w+\/[^/]+\/.+$/),
  verb: z.enum(['create', 'update', 'patch', 'delete', 'deletecollection']),
  subresource: z.string(),
  resourceVersion: z.string().nullable(),
  basis: zBasisWord,
});
export type JsonWrite = Readonly<z.infer<typeof zJsonWrite>>;

export const zJsonSpan = z.strictObject({
  id: z.string(),
  controller: z.string(),
  key: z.string(),
  /** The earliest it can have started and the latest it can have ended; end null while it runs. */
  start: zTime,
  end: zTime.nullable(),
  basis: zBasisWord,
  result: z.enum(['success', 'error', 'terminal', 'requeue', 'requeue-after', 'panic', 'unknown']),
  reconcileId: z.string().nullable(),
  error: z.string().nullable(),
  triggers: z
    .array(z.strictObject({ subject: z.string().nullable(), type: z.string(), text: z.string() }))
    .readonly(),
  writes: z.array(zJsonWrite).readonly(),
  next: z.strictObject({ predicted: zTime.nullable(), observed: zTime.nullable() }),
});
export type JsonSpan = Readonly<z.infer<typeof zJsonSpan>>;

export const zTraceDocument = z.strictObject({ format: z.literal(1), spans: z.array(zJsonSpan).readonly() });
