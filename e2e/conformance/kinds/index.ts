import type { KindModule } from '../mismatch.ts';

/** Vector files by base name, and what replays them. A module loads only when a file of its kind is replayed. */
export const kinds: Readonly<Record<string, () => Promise<KindModule>>> = {
  'workqueue-fakeclock': () => import('./queueScript.ts'),
  'workqueue-virtual': () => import('./queueScript.ts'),
  priorityqueue: () => import('./queueScript.ts'),
  limiters: () => import('./limiters.ts'),
  bucket: () => import('./bucket.ts'),
  'controller-result': () => import('./controllerResult.ts'),
  'controller-sim': () => import('./controllerSim.ts'),
  handlers: () => import('./handlers.ts'),
  predicates: () => import('./predicates.ts'),
  conditions: () => import('./conditions.ts'),
  rbac: () => import('./rbac.ts'),
  'rbac-covers': () => import('./rbacCovers.ts'),
  'reflector-backoff': () => import('./reflectorBackoff.ts'),
  informer: () => import('./informer.ts'),
  'event-correlator': () => import('./eventCorrelator.ts'),
};
