/** Conditions and owners of the invented incident. */
import type { ConditionsView, OwnershipView } from '../../../shared/contract/views/structure.ts';
import { objects } from './objectRefs.ts';

export function conditionsOf(key: string): ConditionsView {
  return { object: objects(key), detail: 'full', tracks: [] };
}

export function ownershipOf(key: string): OwnershipView {
  return {
    object: objects(key),
    known: true,
    nodes: [],
    edges: [],
    folded: [],
    holds: [],
    problems: [],
    unreadable: [],
  };
}
