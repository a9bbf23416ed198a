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

export interface BasisCounts {
  readonly observed: number;
  readonly inferred: number;
  /** Set by the user: by an edit or in a profile file. */
  readonly set: number;
}

/** How many entries of a profile are observed, only inferred, or set by the user. */
export function countBasis(profile: OperatorProfile): BasisCounts {
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
  const set = entries.filter((entry) => entry.edited === true).length;
  const inferred = entries.filter((entry) => entry.basis.kind === 'inferred' && entry.edited !== true).length;
  return { observed: entries.length - inferred - set, inferred, set };
}
