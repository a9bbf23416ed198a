/**
 * ObjectIndex: the newest fact of every object seen, by key and by kind. Folds facts, keeps no payload; the payload of
 * a version is in the session log under its seq.
 */

import type { ObjectKey } from '../../shared/model/ids.ts';
import type { ObjectFact } from '../session/facts.ts';
import { groupKindName } from './groupKinds.ts';

export interface ObjectState {
  readonly fact: ObjectFact;
  readonly versions: number;
  readonly deleted: boolean;
}

export interface ObjectChange {
  /** The state before, also when it was deleted. */
  readonly before: ObjectState | undefined;
  readonly now: ObjectState;
}

export interface ObjectIndex {
  apply(fact: ObjectFact): ObjectChange;
  get(key: ObjectKey): ObjectState | undefined;
  /** Objects that exist now, in no particular order. */
  ofKind(group: string, kind: string): Iterable<ObjectState>;
  all(): Iterable<ObjectState>;
  readonly size: number;
}

export function createObjectIndex(): ObjectIndex {
  const byKey = new Map<ObjectKey, ObjectState>();
  const byKind = new Map<string, Map<ObjectKey, ObjectState>>();
  let alive = 0;

  function kindMap(group: string, kind: string): Map<ObjectKey, ObjectState> {
    const id = groupKindName(group, kind);
    let map = byKind.get(id);
    if (map === undefined) {
      map = new Map();
      byKind.set(id, map);
    }
    return map;
  }

  return {
    apply(fact) {
      const before = byKey.get(fact.key);
      const deleted = fact.op === 'deleted' || fact.op === 'vanished';
      const now: ObjectState = { fact, versions: (before?.versions ?? 0) + 1, deleted };
      byKey.set(fact.key, now);
      const kind = kindMap(fact.group, fact.kind);
      if (deleted) kind.delete(fact.key);
      else kind.set(fact.key, now);
      if (before !== undefined && !before.deleted) alive--;
      if (!deleted) alive++;
      return { before, now };
    },
    get: (key) => byKey.get(key),
    ofKind: (group, kind) => byKind.get(groupKindName(group, kind))?.values() ?? [],
    all: () => byKey.values(),
    get size() {
      return alive;
    },
  };
}
