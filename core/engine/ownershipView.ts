/** Owners and owned objects around one object, and what its deletion waits for. */
import type { DeletionHold, OwnerNode, OwnershipView } from '../../shared/contract/views/structure.ts';
import { type ObjectKey, objectKey } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';
import { ownersOf } from '../objects/managedFields.ts';
import {
  deletionHolds,
  type FinalizerHandler,
  type OwnedState,
  ownershipGraph,
  propagationOf,
} from '../objects/ownership.ts';
import { countsReplicas, replicasOf } from '../objects/replicas.ts';
import { managerFit, readWorkload } from '../profile/workload.ts';
import type { ObjectFact } from '../session/facts.ts';
import type { ClusterModel } from './clusterModel.ts';
import type { EngineSession } from './engineSession.ts';
import { objectHealth } from './keyRows.ts';
import type { ObjectIndex } from './objectIndex.ts';
import { objectRefView, parse } from './objectViews.ts';

/** What the view reads of a session. */
export interface OwnershipDeps {
  readonly index: ObjectIndex;
  readonly model: ClusterModel;
  readonly operators: readonly OperatorProfile[];
  readonly resources: readonly ApiResource[];
  /** Resources that were listed nowhere, as `resource.group`. */
  readonly unreadable: readonly string[];
  /** The newest version of an object, whole. */
  read(seq: number): KubeObject | undefined;
}

/** What the view reads, of the session that is shown. */
export function ownershipDeps(session: EngineSession): OwnershipDeps {
  const { index, model, operators, watching, recorder } = session;
  return {
    index,
    model,
    operators: operators.all(),
    resources: watching.resources(),
    unreadable: watching.unreadable(),
    read: (seq) => parse(recorder.log, seq),
  };
}

export function ownershipView(deps: OwnershipDeps | undefined, key: ObjectKey): OwnershipView {
  const object = objectRefView(key);
  const empty = { object, known: false, nodes: [], edges: [], folded: [], holds: [], problems: [] };
  const self = deps?.index.get(key);
  if (deps === undefined || self === undefined) return { ...empty, unreadable: [] };
  const { index, resources, unreadable } = deps;
  const find = (group: string, kind: string) =>
    resources.find((one) => one.group === group && one.kind === kind);
  const hidden = new Set(unreadable);
  const graph = ownershipGraph({
    key,
    get: (one) => index.get(one),
    dependentsOf: (uid) => dependentsOf(index, uid),
    isRead: (group, kind) => {
      const resource = find(group, kind);
      return resource !== undefined && !hidden.has(resourceName(resource));
    },
    isNamespaced: (group, kind) => find(group, kind)?.namespaced,
  });
  const { fact } = self;
  const resource = find(fact.group, fact.kind);
  const name = resource && resourceName(resource);
  return {
    object,
    known: true,
    ...(self.deleted ? { goneAt: fact.at.hi } : {}),
    ...(name === undefined ? {} : { resource: name }),
    nodes: graph.nodes.map((node) => {
      const parts = objectRefView(node.key);
      const { level, exists, readable } = node;
      if (node.fact === undefined)
        return { object: parts, level, exists, readable, health: 'unknown', text: '', finalizers: [] };
      const { health, text } = workloadState(node.fact, deps) ?? objectHealth(node.fact);
      const deletingSince = timeOf(node.fact.meta.deletionTimestamp);
      return {
        object: parts,
        level,
        exists,
        readable,
        health,
        text,
        finalizers: [...(node.fact.meta.finalizers ?? [])],
        seq: node.fact.seq,
        ...(deletingSince === undefined ? {} : { deletingSince }),
      };
    }),
    edges: graph.edges,
    folded: graph.folded,
    problems: graph.problems,
    ...deletionOf(fact.meta.deletionTimestamp, fact.meta.finalizers ?? []),
    holds: self.deleted ? [] : holdsOf(self, name, deps),
    unreadable: [...unreadable],
  };
}

/** A workload has no Ready condition that says how it is: its replicas do. */
function workloadState(
  { group, kind, metadataOnly, seq, meta }: ObjectFact,
  { read }: OwnershipDeps,
): Pick<OwnerNode, 'health' | 'text'> | undefined {
  if (metadataOnly || meta.deletionTimestamp !== undefined || !countsReplicas(group, kind)) return undefined;
  const object = read(seq);
  const replicas = object && replicasOf(object);
  if (replicas === undefined) return undefined;
  const [ready, wanted] = replicas;
  return { health: ready >= wanted ? 'ok' : 'degraded', text: `${ready}/${wanted}` };
}

function deletionOf(
  deletionTimestamp: string | undefined,
  finalizers: readonly string[],
): Pick<OwnershipView, 'deletingSince' | 'propagation'> {
  const deletingSince = timeOf(deletionTimestamp);
  return deletingSince === undefined ? {} : { deletingSince, propagation: propagationOf(finalizers) };
}

function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** A walk over all heads: a few ms at 100,000 objects, and only while somebody looks. */
function* dependentsOf(index: ObjectIndex, uid: string): Iterable<OwnedState> {
  for (const state of index.all()) {
    if (state.deleted) continue;
    if (state.fact.meta.ownerReferences?.some((reference) => reference.uid === uid) === true) yield state;
  }
}

/** What the object's finalizers wait for, whether or not its deletion was asked for. `resource`: `plural.group`. */
export function holdsOf(
  { fact }: OwnedState,
  resource: string | undefined,
  deps: Pick<OwnershipDeps, 'operators' | 'model' | 'unreadable' | 'read'>,
): DeletionHold[] {
  if ((fact.meta.finalizers ?? []).length === 0) return [];
  const whole = deps.read(fact.seq);
  const setters = new Map<string, string>();
  for (const { path, owners } of whole === undefined ? [] : ownersOf(whole)) {
    const finalizer = /^metadata\.finalizers\[(.*)\]$/.exec(path)?.[1];
    const manager = owners[0]?.manager;
    if (finalizer !== undefined && manager !== undefined) setters.set(unquoted(finalizer), manager);
  }
  const handlers = deps.operators.map((operator) => handlerOf(operator, deps.model));
  return deletionHolds(fact, resource, (finalizer) => setters.get(finalizer), handlers).map((hold) =>
    hold.handler === undefined ? withMissingSetter(hold, fact.seq, deps) : hold,
  );
}

function unquoted(text: string): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** Tools of people: what they set, nobody is expected to take off again. */
const handTools = /^(kubectl|helm|argocd|flux|kustomize|terraform|pulumi|oc$)/i;

/**
 * Who set the finalizer is known by name and no operator of that name is there. Only said where workloads may be read
 * and no operator runs outside the cluster under another name.
 */
function withMissingSetter(
  hold: DeletionHold,
  seq: number,
  { model, unreadable, operators }: Pick<OwnershipDeps, 'model' | 'unreadable' | 'operators'>,
): DeletionHold {
  const { setBy } = hold;
  const blind = unreadable.some((name) => /^(deployments|statefulsets|daemonsets)\.apps$/.test(name));
  const local = operators.some(({ workload }) => workload === undefined);
  if (setBy === undefined || blind || local || handTools.test(setBy)) return hold;
  const objects = ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet'].flatMap((kind) =>
    model.ofKind(kind),
  );
  const namesake = objects.find((one) => {
    const workload = readWorkload(one);
    return workload !== undefined && managerFit(workload, setBy) !== undefined;
  });
  if (namesake !== undefined) {
    const { state, detail } = runningState(namesake);
    const { kind, metadata } = namesake;
    return {
      ...hold,
      handler: { name: setBy, workload: `${kind}/${metadata.namespace ?? '-'}/${metadata.name}` },
      handlerState: state,
      handlerDetail: detail,
      basis: { kind: 'inferred', by: 'a workload has the name of who set it', because: [seq] },
    };
  }
  return {
    ...hold,
    handler: { name: setBy },
    handlerState: 'notRunning',
    handlerDetail: `not among ${objects.length} workloads`,
    basis: { kind: 'inferred', by: 'no workload has the name of who set it', because: [seq] },
  };
}

function handlerOf(operator: OperatorProfile, model: ClusterModel): FinalizerHandler {
  const workload = operator.workload?.value;
  const { state, detail } =
    workload === undefined
      ? ({ state: 'unknown', detail: '' } as const)
      : runningState(model.get(workloadKey(workload)));
  return {
    id: operator.id,
    name: operator.name,
    workload,
    kinds: operator.controllers.map((controller) => controller.for.value),
    fieldManagers: operator.fieldManagers.value,
    state,
    detail,
  };
}

/** `Deployment/ns/name` → key of the object. */
function workloadKey(workload: string): ObjectKey {
  const [kind = '', namespace = '', name = ''] = workload.split('/');
  return objectKey({ group: 'apps', kind, namespace, name });
}

function runningState(object: KubeObject | undefined): {
  readonly state: DeletionHold['handlerState'];
  readonly detail: string;
} {
  if (object === undefined) return { state: 'notRunning', detail: 'gone' };
  const spec = object.spec as { replicas?: unknown } | undefined;
  const status = object.status as
    | { readyReplicas?: unknown; numberReady?: unknown; desiredNumberScheduled?: unknown }
    | undefined;
  const wanted = numberOr(spec?.replicas ?? status?.desiredNumberScheduled, 1);
  const ready = numberOr(status?.readyReplicas ?? status?.numberReady, 0);
  if (wanted === 0) return { state: 'notRunning', detail: 'scaled to 0' };
  return { state: ready > 0 ? 'running' : 'notRunning', detail: `${ready} of ${wanted} ready` };
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
