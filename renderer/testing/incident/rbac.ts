import type { RbacView } from '../../../shared/contract/api.ts';
import type { Evidence } from '../../../shared/model/finding.ts';
import type { GrantPath, RbacCellState, RbacGap, RbacRow } from '../../../shared/model/rbac.ts';
import { profile } from './operator.ts';
import { stamp } from './time.ts';

const managerRole = { kind: 'ClusterRole', namespace: '', name: 'database-operator-manager' } as const;
const managerBinding = {
  kind: 'ClusterRoleBinding',
  namespace: '',
  name: 'database-operator-manager',
} as const;
const leaderRole = { kind: 'Role', namespace: 'dbops-system', name: 'leader-election' } as const;
const leaderBinding = { kind: 'RoleBinding', namespace: 'dbops-system', name: 'leader-election' } as const;
const metricsRole = { kind: 'ClusterRole', namespace: '', name: 'metrics-auth' } as const;
const metricsBinding = { kind: 'ClusterRoleBinding', namespace: '', name: 'metrics-auth' } as const;

const roles = {
  manager: { role: managerRole, binding: managerBinding, scope: '' },
  'leader-election': { role: leaderRole, binding: leaderBinding, scope: 'dbops-system' },
  'metrics-auth': { role: metricsRole, binding: metricsBinding, scope: '' },
};

function grant(by: keyof typeof roles, group: string, resource: string): GrantPath {
  const { role, binding, scope } = roles[by];
  return {
    role: by === 'manager' ? { ...role, name: 'database-operator-manager' } : role,
    binding,
    ruleIndex: 0,
    scope,
    rule: {
      verbs: ['get', 'list', 'watch', 'update', 'patch'],
      apiGroups: [group],
      resources: [resource],
      resourceNames: [],
      nonResourceURLs: [],
    },
  };
}

const marks: Readonly<Record<string, RbacCellState>> = { g: 'grantedUsed', o: 'grantedNotSeen' };
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** `cells`: one sign per verb of the table: g used, o not seen, · none. */
function row(
  resource: string,
  apiGroup: string,
  cells: string,
  by: keyof typeof roles,
  seen: string | undefined,
  extra: Partial<RbacRow> = {},
): RbacRow {
  const [name = '', subresource = ''] = resource.split('/');
  const map: Record<string, RbacCellState> = {};
  [...cells].forEach((sign, index) => {
    const state = marks[sign];
    if (state !== undefined) map[verbs[index] as string] = state;
  });
  const evidence: readonly Evidence[] =
    seen === undefined
      ? []
      : [{ text: 'audit: 200', basis: { kind: 'observed', from: 'audit' }, at: stamp(seen), seq: 184_100 }];
  return {
    id: `${resource}.${apiGroup}@`,
    group: cells.includes('g') ? 'used' : 'unused',
    apiGroup,
    resource: name,
    subresource,
    scope: by === 'leader-election' ? 'dbops-system' : '',
    resourceNames: [],
    cells: map,
    grants: [grant(by, apiGroup, resource)],
    ...(evidence[0] === undefined ? {} : { lastEvidence: evidence[0] }),
    evidence,
    broad: false,
    ...extra,
  };
}

const statusEvidence: readonly Evidence[] = [
  {
    text: '17 audit entries, 403',
    basis: { kind: 'observed', from: 'audit' },
    at: stamp('14:09:20.649'),
    seq: 171_902,
  },
  {
    text: '17 log lines, “is forbidden”',
    basis: { kind: 'reported', from: 'log' },
    file: 'operator.log',
    line: 12_471,
    at: stamp('14:09:20'),
  },
  {
    text: 'ClusterRole MODIFIED by helm',
    basis: { kind: 'observed', from: 'watch' },
    at: stamp('14:03:20.480'),
    seq: 158_090,
  },
  {
    text: 'Marker in project, status',
    basis: { kind: 'observed', from: 'file' },
    file: 'internal/controller/database_controller.go',
    line: 38,
  },
];

const statusGap: RbacGap = {
  verbs: ['update'],
  refusals: 17,
  firstRefusedAt: stamp('14:03:52.350'),
  lastRefusedAt: stamp('14:09:20.649'),
  steps: [
    { kind: 'reach', rules: 13, clusterRoleBindings: 2, roleBindings: 1 },
    {
      kind: 'nearest',
      path: grant('manager', 'db.example.com', 'databases'),
      resource: 'databases',
      verbs: ['update'],
      lacks: 'subresource',
    },
    {
      kind: 'noRule',
      resources: ['databases/status', '*/status', '*'],
      apiGroup: 'db.example.com',
      verbs: ['update'],
    },
  ],
  patch: {
    role: managerRole,
    create: false,
    lines: [
      { text: '# ClusterRole database-operator-manager', added: false },
      { text: '- apiGroups: [db.example.com]', added: false },
      { text: '  resources: [databases]', added: false },
      { text: '  verbs: [get, list, watch, update, patch]', added: false },
      { text: '- apiGroups: [db.example.com]', added: true },
      { text: '  resources: [databases/status]', added: true },
      { text: '  verbs: [get, update, patch]', added: true },
    ],
    yaml: '# kubectl patch clusterrole database-operator-manager --type=json --patch-file=/dev/stdin\n- op: add\n  path: /rules/-\n  value:\n    apiGroups: [db.example.com]\n    resources: [databases/status]\n    verbs: [get, update, patch]\n',
    command: 'kubectl patch clusterrole database-operator-manager --type=json --patch-file=/dev/stdin',
  },
  marker: '//+kubebuilder:rbac:groups=db.example.com,resources=databases/status,verbs=get;update;patch',
  review: { allowed: false, agrees: true },
};

const pdbGap: RbacGap = {
  verbs: ['get', 'list', 'watch'],
  refusals: 0,
  steps: [
    { kind: 'reach', rules: 13, clusterRoleBindings: 2, roleBindings: 1 },
    {
      kind: 'noRule',
      resources: ['poddisruptionbudgets', '*'],
      apiGroup: 'policy',
      verbs: ['get', 'list', 'watch'],
    },
  ],
  patch: {
    role: managerRole,
    create: false,
    lines: [
      { text: '# ClusterRole database-operator-manager', added: false },
      { text: '- apiGroups: [policy]', added: true },
      { text: '  resources: [poddisruptionbudgets]', added: true },
      { text: '  verbs: [get, list, watch]', added: true },
    ],
    yaml: '- op: add\n  path: /rules/-\n  value:\n    apiGroups: [policy]\n    resources: [poddisruptionbudgets]\n    verbs: [get, list, watch]\n',
    command: 'kubectl patch clusterrole database-operator-manager --type=json --patch-file=/dev/stdin',
  },
  marker: '//+kubebuilder:rbac:groups=policy,resources=poddisruptionbudgets,verbs=get;list;watch',
};

const [lastStatus] = statusEvidence as readonly [Evidence, ...Evidence[]];
const pdbEvidence: Evidence = {
  text: 'marker, line 41',
  basis: { kind: 'inferred', by: 'rbac/project-marker', because: [] },
  file: 'internal/controller/database_controller.go',
  line: 41,
};

const rows: readonly RbacRow[] = [
  {
    ...row('databases/status', 'db.example.com', '·······', 'manager', undefined),
    group: 'gap',
    grants: [],
    cells: { update: 'refused' },
    lastEvidence: { ...lastStatus, text: '403' },
    evidence: statusEvidence,
    gap: statusGap,
  },
  {
    ...row('poddisruptionbudgets', 'policy', '·······', 'manager', undefined),
    group: 'gap',
    grants: [],
    cells: { get: 'neededNotTried', list: 'neededNotTried', watch: 'neededNotTried' },
    lastEvidence: pdbEvidence,
    evidence: [pdbEvidence],
    gap: pdbGap,
  },
  row('databases', 'db.example.com', 'ggg·go·', 'manager', '14:12:06'),
  row('databases/finalizers', 'db.example.com', '····g··', 'manager', '13:41:02'),
  row('statefulsets', 'apps', 'ggggogo', 'manager', '14:12:05'),
  row('services', '', 'gggg·g·', 'manager', '14:12:05'),
  row('secrets', '', 'gggg··o', 'manager', '13:58:11'),
  row('backups', 'db.example.com', 'ggg····', 'manager', '14:12:05'),
  row('pods', '', 'ggg····', 'manager', '14:12:06'),
  row('events', 'events.k8s.io', '···g·g·', 'manager', '14:09:20'),
  row('leases', 'coordination.k8s.io', 'g··og··', 'leader-election', '14:12:05'),
  row('tokenreviews', 'authentication.k8s.io', '···g···', 'metrics-auth', '14:12:00'),
  row('subjectaccessreviews', 'authorization.k8s.io', '···g···', 'metrics-auth', '14:12:00'),
  row('pods/exec', '', '···o···', 'manager', undefined, { broad: true }),
  row('nodes', '', 'ooo····', 'manager', undefined),
  row('configmaps', '', 'ooooo··', 'manager', undefined),
];

export const rbacView: RbacView = {
  lens: {
    identity: profile.identity.value,
    bindings: 3,
    roles: 4,
    rules: 13,
    rows,
    gaps: 2,
    needed: 13,
    covered: 11,
    reach: [
      { binding: managerBinding, role: managerRole, roleExists: true, rules: 9 },
      { binding: metricsBinding, role: metricsRole, roleExists: true, rules: 2 },
      { binding: leaderBinding, role: leaderRole, roleExists: true, rules: 2 },
    ],
    unreadable: [],
  },
};

/** What was refused, granted since: nothing used it yet. */
const mendedRow: readonly RbacRow[] = rows
  .filter((r) => r.gap === statusGap)
  .map(({ gap: _gap, lastEvidence: _last, ...r }) => ({
    ...r,
    group: 'unused',
    cells: { get: 'grantedNotSeen', update: 'grantedNotSeen', patch: 'grantedNotSeen' },
    grants: rows.find((other) => other.resource === r.resource && other.subresource === '')?.grants ?? [],
  }));

export const cleanRbac: RbacView = {
  lens: {
    ...(rbacView.lens as NonNullable<RbacView['lens']>),
    rows: [...rows.filter((r) => r.group !== 'gap'), ...mendedRow],
    gaps: 0,
    covered: 11,
    needed: 11,
  },
};

export const unreadableRbac: RbacView = {
  lens: {
    ...(rbacView.lens as NonNullable<RbacView['lens']>),
    bindings: 0,
    roles: 0,
    rules: 0,
    rows: rows.slice(2, 8).map((r) => ({
      ...r,
      grants: [],
      cells: Object.fromEntries(Object.keys(r.cells).map((verb) => [verb, 'neededNotTried' as const])),
    })),
    gaps: 0,
    covered: 0,
    needed: 6,
    reach: [],
    unreadable: [
      'clusterroles.rbac.authorization.k8s.io',
      'clusterrolebindings.rbac.authorization.k8s.io',
      'roles.rbac.authorization.k8s.io',
    ],
  },
};
