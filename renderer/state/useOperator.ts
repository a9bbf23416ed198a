import type { ControllerProfile, OperatorProfile } from '../../shared/model/profile.ts';
import { useValueOf } from '../client/useEngine.tsx';
import { useWindow } from './useWindow.tsx';

export function useProfile(): OperatorProfile | undefined {
  return useValueOf('operators', {}, (s) => s.value?.profile);
}

/** The controller the window looks at: the chosen one while the profile has it, else the first. */
export function useController(): ControllerProfile | undefined {
  const profile = useProfile();
  const chosen = useWindow((s) => s.controller);
  return profile?.controllers.find((c) => c.name === chosen) ?? profile?.controllers[0];
}

/** How many entries of a profile are observed or edited, and how many only inferred. */
export function countBasis(profile: OperatorProfile): { readonly known: number; readonly inferred: number } {
  const entries = [
    profile.workload,
    profile.identity,
    profile.fieldManagers,
    profile.lease,
    ...profile.controllers.flatMap((c) => [
      c.for,
      c.owns,
      c.watches,
      c.predicates,
      c.queue,
      c.limiter,
      c.maxConcurrentReconciles,
    ]),
  ].filter((entry) => entry !== undefined);
  const inferred = entries.filter((entry) => entry.basis.kind === 'inferred' && entry.edited !== true).length;
  return { known: entries.length - inferred, inferred };
}
