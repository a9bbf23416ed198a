/**
 * Owners, owned objects and what a deletion waits for, around one object. Pure: a fold over what the object index knows.
 * Garbage collection reads owner references by uid, within one namespace or to a cluster-scoped owner.
 * Source: kubernetes pkg/controller/garbagecollector; apimachinery metav1.Finalizer*. Spec: docs/spec/ownership.md
 */
import type { DeletionHold, OwnerProblem, OwnershipView } from '../../shared/contract/views/structure.ts';
import { groupOf, type ObjectKey, objectKey, parseObjectKey } from '../../shared/model/ids.ts';
import type { OwnerReference } from '../../shared/model/kube.ts';
import type { ObjectFact } from '../session/facts.ts';

/** The newest fact of an object and whether it is gone. */
export interface OwnedState {
  readonly fact: ObjectFact;
  readonly deleted: boolean;
}

export interface OwnershipInput {
  readonly key: ObjectKey;
  get(key: ObjectKey): OwnedState | undefined;
  /** Objects that exist and whose owner references name this uid. */
  dependentsOf(uid: string): Iterable<OwnedState>;
  /** True when objects of the kind are seen: then one that is not there does not exist. */
  isRead(group: string, kind: string): boolean;
  /** Whether the kind is namespaced; undefined when discovery does not tell. */
  isNamespaced(group: string, kind: string): boolean | undefined;
}

export type OwnershipGraph = Pick<OwnershipView, 'edges' | 'folded' | 'problems'> & {
  readonly nodes: readonly GraphNode[];
};

export interface GraphNode {
  readonly key: ObjectKey;
  readonly level: number;
  readonly exists: boolean;
  readonly readable: boolean;
  readonly fact: ObjectFact | undefined;
}

/** The picture stays readable up to here; what is more is folded by kind. */
export const mostNodes = 12;
/** Owners of owners, owned of owned. */
const levels = 3;

type Edge = OwnershipView['edges'][number];

export function ownershipGraph(input: OwnershipInput): OwnershipGraph {
  const nodes = new Map<ObjectKey, GraphNode>();
  const edges = new Map<string, Edge>();
  const problems: OwnerProblem[] = [];
  const folded = new Map<string, number>();

  function addNode(key: ObjectKey, level: number): GraphNode {
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const { group, kind } = parseObjectKey(key);
    const state = input.get(key);
    const node: GraphNode = {
      key,
      level,
      exists: state !== undefined && !state.deleted,
      readable: state !== undefined || input.isRead(group, kind),
      fact: state?.fact,
    };
    nodes.set(key, node);
    return node;
  }

  function addOwners(dependent: ObjectFact, level: number): void {
    if (level < -levels) return;
    for (const reference of dependent.meta.ownerReferences ?? []) {
      const owner = addNode(ownerKey(reference, dependent, input), level);
      const { broken, problem } = judge(reference, dependent, owner, input);
      if (problem !== undefined) problems.push({ problem, dependent: dependent.key, owner: owner.key });
      const isNew = addEdge(owner.key, dependent.key, reference, broken);
      if (isNew && owner.exists && owner.fact !== undefined && !broken) addOwners(owner.fact, level - 1);
    }
  }

  function addEdge(
    owner: ObjectKey,
    dependent: ObjectKey,
    reference: OwnerReference,
    broken: boolean,
  ): boolean {
    const id = `${owner} ${dependent}`;
    if (edges.has(id)) return false;
    edges.set(id, {
      owner,
      dependent,
      controller: reference.controller === true,
      blockOwnerDeletion: reference.blockOwnerDeletion === true,
      broken,
    });
    return true;
  }

  /** Level by level, so that what is nearest is shown when not all can be. */
  function addOwned(self: ObjectFact): void {
    let row: readonly ObjectFact[] = [self];
    for (let level = 1; level <= levels && row.length > 0; level++) {
      const next: ObjectFact[] = [];
      for (const owner of row) {
        if (owner.uid === '') continue;
        for (const { fact } of sortedByName(input.dependentsOf(owner.uid))) {
          const reference = fact.meta.ownerReferences?.find(({ uid }) => uid === owner.uid);
          if (reference === undefined) continue;
          if (!nodes.has(fact.key) && nodes.size >= mostNodes) {
            folded.set(fact.kind, (folded.get(fact.kind) ?? 0) + 1);
            continue;
          }
          const isNew = !nodes.has(fact.key);
          const node = addNode(fact.key, level);
          const { broken, problem } = judge(reference, fact, addNode(owner.key, level - 1), input);
          if (problem !== undefined) problems.push({ problem, dependent: node.key, owner: owner.key });
          addEdge(owner.key, node.key, reference, broken);
          if (isNew) next.push(fact);
        }
      }
      row = next;
    }
  }

  const self = addNode(input.key, 0);
  if (self.fact !== undefined) {
    addOwners(self.fact, -1);
    addOwned(self.fact);
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    problems,
    folded: [...folded].map(([kind, count]) => ({ kind, count })),
  };
}

function sortedByName(states: Iterable<OwnedState>): readonly OwnedState[] {
  return [...states].sort((a, b) => (a.fact.key < b.fact.key ? -1 : a.fact.key > b.fact.key ? 1 : 0));
}

/** An owner is looked for in the dependent's namespace, or at cluster scope: a reference has no namespace of its own. */
function ownerKey(reference: OwnerReference, dependent: ObjectFact, input: OwnershipInput): ObjectKey {
  const group = groupOf(reference.apiVersion);
  const parts = { group, kind: reference.kind, name: reference.name };
  const local = objectKey({ ...parts, namespace: dependent.namespace });
  const wide = objectKey({ ...parts, namespace: '' });
  if (dependent.namespace === '' || input.isNamespaced(group, reference.kind) === false) return wide;
  return input.get(local) === undefined && input.get(wide) !== undefined ? wide : local;
}

function judge(
  reference: OwnerReference,
  dependent: ObjectFact,
  owner: GraphNode,
  input: OwnershipInput,
): { readonly broken: boolean; readonly problem?: OwnerProblem['problem'] } {
  const { namespace } = parseObjectKey(owner.key);
  const clusterScoped = namespace === '';
  if (!clusterScoped && namespace !== dependent.namespace) return { broken: true, problem: 'otherNamespace' };
  if (
    dependent.namespace === '' &&
    input.isNamespaced(groupOf(reference.apiVersion), reference.kind) === true
  )
    return { broken: true, problem: 'otherNamespace' };
  if (owner.exists && owner.fact !== undefined && owner.fact.uid !== reference.uid)
    return { broken: true, problem: 'otherUid' };
  if (!owner.exists && owner.readable) return { broken: true, problem: 'missing' };
  return { broken: false };
}

/** Who may be known to handle a finalizer: operators by the kinds they reconcile. */
export interface FinalizerHandler {
  readonly id: string;
  readonly name: string;
  readonly workload: string | undefined;
  /** `resource.group` of its For kinds. */
  readonly kinds: readonly string[];
  readonly fieldManagers: readonly string[];
  readonly state: DeletionHold['handlerState'];
  readonly detail: string;
}

/**
 * Finalizers of Kubernetes itself and the part of it that removes them. `foregroundDeletion` waits for dependents that
 * block, `orphan` for their references to be taken off.
 */
const kubernetesHandlers: ReadonlyMap<string, string> = new Map([
  ['foregroundDeletion', 'garbage collector'],
  ['orphan', 'garbage collector'],
  ['kubernetes', 'namespace controller'],
  ['kubernetes.io/pvc-protection', 'PVC protection controller'],
  ['kubernetes.io/pv-protection', 'PV protection controller'],
  ['external-provisioner.volume.kubernetes.io/finalizer', 'external volume provisioner'],
  ['service.kubernetes.io/load-balancer-cleanup', 'cloud service controller'],
  ['batch.kubernetes.io/job-tracking', 'Job controller'],
  ['customresourcecleanup.apiextensions.k8s.io', 'CRD controller'],
]);

/**
 * What holds the object, in the order of its finalizers. A handler is told by who set the list, else by who reconciles
 * the kind where the finalizer's domain is of the kind's group; nobody is named on less.
 */
export function deletionHolds(
  fact: ObjectFact,
  resource: string | undefined,
  setterOf: (finalizer: string) => string | undefined,
  handlers: readonly FinalizerHandler[],
): DeletionHold[] {
  return (fact.meta.finalizers ?? []).map((finalizer, index) => {
    const setBy = setterOf(finalizer);
    const base = { finalizer, index, ...(setBy === undefined ? {} : { setBy }) };
    const builtIn = kubernetesHandlers.get(finalizer);
    if (builtIn !== undefined)
      return {
        ...base,
        handler: { name: builtIn },
        handlerState: 'unknown',
        handlerDetail: '',
        basis: { kind: 'inferred', by: 'finalizer of Kubernetes', because: [fact.seq] },
      };
    const bySetter =
      setBy === undefined ? undefined : handlers.find((one) => one.fieldManagers.includes(setBy));
    const byKind = handlers.find(
      (one) => resource !== undefined && one.kinds.includes(resource) && isDomainOf(finalizer, fact.group),
    );
    const handler = bySetter ?? byKind;
    if (handler === undefined)
      return {
        ...base,
        handlerState: 'unknown',
        handlerDetail: '',
        basis: { kind: 'observed', from: 'watch' },
      };
    return {
      ...base,
      handler: {
        id: handler.id,
        name: handler.name,
        ...(handler.workload === undefined ? {} : { workload: handler.workload }),
      },
      handlerState: handler.state,
      handlerDetail: handler.detail,
      basis: {
        kind: 'inferred',
        by: bySetter === undefined ? 'it reconciles the kind' : 'it wrote the finalizers',
        because: [fact.seq],
      },
    };
  });
}

/** `db.example.com/cleanup` belongs to the group `db.example.com`, and to `example.com`. */
function isDomainOf(finalizer: string, group: string): boolean {
  const domain = finalizer.split('/')[0] ?? '';
  return group !== '' && (domain === group || domain.endsWith(`.${group}`) || group.endsWith(`.${domain}`));
}

/** How dependents go, where the finalizers tell; the default is background. */
export function propagationOf(finalizers: readonly string[]): NonNullable<OwnershipView['propagation']> {
  if (finalizers.includes('foregroundDeletion')) return 'foreground';
  return finalizers.includes('orphan') ? 'orphan' : 'background';
}
