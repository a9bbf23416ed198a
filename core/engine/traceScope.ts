/** What the extraction of evidence and the assembler of spans need to know of an operator, from its profile. */
import { structurallyEqual } from '../../shared/contract/rowTable.ts';

import type { ControllerProfile, OperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { limiterSpecFromFile, limiterStepsMs } from '../queue/limiterSpec.ts';
import type { EvidenceScope, ScopeController } from '../trace/evidenceScope.ts';
import type { ControllerKnobs } from '../trace/traceTypes.ts';
import { createControllerSources, type ResolveResource } from './controllerSources.ts';
import { groupKindName } from './groupKinds.ts';
import type { ObjectChange } from './objectIndex.ts';
import { isOfController } from './shadowSteps.ts';

export type ScopeDeps = Pick<EvidenceScope, 'stateOf'> & {
  readonly resolve: ResolveResource;
  readonly resources: () => readonly ApiResource[];
};

export function scopeOf(profile: OperatorProfile, deps: ScopeDeps): EvidenceScope {
  const controllers = profile.controllers.map((controller) => scopeController(controller, deps.resolve));
  const kinds = new Map<string, ReturnType<EvidenceScope['kindOf']>>();
  return {
    user: profile.identity.value.user,
    managers: profile.fieldManagers.value,
    controllers,
    lease: profile.lease?.value,
    kindOf(group, resource) {
      const name = groupKindName(group, resource);
      if (!kinds.has(name)) {
        const served = deps.resources().find((one) => one.group === group && one.resource === resource);
        kinds.set(
          name,
          served === undefined
            ? wellKnown(group, resource)
            : { kind: served.kind, namespaced: served.namespaced },
        );
      }
      return kinds.get(name);
    },
    stateOf: deps.stateOf,
  };
}

/** Kinds that operators write and that no watch needs to show, where discovery does not tell of them. */
function wellKnown(group: string, resource: string): ReturnType<EvidenceScope['kindOf']> {
  const known: Readonly<Record<string, string>> = {
    events: 'Event',
    leases: 'Lease',
    tokenreviews: 'TokenReview',
    subjectaccessreviews: 'SubjectAccessReview',
  };
  const kind = known[resource];
  return kind === undefined ? undefined : { kind, namespaced: group === '' || resource === 'leases' };
}

function scopeController(profile: ControllerProfile, resolve: ResolveResource): ScopeController {
  const sources = createControllerSources(profile, resolve);
  const main = resolve(profile.for.value)[0];
  const groupKind = (name: string) => {
    const resource = resolve(name)[0];
    return resource === undefined ? undefined : groupKindName(resource.group, resource.kind);
  };
  const labels = new Map<string, string>();
  for (const { resource, maps } of profile.watches.value) {
    const label = /^label (\S+)$/.exec(maps)?.[1];
    const kind = groupKind(resource);
    if (label !== undefined && kind !== undefined) labels.set(kind, label);
  }
  return {
    name: profile.name,
    forKind: sources.forKind,
    namespaced: main?.namespaced ?? true,
    owns: new Set(profile.owns.value.flatMap((name) => groupKind(name) ?? [])),
    labels,
    kinds: sources.kinds,
    wakes: (change) => sources.calls(change as ObjectChange).map(({ key }) => key),
    says: (entry) => isOfController(entry, profile, sources),
  };
}

export function knobsOf(profile: OperatorProfile, resolve: ResolveResource): readonly ControllerKnobs[] {
  return profile.controllers.map((controller) => {
    const main = resolve(controller.for.value)[0];
    const spec = limiterSpecFromFile(controller.limiter.value, controller.queue.value);
    const steps = spec.ok ? limiterStepsMs(spec.value) : [];
    return {
      controller: controller.name,
      kind: { group: main?.group ?? groupOfName(controller.for.value), kind: main?.kind ?? '' },
      namespaced: main?.namespaced ?? true,
      workers:
        controller.maxConcurrentReconciles.basis.kind === 'inferred'
          ? 0
          : controller.maxConcurrentReconciles.value,
      delayAfter: (failures) => steps[Math.min(Math.max(failures, 1), steps.length) - 1],
    };
  });
}

function groupOfName(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

/** Whether two profiles give the same evidence and the same spans. */
export function sameForTraces(a: OperatorProfile, b: OperatorProfile): boolean {
  return structurallyEqual(valuesOf(a), valuesOf(b));
}

function valuesOf(profile: OperatorProfile): unknown {
  return [
    profile.id,
    profile.identity.value,
    profile.fieldManagers.value,
    profile.lease?.value,
    profile.controllers.map((one) => [
      one.name,
      one.for.value,
      one.owns.value,
      one.watches.value,
      one.predicates.value,
      one.queue.value,
      one.limiter.value,
      one.maxConcurrentReconciles.value,
      one.maxConcurrentReconciles.basis.kind === 'inferred',
    ]),
  ];
}
