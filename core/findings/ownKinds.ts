/**
 * Which custom kinds an identity reconciles, and how that is known. Reading or creating somebody else's kind is not
 * reconciling it, so grants alone count only together with `update` on the kind's finalizers, and never for a kind whose
 * objects are controlled by another object.
 */
import { asRecord } from '../../shared/base/json.ts';
import type { Basis } from '../../shared/model/basis.ts';
import type { Evidence } from '../../shared/model/finding.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { Identity } from '../../shared/model/profile.ts';
import type { GrantPath } from '../../shared/model/rbac.ts';
import { identityOfUser, resourceMatches, serviceAccountUser } from '../rbac/authorizer.ts';
import type { CrdInfo, FindingContext } from './findingInput.ts';

export interface OwnKind {
  readonly user: string;
  readonly crd: CrdInfo;
  /** The controller's name, where something names it. */
  readonly controller?: string;
  readonly basis: Basis;
  readonly evidence?: Evidence;
  /** One sentence: what it rests on. */
  readonly why: string;
}

/** Every (identity, kind) pair that is known well enough to expect status writes. One entry each, best basis first. */
export function ownKinds(context: FindingContext): readonly OwnKind[] {
  const { input, crds } = context;
  const found = new Map<string, OwnKind>();
  function add(own: OwnKind): void {
    const key = `${own.user}\0${own.crd.plural}.${own.crd.group}`;
    if (!found.has(key)) found.set(key, own);
  }

  for (const reported of input.controllers) {
    const crd = crds.byKind(reported.group, reported.kind);
    if (crd === undefined) continue;
    const user = reported.user ?? userOfLog(context, crd);
    if (user === undefined) continue;
    const { controller, evidence } = reported;
    add({
      user,
      crd,
      controller,
      basis: evidence.basis,
      evidence,
      why: `its log names controller ${controller} for ${crd.kind}`,
    });
  }
  for (const profile of input.profiles) {
    for (const controller of profile.controllers) {
      const crd = crds.all.find((one) => `${one.plural}.${one.group}` === controller.for.value);
      if (crd === undefined) continue;
      const { basis, edited, why } = controller.for;
      const user = profile.identity.value.user;
      const told = basis.kind !== 'inferred' || edited === true;
      if (told || actsAsOwner(context, user, crd))
        add({ user, crd, controller: controller.name, basis, why: asClause(why) });
    }
  }
  for (const user of workloadUsers(context))
    for (const crd of finalizedKinds(context, user))
      if (actsAsOwner(context, user, crd))
        add({
          user,
          crd,
          basis: { kind: 'inferred', by: 'own-kind/grants', because: [] },
          why: `it may watch and write ${crd.plural} and update ${crd.plural}/finalizers`,
        });
  return [...found.values()];
}

/** The ServiceAccounts that workloads run as, as user names. */
function workloadUsers({ input }: FindingContext): readonly string[] {
  const users = new Set<string>();
  for (const kind of ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet'])
    for (const workload of input.objects.list(kind)) {
      const user = workloadUser(workload);
      if (user !== undefined) users.add(user);
    }
  return [...users];
}

/** `system:serviceaccount:ns:name` of a workload's pods; undefined when its template cannot be read. */
export function workloadUser(workload: KubeObject): string | undefined {
  const spec = asRecord(asRecord(asRecord(workload.spec)?.template)?.spec);
  if (spec === undefined) return undefined;
  const name = spec.serviceAccountName ?? spec.serviceAccount ?? 'default';
  return typeof name === 'string' && name !== ''
    ? serviceAccountUser(workload.metadata.namespace ?? '', name)
    : undefined;
}

/** A log without an owner: the one identity its refusals name, else the one workload that may watch the kind. */
function userOfLog(context: FindingContext, crd: CrdInfo): string | undefined {
  const refused = new Set(
    context.input.access
      .filter(
        ({ outcome, last }) =>
          outcome === 'refused' && last.basis.kind === 'reported' && last.basis.from === 'log',
      )
      .map(({ user }) => user),
  );
  if (refused.size === 1) return [...refused][0];
  const watching = workloadUsers(context).filter((user) => {
    const grants = grantsOnKind(context, user, crd, '');
    return ['list', 'watch'].every((verb) => grantsVerb(grants, verb));
  });
  return watching.length === 1 ? watching[0] : undefined;
}

/** Kinds whose finalizers a rule of the user names: few, whatever the number of CRDs. */
function finalizedKinds(context: FindingContext, user: string): ReadonlySet<CrdInfo> {
  const kinds = new Set<CrdInfo>();
  for (const { rule } of context.authorizer.grants(identityOf(context, user)))
    for (const resource of rule.resources) {
      if (!resource.endsWith('/finalizers')) continue;
      for (const group of rule.apiGroups) {
        const crd = context.crds.byResource(group, resource.slice(0, -'/finalizers'.length));
        if (crd !== undefined) kinds.add(crd);
      }
    }
  return kinds;
}

function actsAsOwner(context: FindingContext, user: string, crd: CrdInfo): boolean {
  const onKind = grantsOnKind(context, user, crd, '');
  const reads = ['get', 'list', 'watch'].every((verb) => grantsVerb(onKind, verb));
  const writes = grantsVerb(onKind, 'update') || grantsVerb(onKind, 'patch');
  if (!reads || !writes) return false;
  // Wildcards grant finalizers of everything and so say nothing of this kind.
  const finalizers = grantsOnKind(context, user, crd, 'finalizers').filter(({ rule }) =>
    rule.resources.includes(`${crd.plural}/finalizers`),
  );
  if (!grantsVerb(finalizers, 'update')) return false;
  for (const head of context.input.objects.heads(`${crd.group}/${crd.kind}`))
    if (head.ownerReferences.some((reference) => reference.controller === true)) return false;
  return true;
}

/** Who a user name is: as a profile states it, else what the name itself tells. */
export function identityOf({ input }: FindingContext, user: string): Identity {
  const profile = input.profiles.find((one) => one.identity.value.user === user);
  return profile?.identity.value ?? identityOfUser(user);
}

/** Rules of any scope that name the kind, or the given subresource of it. */
export function grantsOnKind(
  context: FindingContext,
  user: string,
  crd: Pick<CrdInfo, 'group' | 'plural'>,
  subresource: string,
): readonly GrantPath[] {
  return context.authorizer
    .grants(identityOf(context, user))
    .filter(
      ({ rule }) =>
        (rule.apiGroups.includes(crd.group) || rule.apiGroups.includes('*')) &&
        resourceMatches(rule, crd.plural, subresource),
    );
}

export function grantsVerb(paths: readonly GrantPath[], verb: string): boolean {
  return paths.some(({ rule }) => rule.verbs.includes(verb) || rule.verbs.includes('*'));
}

/** A sentence of the profile as part of another: without its full stop and its capital. */
function asClause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
