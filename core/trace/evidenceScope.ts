/**
 * EvidenceScope: what the extraction of evidence knows of the operator under debug, and where an object belongs: the keys
 * of which controllers an object, its owners or its labels name. Pure.
 */
import type { Writer } from '../../shared/contract/views/objects.ts';
import { groupOf, type ObjectKey, objectKey, reconcileKey } from '../../shared/model/ids.ts';
import type { ObjectMeta } from '../../shared/model/kube.ts';
import type { ObjectFact } from '../session/facts.ts';
import type { LogEntry } from '../source/log/logEntry.ts';
import { parseLogTime } from '../source/log/logTime.ts';

/** A version of an object and the one before, as the object index tells it. */
export interface VersionChange {
  readonly before: { readonly fact: ObjectFact; readonly deleted: boolean } | undefined;
  readonly now: { readonly fact: ObjectFact; readonly deleted: boolean };
}

export interface ScopeController {
  readonly name: string;
  readonly forKind: { readonly group: string; readonly kind: string } | undefined;
  readonly namespaced: boolean;
  /** `group/Kind` of owned kinds. */
  readonly owns: ReadonlySet<string>;
  /** Labels that name its keys, by `group/Kind` of what carries them. */
  readonly labels: ReadonlyMap<string, string>;
  /** `group/Kind` of all it watches. */
  readonly kinds: ReadonlySet<string>;
  /** Keys that its handlers would put into the queue. */
  wakes(change: VersionChange): readonly string[];
  /** It says this line. */
  says(entry: LogEntry): boolean;
}

export interface EvidenceScope {
  /** User name of its identity, as audit names it. */
  readonly user: string;
  readonly managers: readonly string[];
  readonly controllers: readonly ScopeController[];
  /** `namespace/name` of its Lease. */
  readonly lease: string | undefined;
  /** Kind behind a resource of an audited request; undefined where it is not served. */
  kindOf(
    group: string,
    resource: string,
  ): { readonly kind: string; readonly namespaced: boolean } | undefined;
  /** Newest version known of an object, also of one that was deleted. */
  stateOf(key: ObjectKey): ObjectFact | undefined;
}

export interface ObjectPlace {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Placed {
  readonly controller: string;
  readonly key: string;
  readonly by: 'self' | 'owner' | 'label';
}

export interface Placement {
  readonly placed: Placed | undefined;
  /** Others that reconcile the same key and may as well have written it; none where something names the controller. */
  readonly rivals: readonly Placed[];
  /** Owners of whom nothing is known yet: the answer may change when they come. */
  readonly waitsFor: readonly ObjectKey[];
}

/** What a write did, as far as it tells two controllers of one operator apart. */
export interface WriteHint {
  readonly manager: string | undefined;
  /** The object is made, or its spec changes: done by who owns it rather than by who reconciles it. */
  readonly asOwner: boolean;
}

/** Owners of owners: no chain of real objects is longer. */
const longestChain = 6;

export class Scope {
  readonly given: EvidenceScope;
  private readonly byManager = new Map<string, string | undefined>();
  private readonly own = new Map<string, boolean>();
  /** Controllers by kind and group: asked for with every version. */
  private readonly byKind = new Map<string, Map<string, readonly ScopeController[]>>();

  constructor(given: EvidenceScope) {
    this.given = given;
  }

  /**
   * One of the operator's names in managedFields: those of the profile, and names made of one of them and the name of a
   * controller (`<manager>-<controller>`), as operators have them that give each controller a client of its own.
   */
  isOwn(manager: string): boolean {
    let answer = this.own.get(manager);
    if (answer === undefined) {
      answer =
        this.given.managers.includes(manager) ||
        (this.given.managers.some((one) => manager.startsWith(`${one}-`)) &&
          this.controllerOf(manager) !== undefined);
      this.own.set(manager, answer);
    }
    return answer;
  }

  /** The controller that a field manager, or the first word of a user agent, names. */
  controllerOf(manager: string): string | undefined {
    if (!this.byManager.has(manager)) this.byManager.set(manager, this.namedBy(manager));
    return this.byManager.get(manager);
  }

  private namedBy(manager: string): string | undefined {
    const names = this.given.controllers.map(({ name }) => name).sort((a, b) => b.length - a.length);
    if (names.length < 2 && !names.includes(manager)) return undefined;
    return names.find(
      (name) =>
        manager === name ||
        manager === `${name}-controller` ||
        manager.endsWith(`-${name}`) ||
        manager.endsWith(`-${name}-controller`),
    );
  }

  /** Controllers that reconcile objects of this kind. */
  reconciling(group: string, kind: string): readonly ScopeController[] {
    let kinds = this.byKind.get(kind);
    if (kinds === undefined) {
      kinds = new Map();
      this.byKind.set(kind, kinds);
    }
    let found = kinds.get(group);
    if (found === undefined) {
      found = this.given.controllers.filter(
        ({ forKind }) => forKind?.kind === kind && forKind.group === group,
      );
      kinds.set(group, found);
    }
    return found;
  }

  /** The keys an object belongs to, the best answer. `meta`: of the version in question, or of the newest known. */
  place(object: ObjectPlace, meta: ObjectMeta | undefined, hint: WriteHint): Placement {
    const waitsFor: ObjectKey[] = [];
    const found: Placed[] = [];
    for (const { name } of this.reconciling(object.group, object.kind))
      found.push({ controller: name, key: reconcileKey(object.namespace, object.name), by: 'self' });
    if (meta?.ownerReferences !== undefined)
      this.climb(object.namespace, meta, found, waitsFor, new Set(), 0);
    if (meta?.labels !== undefined) this.labelled(object, meta, found);
    const placed = this.best(found, object, hint);
    return { placed, rivals: this.rivals(placed, found, object, hint), waitsFor };
  }

  /** Nearest owners first; controller references before others. */
  private climb(
    namespace: string,
    meta: ObjectMeta | undefined,
    found: Placed[],
    waitsFor: ObjectKey[],
    seen: Set<string>,
    depth: number,
  ): void {
    const references = meta?.ownerReferences ?? [];
    if (references.length === 0 || depth >= longestChain) return;
    const inOrder = [
      ...references.filter(({ controller }) => controller === true),
      ...references.filter(({ controller }) => controller !== true),
    ];
    const next: { readonly namespace: string; readonly meta: ObjectMeta }[] = [];
    for (const { apiVersion, kind, name } of inOrder) {
      const group = groupOf(apiVersion);
      const controllers = this.reconciling(group, kind);
      for (const controller of controllers)
        found.push({
          controller: controller.name,
          key: reconcileKey(controller.namespaced ? namespace : '', name),
          by: 'owner',
        });
      if (controllers.length > 0) continue;
      const key = objectKey({ group, kind, namespace, name });
      if (seen.has(key)) continue;
      seen.add(key);
      const owner =
        this.given.stateOf(key) ?? this.given.stateOf(objectKey({ group, kind, namespace: '', name }));
      if (owner === undefined) waitsFor.push(key);
      else next.push({ namespace: owner.namespace, meta: owner.meta });
    }
    for (const one of next) this.climb(one.namespace, one.meta, found, waitsFor, seen, depth + 1);
  }

  private labelled(object: ObjectPlace, meta: ObjectMeta | undefined, found: Placed[]): void {
    for (const { name, labels, namespaced } of this.given.controllers) {
      const label = labels.get(`${object.group}/${object.kind}`);
      const value = label === undefined ? undefined : meta?.labels?.[label];
      if (value === undefined || value === '') continue;
      const key = value.includes('/') ? value : reconcileKey(namespaced ? object.namespace : '', value);
      found.push({ controller: name, key, by: 'label' });
    }
  }

  private rivals(
    placed: Placed | undefined,
    found: readonly Placed[],
    object: ObjectPlace,
    hint: WriteHint,
  ): readonly Placed[] {
    if (placed === undefined || found.length < 2) return [];
    if (hint.manager !== undefined && this.controllerOf(hint.manager) === placed.controller) return [];
    const owns = (name: string) =>
      this.given.controllers.some(
        (one) => one.name === name && one.owns.has(`${object.group}/${object.kind}`),
      );
    // Who owns the kind made the child of a key, and no other that reconciles it too.
    return found.filter(
      ({ controller, key, by }) =>
        key === placed.key &&
        by === placed.by &&
        controller !== placed.controller &&
        (by === 'self' || owns(controller) === owns(placed.controller)),
    );
  }

  private best(found: readonly Placed[], object: ObjectPlace, hint: WriteHint): Placed | undefined {
    if (found.length < 2) return found[0];
    const named = hint.manager === undefined ? undefined : this.controllerOf(hint.manager);
    const byName = named === undefined ? [] : found.filter(({ controller }) => controller === named);
    if (byName.length > 0) return byName[0];
    const kind = `${object.group}/${object.kind}`;
    const owning = found.find(
      ({ controller, by }) =>
        by === 'owner' && this.given.controllers.some((one) => one.name === controller && one.owns.has(kind)),
    );
    if (hint.asOwner) {
      const owner = owning ?? found.find(({ by }) => by === 'owner');
      if (owner !== undefined) return owner;
    }
    return found.find(({ by }) => by === 'self') ?? owning ?? found[0];
  }
}

/** `Kind/namespace/name`, `-` for the namespace of a cluster-scoped object. */
export function subjectOf({ kind, namespace, name }: Omit<ObjectPlace, 'group'>): string {
  return `${kind}/${namespace === '' ? '-' : namespace}/${name}`;
}

/** Entries that are new or have another time than in the version before. */
export function movedEntries(before: readonly Writer[], now: readonly Writer[]): readonly Writer[] {
  return now.filter(
    (entry) =>
      !before.some(
        (old) =>
          old.manager === entry.manager &&
          old.operation === entry.operation &&
          (old.subresource ?? '') === (entry.subresource ?? '') &&
          old.time === entry.time,
      ),
  );
}

/** A time stamp of whole seconds as the interval it means; one with a fraction as what it says. Undefined: no time. */
export function statedTime(
  text: string | undefined,
): { readonly lo: number; readonly hi: number } | undefined {
  return text === undefined || text === '' ? undefined : parseLogTime(text);
}
