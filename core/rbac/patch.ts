/**
 * The smallest change that closes a gap: one rule for the role that already holds the nearest one. Never applied by us.
 * Built-in roles are not touched, aggregated roles are changed at their source, and where no own role is bound in the
 * scope a new role with its binding is proposed.
 */
import type { Identity } from '../../shared/model/profile.ts';
import {
  type PatchLine,
  type PolicyRule,
  type RbacPatch,
  type RbacRef,
  rbacVerbs,
} from '../../shared/model/rbac.ts';
import { sourcesOf } from './aggregation.ts';
import type { ReachingBinding } from './authorizer.ts';
import type { MissingAccess, NearestRule } from './nearest.ts';
import { type RbacPolicy, type Role, sameRule } from './policy.ts';
import { type NewRule, ruleLines, scalar } from './ruleYaml.ts';

const patchFile = 'loopscope-patch.yaml';

/** The verbs to grant: whole customary sets, so that the next call of the same client does not fail in turn. */
export function patchVerbs(missing: MissingAccess): readonly string[] {
  if (missing.subresource === 'status' || missing.subresource === 'scale') return ['get', 'update', 'patch'];
  if (missing.subresource === 'finalizers') return ['update'];
  const wanted = new Set(missing.verbs);
  if (wanted.has('list') || wanted.has('watch'))
    for (const verb of ['get', 'list', 'watch']) wanted.add(verb);
  const order = (verb: string) => {
    const index = (rbacVerbs as readonly string[]).indexOf(verb);
    return index < 0 ? rbacVerbs.length : index;
  };
  return [...wanted].sort((a, b) => order(a) - order(b));
}

/** The rule that is missing. */
export function patchRule(missing: MissingAccess): NewRule {
  const resource =
    missing.subresource === '' ? missing.resource : `${missing.resource}/${missing.subresource}`;
  return { apiGroups: [missing.apiGroup], resources: [resource], verbs: patchVerbs(missing) };
}

/** The kubebuilder marker that generates the rule, in the role that is to carry it. */
export function kubebuilderMarker(missing: MissingAccess, role: RbacRef): string {
  const { apiGroups, resources, verbs } = patchRule(missing);
  const group = apiGroups[0] === '' ? '""' : (apiGroups[0] ?? '');
  const namespace = role.kind === 'Role' ? `,namespace=${role.namespace}` : '';
  return `//+kubebuilder:rbac:groups=${group}${namespace},resources=${resources.join(';')},verbs=${verbs.join(';')}`;
}

/** The patch for `missing`, against the role that should carry it. */
export function patchFor(
  missing: MissingAccess,
  identity: Identity,
  policy: RbacPolicy,
  bindings: readonly ReachingBinding[],
  nearest: NearestRule | undefined,
): RbacPatch {
  const rule = patchRule(missing);
  const bound = chooseRole(missing, bindings, nearest);
  if (bound === undefined) return newRole(missing, identity, rule);
  if (bound.aggregation === undefined) return addRule(bound, rule, nearest?.path.rule);

  const source = chooseSource(bound, policy, nearest?.path.rule);
  const note = `ClusterRole ${bound.ref.name} is aggregated: rules of its own are overwritten, so the rule goes to a role it draws from.`;
  if (source !== undefined) return { ...addRule(source, rule, nearest?.path.rule), note };
  const labels = bound.aggregation.find(
    (selector) => Object.keys(selector.matchLabels ?? {}).length > 0,
  )?.matchLabels;
  return labels === undefined || labels === null
    ? { ...newRole(missing, identity, rule), note }
    : { ...newSource(bound, labels, rule), note };
}

/** Own roles bound where the need is: the one with the nearest rule, else most rules of the group, else most rules. */
function chooseRole(
  missing: MissingAccess,
  bindings: readonly ReachingBinding[],
  nearest: NearestRule | undefined,
): Role | undefined {
  let best: { readonly role: Role; readonly score: number } | undefined;
  for (const { role, scope, subject } of bindings) {
    if (role === undefined || isBuiltIn(role) || isForMany(subject)) continue;
    if (scope !== '' && scope !== missing.scope) continue;
    const holdsNearest = nearest !== undefined && sameRef(role.ref, nearest.path.role);
    const ofGroup = role.rules.filter((rule) => rule.apiGroups.includes(missing.apiGroup)).length;
    const score = (holdsNearest ? 1e6 : 0) + ofGroup * 1000 + role.rules.length;
    if (best === undefined || score > best.score) best = { role, score };
  }
  return best?.role;
}

function chooseSource(role: Role, policy: RbacPolicy, near: PolicyRule | undefined): Role | undefined {
  const sources = (sourcesOf(role, policy.clusterRoles) ?? []).filter(
    (source) => source.aggregation === undefined && !isBuiltIn(source),
  );
  return (
    sources.find((source) => near !== undefined && source.rules.some((rule) => sameRule(rule, near))) ??
    sources[0]
  );
}

function addRule(role: Role, rule: NewRule, near: PolicyRule | undefined): RbacPatch {
  const added = ruleLines(rule);
  const context = near !== undefined && role.rules.some((one) => sameRule(one, near)) ? ruleLines(near) : [];
  const { kind, namespace, name } = role.ref;
  const where = namespace === '' ? '' : ` -n ${namespace}`;
  const command = `kubectl patch ${kind.toLowerCase()} ${name}${where} --type=json --patch-file=${patchFile}`;
  const [head = '', ...rest] = added;
  const value = [head.slice(2), ...rest.map((line) => line.slice(2))].map((line) => `    ${line}`);
  const operation = role.hasRules
    ? ['- op: add', '  path: /rules/-', '  value:', ...value]
    : ['- op: add', '  path: /rules', '  value:', ...added.map((line) => `  ${line}`)];
  return {
    role: role.ref,
    create: false,
    lines: [
      { text: `# ${kind} ${name}${namespace === '' ? '' : ` in ${namespace}`}`, added: false },
      ...context.map((text): PatchLine => ({ text, added: false })),
      ...added.map((text): PatchLine => ({ text, added: true })),
    ],
    yaml: `${[`# ${command}`, ...operation].join('\n')}\n`,
    command,
  };
}

/** A role of its own with a binding, in the scope of the need. */
function newRole(missing: MissingAccess, identity: Identity, rule: NewRule): RbacPatch {
  const cluster = missing.scope === '';
  const base =
    identity.serviceAccount?.name ??
    (identity.user.replace(/[^a-z0-9.-]+/gi, '-').toLowerCase() || 'operator');
  const name = `${base}-${missing.resource}${missing.subresource === '' ? '' : `-${missing.subresource}`}`;
  const ref: RbacRef = { kind: cluster ? 'ClusterRole' : 'Role', namespace: missing.scope, name };
  const meta = cluster
    ? `{name: ${scalar(name)}}`
    : `{name: ${scalar(name)}, namespace: ${scalar(missing.scope)}}`;
  const account = identity.serviceAccount;
  const subject =
    account === undefined
      ? `- {kind: User, apiGroup: rbac.authorization.k8s.io, name: ${scalar(identity.user)}}`
      : `- {kind: ServiceAccount, name: ${scalar(account.name)}, namespace: ${scalar(account.namespace)}}`;
  return manifest(ref, [
    ...roleHead(ref.kind, meta),
    'rules:',
    ...ruleLines(rule),
    '---',
    ...roleHead(`${ref.kind}Binding`, meta),
    `roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ${ref.kind}, name: ${scalar(name)}}`,
    'subjects:',
    subject,
  ]);
}

/** A ClusterRole that the aggregated one picks up by its labels. */
function newSource(role: Role, labels: Readonly<Record<string, string>>, rule: NewRule): RbacPatch {
  const name = `${role.ref.name}-additions`;
  const ref: RbacRef = { kind: 'ClusterRole', namespace: '', name };
  const labelText = Object.entries(labels).map(([key, value]) => `    ${scalar(key)}: ${scalar(value)}`);
  return manifest(ref, [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: ClusterRole',
    'metadata:',
    `  name: ${scalar(name)}`,
    '  labels:',
    ...labelText,
    'rules:',
    ...ruleLines(rule),
  ]);
}

function roleHead(kind: string, meta: string): readonly string[] {
  return ['apiVersion: rbac.authorization.k8s.io/v1', `kind: ${kind}`, `metadata: ${meta}`];
}

function manifest(role: RbacRef, lines: readonly string[]): RbacPatch {
  const command = `kubectl apply -f ${patchFile}`;
  return {
    role,
    create: true,
    lines: lines.map((text): PatchLine => ({ text, added: true })),
    yaml: `${[`# ${command}`, ...lines].join('\n')}\n`,
    command,
  };
}

/** A rule for a group reaches more than the operator; the ServiceAccounts of its own namespace are what it was bound by. */
function isForMany(subject: ReachingBinding['subject']): boolean {
  return subject.kind === 'Group' && !subject.name.startsWith('system:serviceaccounts:');
}

function isBuiltIn(role: Role): boolean {
  return (
    role.ref.name.startsWith('system:') ||
    role.metadata.labels?.['kubernetes.io/bootstrapping'] === 'rbac-defaults'
  );
}

function sameRef(a: RbacRef, b: RbacRef): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}
