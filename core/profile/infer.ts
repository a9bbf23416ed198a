/**
 * Operators found in the cluster: workload → ServiceAccount → granted kinds, and which of those kinds are its own. Every
 * entry says what it rests on; a wrong guess is visible and can be corrected. Spec: docs/spec/profile.md
 */

import { groupOf } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { ControllerProfile, Identity, Known, OperatorProfile } from '../../shared/model/profile.ts';
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';
import { isFields } from '../objects/path.ts';
import { serviceAccountIdentity } from '../rbac/authorizer.ts';
import { type Grants, type ProfileGrant, readGrants } from './grants.ts';
import { gatherHeads, type HeadEvidence, type KindEvidence, type ObjectHead } from './heads.ts';
import { defaultController, inferred, observed } from './known.ts';
import { isBuiltInGroup, resourceOfKind } from './resourceNames.ts';
import { holdsLease, isNamedAfter, managerFit, readWorkload, type Workload } from './workload.ts';

export interface InferInput {
  /** Deployments, StatefulSets and DaemonSets, whole. */
  readonly workloads: readonly KubeObject[];
  /** CustomResourceDefinitions, whole; may be empty when not readable. */
  readonly crds: readonly KubeObject[];
  readonly leases: readonly KubeObject[];
  /** Every object known, by its head. */
  readonly heads: Iterable<ObjectHead>;
  /** Discovery. */
  readonly resources: readonly ApiResource[];
  /** What reaches an identity; undefined when roles or bindings may not be read. */
  grantsOf(identity: Identity): readonly ProfileGrant[] | undefined;
}

/** A custom kind an operator may be about. */
interface CustomKind {
  readonly group: string;
  readonly plural: string;
  /** Empty when neither a CRD nor discovery tells it. */
  readonly kind: string;
}

/** From this score on a kind is the operator's own (`For`). See the spec for the points. */
const ownFrom = 3;

/** Operators in order of namespace and name. Never throws on odd objects; a workload without a kind of its own is none. */
export function inferOperators(input: InferInput): OperatorProfile[] {
  const kinds = customKinds(input.crds, input.resources);
  const evidence = gatherHeads(input.heads);
  const claims: Claim[] = [];
  for (const object of input.workloads) {
    const workload = readWorkload(object);
    const claim = workload && claimOf(workload, kinds, evidence, input);
    if (claim !== undefined) claims.push(claim);
  }
  return claims
    .map((claim) => profileOf(claim, claims, input))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function customKinds(crds: readonly KubeObject[], resources: readonly ApiResource[]): readonly CustomKind[] {
  const kinds = new Map<string, CustomKind>();
  for (const crd of crds) {
    const spec = isFields(crd.spec) ? crd.spec : undefined;
    const names = isFields(spec?.names) ? spec.names : undefined;
    if (typeof spec?.group !== 'string' || typeof names?.plural !== 'string') continue;
    const kind = typeof names.kind === 'string' ? names.kind : '';
    kinds.set(`${names.plural}.${spec.group}`, { group: spec.group, plural: names.plural, kind });
  }
  for (const { group, resource, kind } of resources) {
    if (isBuiltInGroup(group) || kinds.has(`${resource}.${group}`)) continue;
    kinds.set(`${resource}.${group}`, { group, plural: resource, kind });
  }
  return [...kinds.values()];
}

interface Scored {
  readonly kind: CustomKind;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly evidence: KindEvidence;
}

/** A workload and the kinds that are its own. */
interface Claim {
  readonly workload: Workload;
  readonly identity: Identity;
  /** Best first, never empty. */
  readonly scored: readonly Scored[];
  /** All its grants, and those that count everywhere; undefined when grants are not known. */
  readonly grants: Grants | undefined;
  readonly wide: Grants | undefined;
}

function claimOf(
  workload: Workload,
  known: readonly CustomKind[],
  evidence: HeadEvidence,
  input: InferInput,
): Claim | undefined {
  const identity = serviceAccountIdentity(workload.namespace, workload.serviceAccount);
  const rules = input.grantsOf(identity);
  const grants = rules === undefined ? undefined : readGrants(rules);
  const wide = rules === undefined ? undefined : readGrants(rules.filter((grant) => grant.scope === ''));
  const scored: Scored[] = [];
  for (const kind of withGranted(known, grants)) {
    const one = scoreKind(workload, kind, evidence.of(kind.group, kind.kind), grants, input.resources);
    if (one.score >= ownFrom) scored.push(one);
  }
  if (scored.length === 0) return undefined;
  scored.sort((a, b) => b.score - a.score || (a.kind.plural < b.kind.plural ? -1 : 1));
  return { workload, identity, scored, grants, wide };
}

function profileOf(claim: Claim, all: readonly Claim[], input: InferInput): OperatorProfile {
  const { workload, identity, scored, grants, wide } = claim;
  const managers = fieldManagers(claim, all, input.leases);
  const lease = leaseOf(workload, managers.value, input.leases);
  return {
    id: workload.id,
    name: workload.name,
    namespace: workload.namespace,
    workload: observed(
      workload.id,
      workload.installedBy === undefined
        ? `The ${workload.kind} exists.`
        : `The ${workload.kind} exists; OLM installed it (${workload.installedBy}).`,
    ),
    ...(workload.image === undefined ? {} : { image: workload.image }),
    identity: observed(identity, `The pod template of ${workload.id} names this ServiceAccount.`),
    fieldManagers: managers,
    controllers: scored.map((one) => {
      // Whoever watches its kind everywhere watches the owned kinds everywhere; what is granted in single namespaces
      // (leader election) serves something else.
      const everywhere = wide?.any(one.kind.group, one.kind.plural, ['list', 'watch']) ?? false;
      return controllerOf(one, scored, everywhere ? wide : grants, input.resources);
    }),
    ...(lease === undefined ? {} : { lease }),
  };
}

/** Kinds the cluster serves, and kinds that a rule names though nothing serves them (a CRD that is not installed). */
function withGranted(known: readonly CustomKind[], grants: Grants | undefined): readonly CustomKind[] {
  const missing = (grants?.namedResources ?? []).filter(
    ({ group, resource }) =>
      !isBuiltInGroup(group) && !known.some((kind) => kind.group === group && kind.plural === resource),
  );
  return [...known, ...missing.map(({ group, resource }) => ({ group, plural: resource, kind: '' }))];
}

function scoreKind(
  workload: Workload,
  kind: CustomKind,
  evidence: KindEvidence,
  grants: Grants | undefined,
  resources: readonly ApiResource[],
): Scored {
  const { group, plural } = kind;
  const reasons: string[] = [];
  let score = 0;
  const add = (points: number, reason: string) => {
    score += points;
    reasons.push(reason);
  };
  const status = grants?.any(group, `${plural}/status`, ['update', 'patch']) ?? true;
  const touches = status || (grants?.any(group, plural, ['get', 'list', 'watch', 'update', 'patch']) ?? true);
  if (grants?.named(group, `${plural}/status`, ['update', 'patch'])) add(4, `it may write ${plural}/status`);
  if (grants?.named(group, `${plural}/finalizers`, ['update', 'patch']))
    add(2, `it may update ${plural}/finalizers`);
  if (grants?.named(group, plural, ['update', 'patch']) && !grants.named(group, plural, ['create']))
    add(2, `it may change ${plural} but not create them`);
  // A name that many operators share counts only where the rights fit; a name of its own counts without rights too (they
  // may have been taken away), unless the workload is itself made by an operator: operands are named after theirs.
  const trusted = touches || !isOperand(workload);
  const writer = evidence.statusManagers.find((manager) => {
    const fit = managerFit(workload, manager);
    return (fit === 'own' && trusted) || (fit === 'generic' && status);
  });
  if (writer !== undefined) add(5, `field manager ${writer} writes their status`);
  const child = evidence.children.find((one) =>
    one.managers.some((manager) => {
      const fit = managerFit(workload, manager);
      return (
        (fit === 'own' && trusted) || (fit === 'generic' && touches && mayCreate(one, grants, resources))
      );
    }),
  );
  if (child !== undefined) add(4, `${child.kind} objects it writes have one as their controller`);
  if (touches) {
    if (evidence.finalizers.some((finalizer) => finalizer.includes(group)))
      add(score > 0 ? 1 : 0, `they carry a finalizer of ${group}`);
    if (kind.kind !== '' && isNamedAfter(workload, kind.kind)) add(2, `it is named after ${kind.kind}`);
    else if (isNamedAfter(workload, group.split('.')[0] ?? '')) add(2, 'it is named after the API group');
  }
  return { kind, score, reasons, evidence };
}

function isOperand(workload: Workload): boolean {
  const owner = workload.object.metadata.ownerReferences?.find((reference) => reference.controller === true);
  return (
    owner !== undefined &&
    owner.kind !== 'ClusterServiceVersion' &&
    !isBuiltInGroup(groupOf(owner.apiVersion))
  );
}

function mayCreate(
  child: { readonly group: string; readonly kind: string },
  grants: Grants | undefined,
  resources: readonly ApiResource[],
): boolean {
  if (grants === undefined) return true;
  const resource = resourceOfKind(child.group, child.kind, resources);
  return resource === undefined || grants.any(child.group, resource.resource, ['create', 'patch']);
}

/** Parts of Kubernetes and people's tools, which write statuses and children of every kind. */
const notOperators: ReadonlySet<string> = new Set(['kube-controller-manager', 'kube-scheduler', 'kubelet']);

/**
 * Who writes both the status of a kind and the objects it controls is the controller of that kind, whatever its name: it
 * is this operator where no other claims the kind and no other goes by that name.
 */
function controllingManagers(claim: Claim, all: readonly Claim[], one: Scored): readonly string[] {
  const others = all.filter((other) => other !== claim);
  if (others.some(({ scored }) => scored.some(({ kind }) => sameKind(kind, one.kind)))) return [];
  const ofChildren = new Set(one.evidence.children.flatMap(({ managers }) => managers));
  return one.evidence.statusManagers.filter(
    (manager) =>
      ofChildren.has(manager) &&
      manager !== '' &&
      !manager.startsWith('kubectl') &&
      !notOperators.has(manager) &&
      !others.some(({ workload }) => managerFit(workload, manager) === 'own'),
  );
}

function sameKind(a: CustomKind, b: CustomKind): boolean {
  return a.group === b.group && a.plural === b.plural;
}

function fieldManagers(
  claim: Claim,
  all: readonly Claim[],
  leases: readonly KubeObject[],
): Known<readonly string[]> {
  const { workload, scored } = claim;
  const found = new Set<string>();
  const because: number[] = [];
  for (const one of scored) {
    const { evidence } = one;
    for (const manager of controllingManagers(claim, all, one)) found.add(manager);
    for (const manager of evidence.statusManagers)
      if (managerFit(workload, manager) !== undefined) found.add(manager);
    for (const child of evidence.children) {
      for (const manager of child.managers)
        if (managerFit(workload, manager) !== undefined) found.add(manager);
      because.push(...child.because);
    }
  }
  for (const lease of leases) {
    if (!holdsLease(workload, holderOf(lease))) continue;
    for (const entry of lease.metadata.managedFields ?? []) found.add(entry.manager);
  }
  if (found.size > 0) {
    return inferred(
      [...found],
      'field-managers',
      'These names wrote the Lease, children or status of its kinds, and fit the name of the workload or wrote both.',
      because.slice(0, 5),
    );
  }
  const guess = workload.names.at(-1) ?? workload.name;
  return inferred(
    [guess],
    'field-managers',
    'Nothing written by it was seen; a Go program writes under the name of its binary.',
  );
}

function leaseOf(
  workload: Workload,
  managers: readonly string[],
  leases: readonly KubeObject[],
): Known<string> | undefined {
  const idOf = (lease: KubeObject) => `${lease.metadata.namespace ?? ''}/${lease.metadata.name}`;
  const held = leases.find((lease) => holdsLease(workload, holderOf(lease)));
  if (held !== undefined)
    return inferred(idOf(held), 'lease', `Its holder ${holderOf(held)} is a pod of ${workload.id}.`);
  const written = leases.filter(
    (lease) =>
      lease.metadata.namespace === workload.namespace &&
      (lease.metadata.managedFields ?? []).some((entry) => managers.includes(entry.manager)),
  );
  const [only] = written;
  if (only === undefined || written.length > 1) return undefined;
  return inferred(idOf(only), 'lease', `One of its field managers writes this Lease in its namespace.`);
}

function holderOf(lease: KubeObject): string {
  const spec = isFields(lease.spec) ? lease.spec : undefined;
  return typeof spec?.holderIdentity === 'string' ? spec.holderIdentity : '';
}

function controllerOf(
  one: Scored,
  all: readonly Scored[],
  grants: Grants | undefined,
  resources: readonly ApiResource[],
): ControllerProfile {
  const { kind, reasons, evidence } = one;
  const name = kind.kind === '' ? kind.plural.replace(/s$/, '') : kind.kind.toLowerCase();
  const why = `${reasons.join('; ')}.`;
  const forKind = inferred(
    `${kind.plural}.${kind.group}`,
    'for-kind',
    why.charAt(0).toUpperCase() + why.slice(1),
    evidence.because,
  );
  return { ...defaultController(name, forKind), owns: ownedKinds(one, all, grants, resources) };
}

/** Never owned through an informer by what they are. */
const neverOwned: ReadonlySet<string> = new Set([
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
]);

function ownedKinds(
  one: Scored,
  all: readonly Scored[],
  grants: Grants | undefined,
  resources: readonly ApiResource[],
): Known<readonly string[]> {
  const seen: string[] = [];
  const because: number[] = [];
  for (const child of one.evidence.children) {
    const resource = resourceOfKind(child.group, child.kind, resources);
    if (resource === undefined) continue;
    const name = resourceName(resource);
    if (neverOwned.has(name)) continue;
    if (grants !== undefined && !grants.all(child.group, resource.resource, ['list', 'watch'])) continue;
    seen.push(name);
    because.push(...child.because);
  }
  const granted =
    grants === undefined || all.length > 1
      ? []
      : grants.namedResources
          .filter(
            ({ group, resource }) =>
              grants.named(group, resource, ['create']) &&
              grants.all(group, resource, ['list', 'watch']) &&
              !all.some(({ kind }) => kind.group === group && kind.plural === resource),
          )
          .map(({ group, resource }) => (group === '' ? resource : `${resource}.${group}`))
          .filter((name) => !neverOwned.has(name) && !seen.includes(name));
  const why =
    seen.length > 0 && granted.length > 0
      ? `Objects of ${seen.join(', ')} have one as their controller; ${granted.join(', ')} it may list, watch and create.`
      : seen.length > 0
        ? 'Objects of these kinds have one as their controller, and it may list and watch them.'
        : granted.length > 0
          ? 'It may list, watch and create these kinds; no object of them is owned yet.'
          : 'No object is seen that has one as its controller.';
  return inferred([...seen, ...granted].sort(), 'owned-kinds', why, because.slice(0, 5));
}
