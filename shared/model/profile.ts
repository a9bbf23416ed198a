import { z } from 'zod';
import { zBasis } from './basis.ts';
import { zLimiterFile } from './limiter.ts';

/** A value and how it is known. An edit by the user has basis observed/file with `edited` set. */
function known<T extends z.ZodType>(value: T) {
  return z.object({ value, basis: zBasis, why: z.string(), edited: z.boolean().optional() });
}
export interface Known<T> {
  readonly value: T;
  readonly basis: z.infer<typeof zBasis>;
  /** One sentence: what it rests on. */
  readonly why: string;
  readonly edited?: boolean | undefined;
}

export const zWatchMapping = z.object({
  /** `resource.group`, core without the dot. */
  resource: z.string(),
  /** `owner` (any ownerReference), `ownerController` (controller=true), `self`, or `label <key>` (value = name or ns/name). */
  maps: z.string(),
});

export const zPredicateName = z.enum([
  'generationChanged',
  'resourceVersionChanged',
  'labelChanged',
  'annotationChanged',
]);

/** What the shadow queue needs to know of one controller. Resources as `resource.group`. */
export const zControllerProfile = z.object({
  name: z.string(),
  for: known(z.string()),
  owns: known(z.array(z.string()).readonly()),
  watches: known(z.array(zWatchMapping).readonly()),
  predicates: known(z.array(zPredicateName).readonly()),
  queue: known(z.enum(['priority', 'classic'])),
  /** `{type: default}` means the default of the queue kind. */
  limiter: known(zLimiterFile),
  maxConcurrentReconciles: known(z.number().int().positive()),
});
export type ControllerProfile = Readonly<z.infer<typeof zControllerProfile>>;

/** Who the operator is: a ServiceAccount, or a user for one run locally. */
export const zIdentity = z.object({
  /** `system:serviceaccount:ns:name` or a user name. */
  user: z.string(),
  groups: z.array(z.string()).readonly(),
  serviceAccount: z.object({ namespace: z.string(), name: z.string() }).optional(),
});
export type Identity = Readonly<z.infer<typeof zIdentity>>;

export const zOperatorProfile = z.object({
  id: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
  /** `Deployment/ns/name` of the workload, absent for an operator run locally. */
  workload: known(z.string()).optional(),
  image: z.string().optional(),
  identity: known(zIdentity),
  fieldManagers: known(z.array(z.string()).readonly()),
  controllers: z.array(zControllerProfile).readonly(),
  /** Resources (`resource.group`) whose status this operator is known to own: its `For` kinds. */
  lease: known(z.string()).optional(),
});
export type OperatorProfile = Readonly<z.infer<typeof zOperatorProfile>>;

/** `loopscope.yaml`, format 1 (design, "Operator profile"). Unknown fields are errors. */
export const zProfileFile = z.strictObject({
  format: z.literal(1),
  operator: z
    .strictObject({
      name: z.string().optional(),
      namespace: z.string().optional(),
      workload: z.string().optional(),
      serviceAccount: z.string().optional(),
      user: z.string().optional(),
      fieldManagers: z.array(z.string()).optional(),
    })
    .optional(),
  sources: z.strictObject({ log: z.string().optional(), metrics: z.string().optional() }).optional(),
  controllers: z
    .array(
      z.strictObject({
        name: z.string(),
        for: z.string(),
        owns: z.array(z.string()).optional(),
        watches: z.array(z.strictObject({ resource: z.string(), maps: z.string() })).optional(),
        predicates: z.array(zPredicateName).optional(),
        queue: z.enum(['priority', 'classic']).optional(),
        limiter: zLimiterFile.optional(),
        maxConcurrentReconciles: z.number().int().positive().optional(),
      }),
    )
    .optional(),
  conditions: z
    .strictObject({
      polarity: z.record(z.string(), z.enum(['positive', 'negative'])).optional(),
      reasons: z.array(z.string()).optional(),
    })
    .optional(),
});
export type ProfileFile = z.infer<typeof zProfileFile>;
