import { z } from 'zod';
import { zEvidence } from './finding.ts';
import { zIdentity } from './profile.ts';

/** A role or binding. `namespace` is empty for ClusterRole and ClusterRoleBinding. */
export const zRbacRef = z.object({
  kind: z.enum(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']),
  namespace: z.string(),
  name: z.string(),
});
export type RbacRef = Readonly<z.infer<typeof zRbacRef>>;

/** One rule of a role, as stored; missing lists are empty. */
export const zPolicyRule = z.object({
  verbs: z.array(z.string()).readonly(),
  apiGroups: z.array(z.string()).readonly(),
  resources: z.array(z.string()).readonly(),
  resourceNames: z.array(z.string()).readonly(),
  nonResourceURLs: z.array(z.string()).readonly(),
});
export type PolicyRule = Readonly<z.infer<typeof zPolicyRule>>;

/** How one rule reaches an identity: binding → role → rule. */
export const zGrantPath = z.object({
  binding: zRbacRef,
  role: zRbacRef,
  /** Index in the role's `rules`, from 0; shown as `#n` from 1. */
  ruleIndex: z.number().int().nonnegative(),
  /** Namespace the grant counts in; empty = the whole cluster. A RoleBinding grants in its namespace only. */
  scope: z.string(),
  rule: zPolicyRule,
});
export type GrantPath = Readonly<z.infer<typeof zGrantPath>>;

/**
 * refused: tried and answered 403, not granted now. neededNotTried: needed (profile, marker) and not granted.
 * grantedUsed / grantedNotSeen: granted, with or without a request seen. none: neither needed nor granted.
 */
export const zRbacCellState = z.enum(['refused', 'neededNotTried', 'grantedUsed', 'grantedNotSeen', 'none']);
export type RbacCellState = z.infer<typeof zRbacCellState>;

export const zRbacRowGroup = z.enum(['gap', 'used', 'unused']);
export type RbacRowGroup = z.infer<typeof zRbacRowGroup>;

/** The columns that are always shown, in this order; other verbs (deletecollection, bind …) follow when present. */
export const rbacVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;

/** One step of "Why it is refused", in order. Data, not text: the window has it in each language. */
export const zRbacStep = z.discriminatedUnion('kind', [
  /** `rules` rules reach this identity through so many bindings. Zero rules: no binding names it. */
  z.object({
    kind: z.literal('reach'),
    rules: z.number().int(),
    clusterRoleBindings: z.number().int(),
    roleBindings: z.number().int(),
  }),
  /** A binding names a role that does not exist: it grants nothing. */
  z.object({ kind: z.literal('missingRole'), binding: zRbacRef, role: zRbacRef }),
  /** The nearest rule and the one thing it lacks. `verbs` and `resources` are the rule's own, cut to what is near. */
  z.object({
    kind: z.literal('nearest'),
    path: zGrantPath,
    resource: z.string(),
    verbs: z.array(z.string()).readonly(),
    lacks: z.enum(['subresource', 'verb', 'scope', 'resourceName', 'apiGroup']),
  }),
  /** No rule names any of `resources` in `apiGroup`; RBAC has no deny, nothing allows it. */
  z.object({
    kind: z.literal('noRule'),
    resources: z.array(z.string()).readonly(),
    apiGroup: z.string(),
    verbs: z.array(z.string()).readonly(),
  }),
]);
export type RbacStep = Readonly<z.infer<typeof zRbacStep>>;

/** One line of the patch as shown; `added` lines are the patch, the rest is the nearest existing rule as context. */
export const zPatchLine = z.object({ text: z.string(), added: z.boolean() });
export type PatchLine = Readonly<z.infer<typeof zPatchLine>>;

/** The minimal change that closes a gap. Loopscope never applies it. */
export const zRbacPatch = z.object({
  /** The role that should carry the rule; `create` when it does not exist yet. */
  role: zRbacRef,
  create: z.boolean(),
  /** What stands before the code, e.g. `# ClusterRole database-operator-manager`, and the rule list. */
  lines: z.array(zPatchLine).readonly(),
  /** What Copy copies: YAML for kubectl; its first line is a comment with the command that applies it. */
  yaml: z.string(),
  /** That command; reads `yaml` from stdin or the file it names. */
  command: z.string(),
  /** Why this role, where that is not plain (aggregated role, new role). */
  note: z.string().optional(),
});
export type RbacPatch = Readonly<z.infer<typeof zRbacPatch>>;

export const zRbacGap = z.object({
  /** Verbs needed and not granted, in column order. */
  verbs: z.array(z.string()).readonly(),
  /** Refused requests seen; 0 when never tried. Log, audit and Event tell of one request each, so: the largest of them. */
  refusals: z.number().int(),
  firstRefusedAt: z.string().optional(),
  lastRefusedAt: z.string().optional(),
  steps: z.array(zRbacStep).readonly(),
  patch: zRbacPatch,
  /** `//+kubebuilder:rbac:groups=…,resources=…,verbs=…` */
  marker: z.string(),
  /** SubjectAccessReview, where it could be asked. `agrees` compares with our evaluator. */
  review: z.object({ allowed: z.boolean(), agrees: z.boolean(), reason: z.string().optional() }).optional(),
});
export type RbacGap = Readonly<z.infer<typeof zRbacGap>>;

export const zRbacRow = z.object({
  /** Stable: `resource[/subresource].group@scope`. */
  id: z.string(),
  group: zRbacRowGroup,
  apiGroup: z.string(),
  /** `databases`, `*`; for a non-resource rule the URL. */
  resource: z.string(),
  /** `status`; empty for the resource itself. */
  subresource: z.string(),
  /** Namespace, or empty for all namespaces and cluster-scoped resources. */
  scope: z.string(),
  /** Granted for these names only; empty = all. */
  resourceNames: z.array(z.string()).readonly(),
  /** State per verb; a verb that is missing is `none`. */
  cells: z.record(z.string(), zRbacCellState),
  /** Rules that grant any cell of this row, nearest scope first. */
  grants: z.array(zGrantPath).readonly(),
  lastEvidence: zEvidence.optional(),
  /** All evidence of this row, newest first, equal ones folded with their count in the text. */
  evidence: z.array(zEvidence).readonly(),
  /** Granted through a wildcard or a dangerous subresource (pods/exec, secrets cluster-wide, escalate, bind, impersonate). */
  broad: z.boolean(),
  gap: zRbacGap.optional(),
});
export type RbacRow = Readonly<z.infer<typeof zRbacRow>>;

/** The lens for one identity. `unreadable` non-empty means: grants are not evaluated, rows carry needs only. */
export const zRbacLens = z.object({
  identity: zIdentity,
  bindings: z.number().int(),
  roles: z.number().int(),
  rules: z.number().int(),
  /** Ordered: gaps, used, never used; inside a group as they are shown. */
  rows: z.array(zRbacRow).readonly(),
  gaps: z.number().int(),
  /** Needed rows and those of them that are granted in full. */
  needed: z.number().int(),
  covered: z.number().int(),
  /** Bindings that reach the identity, with every rule they bring (tab "Bindings"). */
  reach: z
    .array(z.object({ binding: zRbacRef, role: zRbacRef, roleExists: z.boolean(), rules: z.number().int() }))
    .readonly(),
  /** RBAC resources we may not list, e.g. `clusterroles.rbac.authorization.k8s.io`: then grants are not evaluated. */
  unreadable: z.array(z.string()).readonly(),
});
export type RbacLens = Readonly<z.infer<typeof zRbacLens>>;
