import type { KindModule } from '../mismatch.ts';

/** How the runner treats a vector file, by base name. Modules load only when a file of their kind is replayed. */
export type Kind =
  | { readonly replayed: true; readonly load: () => Promise<KindModule> }
  | { readonly replayed: false; readonly why: string };

export const kinds: Readonly<Record<string, Kind>> = {
  'workqueue-fakeclock': fromFile('./queueScript.ts'),
  'workqueue-virtual': fromFile('./queueScript.ts'),
  priorityqueue: fromFile('./queueScript.ts'),
  limiters: fromFile('./limiters.ts'),
  bucket: fromFile('./bucket.ts'),
  'controller-result': fromFile('./controllerResult.ts'),
  'controller-sim': fromFile('./controllerSim.ts'),
  handlers: fromFile('./handlers.ts'),
  predicates: fromFile('./predicates.ts'),
  conditions: fromFile('./conditions.ts'),
  rbac: fromFile('./rbac.ts'),
  'rbac-covers': fromFile('./rbacCovers.ts'),
  'reflector-backoff': fromFile('./reflectorBackoff.ts'),
  informer: fromFile('./informer.ts'),
  'event-correlator': { replayed: false, why: 'event aggregation is not modelled yet' },
};

function fromFile(specifier: string): Kind {
  return {
    replayed: true,
    load: async () => {
      const module: unknown = await import(specifier);
      if (typeof module === 'object' && module !== null && 'replay' in module) return module as KindModule;
      throw new Error(`kinds/${specifier.slice(2)} exports no replay()`);
    },
  };
}
