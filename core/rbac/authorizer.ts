/**
 * The RBAC authorizer of the API server: may this user do that, and through which binding, role and rule? Additive only:
 * no rule denies. `system:masters` is another authorizer's business (see isSuperuser).
 * Mirrors kubernetes plugin/pkg/auth/authorizer/rbac and pkg/registry/rbac/validation. Spec: docs/spec/rbac.md
 */
import type { Identity } from '../../shared/model/profile.ts';
import type { GrantPath, PolicyRule, RbacRef } from '../../shared/model/rbac.ts';
import type { Binding, RbacPolicy, Role, Subject } from './policy.ts';

/** A user as the API server sees it after authentication. */
export type RbacUser = Pick<Identity, 'user' | 'groups'>;

/** `namespace` empty = cluster scope (or all namespaces for a list). `name` empty = none in the request. */
export type AccessRequest =
  | {
      readonly kind: 'resource';
      readonly verb: string;
      readonly apiGroup: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly kind: 'url'; readonly verb: string; readonly path: string };

/** A binding whose role is not there: it grants nothing. */
export interface DanglingBinding {
  readonly binding: RbacRef;
  readonly role: RbacRef;
}

export type AccessDecision =
  /** `reason` in the words of the API server's audit annotation. */
  | { readonly allowed: true; readonly reason: string; readonly path: GrantPath }
  | { readonly allowed: false; readonly dangling: readonly DanglingBinding[] };

export interface Authorizer {
  /** First matching binding in listed order: ClusterRoleBindings, then RoleBindings of the request's namespace. */
  authorize(user: RbacUser, request: AccessRequest): AccessDecision;
  /** Every rule that reaches the user, in every namespace, in the order in which the authorizer would ask them. */
  grants(user: RbacUser): readonly GrantPath[];
  /** Bindings that name the user, with the role they point to (undefined when it is missing) and the matching subject. */
  bindings(user: RbacUser): readonly ReachingBinding[];
}

export interface ReachingBinding {
  readonly binding: Binding;
  readonly subject: Subject;
  readonly role: Role | undefined;
  readonly roleRef: RbacRef;
  /** Namespace the binding grants in; empty = the whole cluster. */
  readonly scope: string;
}

/** Builds the look-ups once; every question after that walks only the bindings that can apply. */
export function createAuthorizer(policy: RbacPolicy): Authorizer {
  const clusterRoles = new Map(policy.clusterRoles.map((role) => [role.ref.name, role]));
  const roles = new Map(policy.roles.map((role) => [`${role.ref.namespace}/${role.ref.name}`, role]));
  const byNamespace = new Map<string, Binding[]>();
  for (const binding of policy.roleBindings) {
    const list = byNamespace.get(binding.ref.namespace);
    if (list === undefined) byNamespace.set(binding.ref.namespace, [binding]);
    else list.push(binding);
  }

  // Asked again and again for one user: which bindings reach it does not change with the question.
  const known = new Map<string, ReachingBinding[]>();

  function reaching(user: RbacUser, namespace: string): readonly ReachingBinding[] {
    const key = [namespace, user.user, ...user.groups].join('\0');
    let reached = known.get(key);
    if (reached === undefined) {
      const bindings = namespace === '' ? policy.clusterRoleBindings : (byNamespace.get(namespace) ?? []);
      reached = find(user, bindings);
      known.set(key, reached);
    }
    return reached;
  }

  function find(user: RbacUser, bindings: readonly Binding[]): ReachingBinding[] {
    return bindings.flatMap((binding) => {
      const scope = binding.ref.namespace;
      const subject = binding.subjects.find((one) => subjectApplies(one, user, scope));
      if (subject === undefined) return [];
      const { role, ref } = resolve(binding);
      return [{ binding, subject, role, roleRef: ref, scope }];
    });
  }

  function resolve(binding: Binding): { role: Role | undefined; ref: RbacRef } {
    const { kind, name } = binding.role;
    if (kind === 'Role') {
      const namespace = binding.ref.namespace;
      // A ClusterRoleBinding cannot reach a Role: there is no namespace to look in.
      const role = namespace === '' ? undefined : roles.get(`${namespace}/${name}`);
      return { role, ref: { kind: 'Role', namespace, name } };
    }
    const role = kind === 'ClusterRole' ? clusterRoles.get(name) : undefined;
    return { role, ref: { kind: 'ClusterRole', namespace: '', name } };
  }

  function bindings(user: RbacUser): readonly ReachingBinding[] {
    return [...reaching(user, ''), ...find(user, policy.roleBindings)];
  }

  const knownGrants = new Map<string, readonly GrantPath[]>();

  function grants(user: RbacUser): readonly GrantPath[] {
    const key = [user.user, ...user.groups].join('\0');
    let paths = knownGrants.get(key);
    if (paths === undefined) {
      paths = bindings(user).flatMap((reached) => {
        const { role } = reached;
        return role === undefined ? [] : role.rules.map((rule, index) => pathOf(reached, role, index, rule));
      });
      knownGrants.set(key, paths);
    }
    return paths;
  }

  return {
    authorize(user, request) {
      const namespace = request.kind === 'resource' ? request.namespace : '';
      const dangling: DanglingBinding[] = [];
      for (const scope of namespace === '' ? [''] : ['', namespace]) {
        for (const reached of reaching(user, scope)) {
          if (reached.role === undefined) {
            dangling.push({ binding: reached.binding.ref, role: reached.roleRef });
            continue;
          }
          const ruleIndex = reached.role.rules.findIndex((rule) => ruleAllows(rule, request));
          const rule = reached.role.rules[ruleIndex];
          if (rule === undefined) continue;
          const path = pathOf(reached, reached.role, ruleIndex, rule);
          return { allowed: true, reason: reasonOf(reached), path };
        }
      }
      return { allowed: false, dangling };
    },
    grants,
    bindings,
  };
}

/** True when one rule allows the request, whatever its scope. Source: rbac.go, RuleAllows. */
export function ruleAllows(rule: PolicyRule, request: AccessRequest): boolean {
  if (!matchesAny(rule.verbs, request.verb)) return false;
  if (request.kind === 'url') return rule.nonResourceURLs.some((url) => urlMatches(url, request.path));
  return (
    matchesAny(rule.apiGroups, request.apiGroup) &&
    resourceMatches(rule, request.resource, request.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(request.name))
  );
}

/** `*` is everything, `x` not `x/status`, `*` + `/status` only that subresource; `x/*` is a literal. */
export function resourceMatches(rule: PolicyRule, resource: string, subresource: string): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return rule.resources.some(
    (one) => one === '*' || one === combined || (subresource !== '' && one === `*/${subresource}`),
  );
}

/** Source: rule.go, appliesToUser. `namespace` is the RoleBinding's; empty in a ClusterRoleBinding. */
export function subjectApplies(subject: Subject, user: RbacUser, namespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user.user;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const home = subject.namespace === '' ? namespace : subject.namespace;
      return home !== '' && user.user === serviceAccountUser(home, subject.name);
    }
    default:
      return false;
  }
}

/** The name the API server uses: a list or watch by `metadata.name=x` carries that name. */
export function requestName(request: {
  readonly verb: string;
  readonly name?: string | undefined;
  readonly fieldSelector?: string | undefined;
}): string {
  if (request.name !== undefined && request.name !== '') return request.name;
  if (request.verb !== 'list' && request.verb !== 'watch') return '';
  const term = (request.fieldSelector ?? '').split(',').find((one) => /^metadata\.name==?[^=]/.test(one));
  return term === undefined ? '' : term.slice(term.lastIndexOf('=') + 1);
}

/** Members of system:masters pass before RBAC is asked. */
export function isSuperuser(user: RbacUser): boolean {
  return user.groups.includes('system:masters');
}

export function serviceAccountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The identity of a ServiceAccount, with the groups every token of it carries. */
export function serviceAccountIdentity(namespace: string, name: string): Identity {
  return {
    user: serviceAccountUser(namespace, name),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    serviceAccount: { namespace, name },
  };
}

/** The identity behind a user name; a ServiceAccount's groups follow from its name, another user's must be told. */
export function identityOfUser(user: string, groups: readonly string[] = ['system:authenticated']): Identity {
  const parts = user.split(':');
  const [system, kind, namespace, name] = parts;
  if (parts.length === 4 && system === 'system' && kind === 'serviceaccount' && namespace && name)
    return serviceAccountIdentity(namespace, name);
  return { user, groups };
}

function matchesAny(values: readonly string[], wanted: string): boolean {
  return values.some((value) => value === '*' || value === wanted);
}

function urlMatches(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  return url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''));
}

function pathOf(reached: ReachingBinding, role: Role, ruleIndex: number, rule: PolicyRule): GrantPath {
  return { binding: reached.binding.ref, role: role.ref, ruleIndex, scope: reached.scope, rule };
}

function reasonOf({ binding, subject }: ReachingBinding): string {
  const { kind, namespace, name } = binding.ref;
  const own = namespace === '' ? name : `${name}/${namespace}`;
  const home = subject.namespace === '' ? namespace : subject.namespace;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${home}` : subject.name;
  return `RBAC: allowed by ${kind} "${own}" of ${binding.role.kind} "${binding.role.name}" to ${subject.kind} "${who}"`;
}
