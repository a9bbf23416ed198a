/**
 * rbac/missing-status-subresource: an identity that owns a kind's status may not write `<plural>/status`, which the CRD
 * serves. Shown by a refused status write (error), or concluded for the operator's own For kind when nobody else writes
 * that status (warning). A grant found now closes it, whatever was refused before.
 */
import type { Evidence, Finding, Fix, NotEvaluated } from '../../../shared/model/finding.ts';
import type { Identity } from '../../../shared/model/profile.ts';
import type { GrantPath } from '../../../shared/model/rbac.ts';
import { isBuiltInGroup } from '../../profile/resourceNames.ts';
import { type AccessRecord, combinedResource } from '../../rbac/access.ts';
import { identityOfUser, type ReachingBinding } from '../../rbac/authorizer.ts';
import { earliest, latest } from '../../rbac/evidenceTime.ts';
import { type MissingAccess, nearestRule } from '../../rbac/nearest.ts';
import { kubebuilderMarker, patchFor, patchVerbs } from '../../rbac/patch.ts';
import type { CrdInfo, Evaluation, FindingContext, FindingRule, Resolved } from '../findingInput.ts';
import { grantsOnKind, grantsVerb, identityOf, type OwnKind, ownKinds } from '../ownKinds.ts';
import { grantedBecause } from './grantedBecause.ts';
import { clockRange, countWord, joinWords, subjectOf } from './wording.ts';

const ruleId = 'rbac/missing-status-subresource';
const rbacResources = ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'].map(
  (resource) => `${resource}.rbac.authorization.k8s.io`,
);
const workloadResources = ['daemonsets', 'deployments', 'statefulsets'].map((resource) => `${resource}.apps`);
const crdResource = 'customresourcedefinitions.apiextensions.k8s.io';

export const missingStatusSubresource: FindingRule = { id: ruleId, evaluate };

/** Refused status writes of one identity on one resource. */
interface Refusals {
  readonly user: string;
  readonly group: string;
  readonly plural: string;
  readonly records: readonly AccessRecord[];
}

function evaluate(context: FindingContext): Evaluation {
  const findings: Finding[] = [];
  const notEvaluated: NotEvaluated[] = [];
  const resolved: Resolved[] = [];
  const handled = new Set<string>();

  for (const refusals of refusedStatusWrites(context)) {
    handled.add(idOf(refusals.user, refusals.plural, refusals.group));
    const answer = judgeRefusals(context, refusals);
    if (answer === undefined) continue;
    if ('because' in answer) resolved.push(answer);
    else findings.push(answer);
  }

  const unreadable = rbacResources.filter((resource) => context.input.unreadable.includes(resource));
  if (unreadable.length > 0) {
    const unknown = 'so what an operator holds is not known';
    notEvaluated.push(notRead(context, 'Roles and bindings', unreadable, unknown));
    return { findings, notEvaluated, resolved };
  }
  if (context.input.unreadable.includes(crdResource)) {
    const unknown = 'so which kinds serve a status subresource is not known';
    notEvaluated.push(notRead(context, 'CustomResourceDefinitions', [crdResource], unknown));
  }

  const workloads = workloadResources.filter((resource) => context.input.unreadable.includes(resource));
  if (workloads.length > 0)
    notEvaluated.push(notRead(context, 'Workloads', workloads, 'so which operators run is not known'));

  for (const own of ownKinds(context)) {
    const id = idOf(own.user, own.crd.plural, own.crd.group);
    if (handled.has(id)) continue;
    const answer = judgeOwnKind(context, own, id);
    if (answer === undefined) continue;
    if ('because' in answer) resolved.push(answer);
    else if ('reason' in answer) notEvaluated.push(answer);
    else findings.push(answer);
  }
  return { findings, notEvaluated, resolved };
}

/** 403 names the right that would do; a server that fails to answer is called so. */
function notRead(
  { input }: FindingContext,
  what: string,
  resources: readonly string[],
  unknown: string,
): NotEvaluated {
  const names = resources.join(', ');
  const forbidden = resources.filter((resource) => input.failing?.includes(resource) !== true);
  if (forbidden.length === 0)
    return {
      rule: ruleId,
      reason: `${what} could not be read (${names}): the server fails to list them, ${unknown}.`,
    };
  return {
    rule: ruleId,
    reason: `${what} may not be read (${names}), ${unknown}.`,
    permission: `list ${forbidden.join(', ')} at the cluster scope`,
  };
}

function refusedStatusWrites({ input }: FindingContext): readonly Refusals[] {
  const byTarget = new Map<string, AccessRecord[]>();
  for (const record of input.access) {
    const write = record.verb === 'update' || record.verb === 'patch';
    if (record.outcome !== 'refused' || record.subresource !== 'status' || !write) continue;
    const key = `${record.user}\0${record.apiGroup}\0${record.resource}`;
    byTarget.set(key, [...(byTarget.get(key) ?? []), record]);
  }
  return [...byTarget.entries()].map(([key, records]) => {
    const [user = '', group = '', plural = ''] = key.split('\0');
    return { user, group, plural, records };
  });
}

function judgeRefusals(context: FindingContext, refusals: Refusals): Finding | Resolved | undefined {
  const { user, group, plural, records } = refusals;
  const crd = context.crds.byResource(group, plural);
  if (crd === undefined ? isBuiltInGroup(group) : !crd.servesStatus) return undefined;
  const identity = identityOf(context, user);
  if (!runsAnOperator(context, identity, records)) return undefined;
  const bindings = context.authorizer.bindings(identity);
  const readable = !rbacResources.some((resource) => context.input.unreadable.includes(resource));
  const judged = readable && namesIdentity(bindings);
  const id = idOf(user, plural, group);

  let open = records;
  if (judged) {
    open = records.filter((record) => !mayWrite(context, identity, record));
    if (open.length === 0) {
      const [first] = records;
      const because = first && grantedBecause(context, identity, first);
      return because === undefined ? undefined : { id, because };
    }
    open = open.filter((record) => !belongsElsewhere(context, user, { group, plural }, record));
  } else {
    open = records.filter((record) => !succeededLater(context, record));
    if (open.length === 0)
      return { id, because: `a later status write on ${plural} by ${subjectOf(identity)} succeeded` };
  }
  if (open.length === 0) return undefined;
  return refusedFinding(context, {
    id,
    identity,
    crd,
    refusals: { ...refusals, records: open },
    judged,
    readable,
    bindings,
  });
}

function refusedFinding(
  context: FindingContext,
  about: {
    readonly id: string;
    readonly identity: Identity;
    readonly crd: CrdInfo | undefined;
    readonly refusals: Refusals;
    readonly judged: boolean;
    readonly readable: boolean;
    readonly bindings: readonly ReachingBinding[];
  },
): Finding {
  const { id, identity, crd, refusals, judged, readable, bindings } = about;
  const { group, plural, records } = refusals;
  const verbs = [...new Set(records.map((record) => record.verb))].sort();
  const missing = missingOf(context, identity, { group, plural }, verbs, records[0]?.namespace ?? '');
  const { why, evidence, fix } = explain(context, identity, missing, bindings, judged);
  const count = refusedCount(records);
  const combined = `${plural}/status`;
  const from = earliest(records.map(({ first }) => first.at));
  const to = latest(records.map(({ last }) => last.at));
  const granted = judged ? ', and granted by no role' : '';
  const target = writtenObjects(records);
  const sentences = [
    crd === undefined ? undefined : `The ${crd.kind} CRD serves the status subresource.`,
    why,
    `Status writes${target} were answered 403${clockRange(from, to)}, so the status stays as it was.`,
    readable ? undefined : 'Roles and bindings could not be read, so its grants were not compared.',
    readable && !judged
      ? `No binding in this data names ${subjectOf(identity)}, so its grants were not judged.`
      : undefined,
  ];
  const basis = ['audit', 'log', 'event']
    .map(
      (from) =>
        records.find(({ last }) => last.basis.kind !== 'inferred' && last.basis.from === from)?.last.basis,
    )
    .find((one) => one !== undefined) ?? { kind: 'reported', from: 'log' };
  return {
    id,
    rule: ruleId,
    severity: 'error',
    subject: subjectOf(identity),
    title: `${joinWords(verbs)} on ${combined} is needed, refused ${countWord(count)}${granted}`,
    why: sentences.filter((one) => one !== undefined).join(' '),
    basis,
    fix,
    evidence: [...records.flatMap(refusalEvidence), ...evidence],
    openedAt: from ?? context.input.now,
  };
}

function judgeOwnKind(
  context: FindingContext,
  own: OwnKind,
  id: string,
): Finding | Resolved | NotEvaluated | undefined {
  const { user, crd } = own;
  if (!crd.servesStatus) return undefined;
  const identity = identityOf(context, user);
  const bindings = context.authorizer.bindings(identity);
  if (!namesIdentity(bindings)) {
    const reason = `No binding in this data names ${subjectOf(identity)}, so its grants on ${crd.plural}/status are not judged.`;
    return { rule: ruleId, reason };
  }
  const kind = grantsOnKind(context, user, crd, '');
  const status = grantsOnKind(context, user, crd, 'status');
  const writable = status.filter((path) => grantsVerb([path], 'update') || grantsVerb([path], 'patch'));
  if (writable.length > 0 && !leavesOut(context, crd, kind, writable)) {
    const target = {
      verb: grantsVerb(status, 'update') ? 'update' : 'patch',
      apiGroup: crd.group,
      resource: crd.plural,
    };
    const namespace = status[0]?.scope ?? '';
    const because = grantedBecause(context, identity, { ...target, subresource: 'status', namespace });
    return because === undefined ? undefined : { id, because };
  }
  if (!['update', 'patch', 'watch'].some((verb) => grantsVerb(kind, verb))) return undefined;
  if (context.input.unreadable.includes(`${crd.plural}.${crd.group}`))
    return notRead(
      context,
      `Objects of kind ${crd.kind}`,
      [`${crd.plural}.${crd.group}`],
      'so who writes their status is not known',
    );
  if (writtenByOthers(context, user, crd)) return undefined;

  const scope = kind.some((path) => path.scope === '') ? '' : (kind[0]?.scope ?? '');
  const missing = missingOf(context, identity, crd, ['update'], scope);
  const { why, evidence, fix } = explain(context, identity, missing, bindings, true);
  const because = evidence.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  const sentences = [
    `${crd.kind} is a kind this operator reconciles: ${own.why}.`,
    'Its CRD serves the status subresource, and no other manager writes that status.',
    why,
    'No refused status write was seen: the next write is answered 403.',
  ];
  return {
    id,
    rule: ruleId,
    severity: 'warning',
    subject: subjectOf(identity),
    title: `update on ${crd.plural}/status is needed and granted by no role`,
    why: sentences.filter((one) => one !== undefined).join(' '),
    basis: { kind: 'inferred', by: ruleId, because },
    fix,
    evidence: [...(own.evidence === undefined ? [] : [own.evidence]), ...evidence],
    openedAt: context.input.now,
  };
}

/** The nearest rule in words, the objects it stands in, and what would close the gap. */
function explain(
  context: FindingContext,
  identity: Identity,
  missing: MissingAccess,
  bindings: readonly ReachingBinding[],
  judged: boolean,
): { readonly why: string | undefined; readonly evidence: readonly Evidence[]; readonly fix: Fix } {
  const grants = judged ? context.authorizer.grants(identity) : [];
  const nearest = nearestRule(grants, missing);
  const patch = patchFor(missing, identity, context.policy, judged ? bindings : [], nearest);
  const combined = combinedResource(missing);
  const verbs = joinWords(patchVerbs(missing));
  const place = patch.role.namespace === '' ? '' : ` in ${patch.role.namespace}`;
  const target = patch.create
    ? `a role that is bound to ${subjectOf(identity)}; the patch makes a new one`
    : `${patch.role.kind} ${patch.role.name}${place}`;
  const note = patch.note === undefined ? '' : ` ${patch.note}`;
  const fix: Fix = {
    text: `Add a rule for API group ${missing.apiGroup}, resource ${combined}, verbs ${verbs} to ${target}.${note} Loopscope never writes: you apply it.`,
    patch: patch.yaml,
    marker: kubebuilderMarker(missing, patch.role),
  };
  if (nearest === undefined) {
    const why = judged
      ? `No rule that reaches it names ${combined}, */status or * in ${missing.apiGroup}.`
      : undefined;
    return { why, evidence: [], fix };
  }

  const { role, binding, rule, ruleIndex } = nearest.path;
  const held = joinWords(rule.verbs.filter((verb) => ['update', 'patch', '*'].includes(verb)));
  const grantsText = held === '' ? `names ${missing.resource}` : `grants ${held} on ${missing.resource}`;
  const why =
    nearest.lacks === 'subresource'
      ? `${role.kind} ${role.name} (rule ${ruleIndex + 1}) ${grantsText}, and a rule on ${missing.resource} does not cover ${combined}.`
      : `The nearest rule, ${ruleIndex + 1} of ${role.kind} ${role.name}, does not allow it here: ${lacking[nearest.lacks]}.`;
  const basis = { kind: 'observed', from: context.input.objectBasis } as const;
  const evidence: Evidence[] = [
    {
      text: `${role.kind} ${role.name}: no rule for ${combined}; rule ${ruleIndex + 1} is the nearest`,
      basis,
      ...context.input.locate?.(role),
    },
    {
      text: `${binding.kind} ${binding.name} binds ${role.kind} ${role.name} to ${subjectOf(identity)}`,
      basis,
      ...context.input.locate?.(binding),
    },
  ];
  return { why, evidence, fix };
}

const lacking = {
  subresource: 'it names the resource without the subresource',
  verb: 'it holds other verbs',
  scope: 'it counts in another namespace',
  resourceName: 'it is limited to other names',
  apiGroup: 'it is of another API group',
} as const;

/** The kind's own scope decides where the rule belongs: cluster-wide when the kind is granted so. */
function missingOf(
  context: FindingContext,
  identity: Identity,
  resource: Pick<CrdInfo, 'group' | 'plural'>,
  verbs: readonly string[],
  namespace: string,
): MissingAccess {
  const kind = grantsOnKind(context, identity.user, resource, '');
  const scope = kind.length === 0 || kind.some((path) => path.scope === '') ? '' : namespace;
  return { apiGroup: resource.group, resource: resource.plural, subresource: 'status', verbs, scope };
}

/** A person whose try the audit log shows is no operator; who a profile or an operator's own words name is one. */
function runsAnOperator(
  { input }: FindingContext,
  identity: Identity,
  records: readonly AccessRecord[],
): boolean {
  return (
    identity.serviceAccount !== undefined ||
    input.profiles.some((profile) => profile.identity.value.user === identity.user) ||
    records.some(({ last }) => last.basis.kind === 'reported')
  );
}

/**
 * Group bindings of the cluster's own (system:authenticated) reach everyone and say nothing of this identity; the group
 * of one namespace's ServiceAccounts is how some operators are bound.
 */
function namesIdentity(bindings: readonly ReachingBinding[]): boolean {
  return bindings.some(
    ({ subject, role }) =>
      subject.kind !== 'Group' ||
      (subject.name.startsWith('system:serviceaccounts:') && role?.ref.name.startsWith('system:') === false),
  );
}

/** Some object lies where the kind is granted and its status is not. */
function leavesOut(
  { input }: FindingContext,
  crd: CrdInfo,
  kind: readonly GrantPath[],
  status: readonly GrantPath[],
): boolean {
  const reaches = (paths: readonly GrantPath[], namespace: string) =>
    paths.some(({ scope }) => scope === '' || scope === namespace);
  for (const { namespace } of input.objects.heads(`${crd.group}/${crd.kind}`))
    if (reaches(kind, namespace) && !reaches(status, namespace)) return true;
  return false;
}

function mayWrite({ authorizer }: FindingContext, identity: Identity, record: AccessRecord): boolean {
  const { verb, apiGroup, resource, subresource, namespace, name = '' } = record;
  return authorizer.authorize(identity, {
    kind: 'resource',
    verb,
    apiGroup,
    resource,
    subresource,
    namespace,
    name,
  }).allowed;
}

/** The kind is granted in other namespaces only: the object lies outside the operator's scope, which is another fault. */
function belongsElsewhere(
  context: FindingContext,
  user: string,
  resource: Pick<CrdInfo, 'group' | 'plural'>,
  record: AccessRecord,
): boolean {
  const scopes = new Set(grantsOnKind(context, user, resource, '').map((path) => path.scope));
  return scopes.size > 0 && !scopes.has('') && !scopes.has(record.namespace);
}

function succeededLater({ input }: FindingContext, refused: AccessRecord): boolean {
  return input.access.some(
    (record) =>
      record.outcome === 'allowed' &&
      record.user === refused.user &&
      record.apiGroup === refused.apiGroup &&
      record.resource === refused.resource &&
      record.subresource === 'status' &&
      record.verb === refused.verb &&
      record.namespace === refused.namespace &&
      Date.parse(record.last.at ?? '') > Date.parse(refused.last.at ?? ''),
  );
}

/** Somebody other than this operator's own field managers has written the status of some object of the kind. */
function writtenByOthers({ input }: FindingContext, user: string, crd: CrdInfo): boolean {
  const managers = input.profiles
    .filter((profile) => profile.identity.value.user === user)
    .flatMap((profile) => profile.fieldManagers.value);
  for (const head of input.objects.heads(`${crd.group}/${crd.kind}`))
    if (head.writers.some((one) => one.subresource === 'status' && !managers.includes(one.manager)))
      return !isOnlyKnownWriter(input, user, crd);
  return false;
}

/** Audit (or a log) shows status writes of this user that passed, and of nobody else: it writes under a name of its own. */
function isOnlyKnownWriter(input: FindingContext['input'], user: string, crd: CrdInfo): boolean {
  const writes = input.access.filter(
    ({ outcome, verb, apiGroup, resource, subresource }) =>
      outcome === 'allowed' &&
      (verb === 'update' || verb === 'patch') &&
      apiGroup === crd.group &&
      resource === crd.plural &&
      subresource === 'status',
  );
  return writes.length > 0 && writes.every((record) => record.user === user);
}

/** ` of shop/a, shop/b and 3 more`; empty when no refusal names an object. */
function writtenObjects(records: readonly AccessRecord[]): string {
  const objects = new Set<string>();
  for (const { namespace, names } of records)
    for (const name of names) objects.add(namespace === '' ? name : `${namespace}/${name}`);
  const shown = [...objects].slice(0, 3);
  if (objects.size > shown.length) shown.push(`${objects.size - shown.length} more`);
  return shown.length === 0 ? '' : ` of ${joinWords(shown)}`;
}

/** Log, audit and Event tell of the same requests: the fullest of them counts. */
function refusedCount(records: readonly AccessRecord[]): number {
  const perSource = new Map<string, number>();
  for (const { count, last } of records) {
    const from = last.basis.kind === 'inferred' ? 'inferred' : last.basis.from;
    perSource.set(from, (perSource.get(from) ?? 0) + count);
  }
  return Math.max(1, ...perSource.values());
}

function refusalEvidence({ count, first, last }: AccessRecord): readonly Evidence[] {
  return count === 1 ? [first] : [first, { ...last, text: `last of ${count}: ${last.text}` }];
}

function idOf(user: string, plural: string, group: string): string {
  return `${ruleId}:${subjectOf(identityOfUser(user))}:${plural}.${group}`;
}
