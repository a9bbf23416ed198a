/**
 * The RBAC objects of a cluster in the form the authorizer reads. Tolerant of what a snapshot may hold: a missing list
 * is empty, an object that is no RBAC object is left out. Parsed objects are remembered by identity, so reading a policy
 * again after one role changed costs that one role.
 */
import { asRecord, asText } from '../../shared/base/json.ts';
import { groupOf } from '../../shared/model/ids.ts';
import type { KubeObject, ObjectMeta } from '../../shared/model/kube.ts';
import type { PolicyRule, RbacRef } from '../../shared/model/rbac.ts';
import type { LabelSelector } from '../informer/predicates/labelSelector.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';

export interface Role {
  readonly ref: RbacRef;
  readonly rules: readonly PolicyRule[];
  /** False when the object has no rules list at all (a JSON patch must create it). */
  readonly hasRules: boolean;
  readonly metadata: Partial<ObjectMeta>;
  /** Selectors of an aggregated ClusterRole; its stored rules are overwritten by the aggregation controller. */
  readonly aggregation?: readonly LabelSelector[];
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

export interface Binding {
  readonly ref: RbacRef;
  readonly role: { readonly kind: string; readonly name: string };
  readonly subjects: readonly Subject[];
  readonly metadata: Partial<ObjectMeta>;
}

/** All RBAC objects known, each list in the order given. */
export interface RbacPolicy {
  readonly roles: readonly Role[];
  readonly clusterRoles: readonly Role[];
  readonly roleBindings: readonly Binding[];
  readonly clusterRoleBindings: readonly Binding[];
}

/** Sorts RBAC objects into a policy; other objects are ignored. */
export function readPolicy(objects: Iterable<KubeObject>): RbacPolicy {
  const roles: Role[] = [];
  const clusterRoles: Role[] = [];
  const roleBindings: Binding[] = [];
  const clusterRoleBindings: Binding[] = [];
  for (const object of objects) {
    if (groupOf(object.apiVersion) !== rbacGroup) continue;
    if (object.kind === 'Role') roles.push(readRole(object));
    else if (object.kind === 'ClusterRole') clusterRoles.push(readRole(object));
    else if (object.kind === 'RoleBinding') roleBindings.push(readBinding(object));
    else if (object.kind === 'ClusterRoleBinding') clusterRoleBindings.push(readBinding(object));
  }
  return { roles, clusterRoles, roleBindings, clusterRoleBindings };
}

const knownRoles = new WeakMap<KubeObject, Role>();
const knownBindings = new WeakMap<KubeObject, Binding>();

export function readRole(object: KubeObject): Role {
  const known = knownRoles.get(object);
  if (known !== undefined) return known;
  const cluster = object.kind === 'ClusterRole';
  const aggregation = asRecord(object.aggregationRule);
  const role: Role = {
    ref: refOf(object, cluster ? 'ClusterRole' : 'Role'),
    rules: asArray(object.rules).map(readRule),
    hasRules: Array.isArray(object.rules),
    metadata: object.metadata,
    // The controller asks for the aggregation rule alone: one without selectors finds nothing, and empties the role.
    ...(aggregation === undefined
      ? {}
      : { aggregation: asArray(aggregation.clusterRoleSelectors).flatMap(readSelector) }),
  };
  knownRoles.set(object, role);
  return role;
}

/** Empty for what is no selector. */
function readSelector(selector: unknown): readonly LabelSelector[] {
  const fields = asRecord(selector);
  if (fields === undefined) return [];
  const labels = Object.entries(asRecord(fields.matchLabels) ?? {});
  return [
    {
      matchLabels: Object.fromEntries(
        labels.filter((label): label is [string, string] => typeof label[1] === 'string'),
      ),
      // An expression without an operator does not compile: the role then keeps its stored rules.
      matchExpressions: asArray(fields.matchExpressions).map((one) => {
        const expression = asRecord(one);
        return {
          key: asText(expression?.key),
          operator: asText(expression?.operator),
          values: texts(expression?.values),
        };
      }),
    },
  ];
}

export function readBinding(object: KubeObject): Binding {
  const known = knownBindings.get(object);
  if (known !== undefined) return known;
  const roleRef = asRecord(object.roleRef);
  const binding: Binding = {
    ref: refOf(object, object.kind === 'ClusterRoleBinding' ? 'ClusterRoleBinding' : 'RoleBinding'),
    role: { kind: asText(roleRef?.kind), name: asText(roleRef?.name) },
    subjects: asArray(object.subjects).map((subject) => {
      const fields = asRecord(subject);
      return {
        kind: asText(fields?.kind),
        name: asText(fields?.name),
        namespace: asText(fields?.namespace),
      };
    }),
    metadata: object.metadata,
  };
  knownBindings.set(object, binding);
  return binding;
}

/** One wire rule; missing lists are empty. */
export function readRule(rule: unknown): PolicyRule {
  const fields = asRecord(rule);
  return {
    verbs: texts(fields?.verbs),
    apiGroups: texts(fields?.apiGroups),
    resources: texts(fields?.resources),
    resourceNames: texts(fields?.resourceNames),
    nonResourceURLs: texts(fields?.nonResourceURLs),
  };
}

/** apimachinery equality.Semantic on rules: same lists in the same order; nil and empty are equal. */
export function sameRule(a: PolicyRule, b: PolicyRule): boolean {
  return (
    sameList(a.verbs, b.verbs) &&
    sameList(a.apiGroups, b.apiGroups) &&
    sameList(a.resources, b.resources) &&
    sameList(a.resourceNames, b.resourceNames) &&
    sameList(a.nonResourceURLs, b.nonResourceURLs)
  );
}

/** `Kind/namespace/name`, `-` for no namespace: how findings and evidence name an object. */
export function refText(ref: RbacRef): string {
  return `${ref.kind}/${ref.namespace === '' ? '-' : ref.namespace}/${ref.name}`;
}

function refOf(object: KubeObject, kind: RbacRef['kind']): RbacRef {
  const namespaced = kind === 'Role' || kind === 'RoleBinding';
  return {
    kind,
    namespace: namespaced ? (object.metadata.namespace ?? '') : '',
    name: object.metadata.name,
  };
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function texts(value: unknown): readonly string[] {
  return asArray(value).filter((item) => typeof item === 'string');
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
