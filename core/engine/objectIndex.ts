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

/** Where the newest state of an object lies: most changes put another there and touch no map. */
interface Place {
  now: ObjectState;
}

function* statesOf(places: Iterable<Place>): Iterable<ObjectState> {
  for (const { now } of places) yield now;
}

export function createObjectIndex(): ObjectIndex {
  const byKey = new Map<ObjectKey, Place>();
  const byKind = new Map<string, Map<ObjectKey, Place>>();
  let alive = 0;

  function kindMap({ group, kind }: ObjectFact): Map<ObjectKey, Place> {
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
      const place = byKey.get(fact.key);
      const before = place?.now;
      const deleted = fact.op === 'deleted' || fact.op === 'vanished';
      const now: ObjectState = { fact, versions: (before?.versions ?? 0) + 1, deleted };
      if (place === undefined) {
        const made = { now };
        byKey.set(fact.key, made);
        if (!deleted) kindMap(fact).set(fact.key, made);
      } else {
        place.now = now;
        if (deleted !== before?.deleted) {
          if (deleted) kindMap(fact).delete(fact.key);
          else kindMap(fact).set(fact.key, place);
        }
      }
      if (before !== undefined && !before.deleted) alive--;
      if (!deleted) alive++;
      return { before, now };
    },
    get: (key) => byKey.get(key)?.now,
    ofKind: (group, kind) => statesOf(byKind.get(groupKindName(group, kind))?.values() ?? []),
    all: () => statesOf(byKey.values()),
    get size() {
      return alive;
    },
  };
}
