import type { FindingsView } from '../../../shared/contract/api.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { stamp } from './time.ts';

const closed: Finding = {
  id: 'conditions/observed-generation-lag Database/shop/payments-db',
  rule: 'conditions/observed-generation-lag',
  severity: 'warning',
  subject: 'Database/shop/payments-db',
  title: 'observedGeneration 4 is behind generation 5',
  why: 'The spec was changed and no status write acknowledged it for 2m 42s.',
  basis: { kind: 'observed', from: 'watch' },
  fix: { text: 'Nothing to do: it was acknowledged.' },
  evidence: [
    {
      text: 'Database MODIFIED, generation 5',
      basis: { kind: 'observed', from: 'watch' },
      seq: 121_442,
      at: stamp('13:44:10.310'),
    },
  ],
  openedAt: stamp('13:44:10'),
  closedAt: stamp('13:46:52'),
  closedBecause: 'A status write acknowledged generation 5.',
};

const gap: Finding = {
  id: 'rbac/missing-status-subresource:ServiceAccount/dbops-system/database-operator:databases.db.example.com',
  rule: 'rbac/missing-status-subresource',
  severity: 'error',
  subject: 'ServiceAccount/dbops-system/database-operator',
  title: 'update on databases/status is refused',
  why: 'The Database CRD serves the status subresource. ClusterRole database-operator-manager grants update on databases but, since 14:03:20, has no rule for databases/status. Every status write is answered 403.',
  basis: { kind: 'observed', from: 'audit' },
  fix: {
    text: 'Add a rule for databases/status to ClusterRole database-operator-manager.',
    patch: '- apiGroups: [db.example.com]\n  resources: [databases/status]\n  verbs: [get, update, patch]\n',
    marker: '//+kubebuilder:rbac:groups=db.example.com,resources=databases/status,verbs=get;update;patch',
  },
  evidence: [
    {
      text: '17 audit entries, 403 Forbidden',
      basis: { kind: 'observed', from: 'audit' },
      seq: 171_902,
      at: stamp('14:09:20.649'),
    },
    {
      text: '17 log lines, “Reconciler error”',
      basis: { kind: 'reported', from: 'log' },
      file: 'operator.log',
      line: 12_471,
      at: stamp('14:09:20'),
    },
    {
      text: 'ClusterRole MODIFIED by helm',
      basis: { kind: 'observed', from: 'watch' },
      seq: 158_090,
      at: stamp('14:03:20.480'),
    },
    {
      text: 'Access review: not allowed',
      basis: { kind: 'observed', from: 'review' },
      seq: 158_102,
      at: stamp('14:03:21.020'),
    },
  ],
  openedAt: stamp('14:03:52'),
};

const marker: Finding = {
  id: 'rbac/missing-list-watch ServiceAccount/dbops-system/database-operator poddisruptionbudgets',
  rule: 'rbac/missing-list-watch',
  severity: 'warning',
  subject: 'ServiceAccount/dbops-system/database-operator',
  title: 'poddisruptionbudgets is named by a marker, not granted',
  why: 'A kubebuilder marker asks for get, list and watch on poddisruptionbudgets. No rule grants them and no request was seen.',
  basis: { kind: 'inferred', by: 'rbac/project-marker', because: [] },
  fix: {
    text: 'Add the rule that the marker asks for, or remove the marker.',
    patch: '- apiGroups: [policy]\n  resources: [poddisruptionbudgets]\n  verbs: [get, list, watch]\n',
  },
  evidence: [
    {
      text: '//+kubebuilder:rbac:groups=policy,resources=poddisruptionbudgets',
      basis: { kind: 'observed', from: 'file' },
      file: 'internal/controller/database_controller.go',
      line: 41,
    },
  ],
  openedAt: stamp('13:40:04'),
};

export const findingsView: FindingsView = {
  findings: [gap, marker, closed],
  notEvaluated: [
    {
      rule: 'rbac/missing-status-subresource',
      reason: 'Roles in namespace payments cannot be listed: 403.',
      permission: 'list roles.rbac.authorization.k8s.io in payments',
    },
  ],
};

export const closedFindings: FindingsView = {
  findings: [
    {
      ...gap,
      closedAt: stamp('14:11:58'),
      closedBecause:
        'ClusterRole database-operator-manager grants update on databases/status since 14:11:58, changed by kubectl-patch.',
    },
    closed,
  ],
  notEvaluated: [],
};

export const noFindings: FindingsView = { findings: [], notEvaluated: [] };

export const unjudged: FindingsView = {
  findings: [],
  notEvaluated: [
    {
      rule: 'rbac/missing-status-subresource',
      reason: 'ClusterRoles and ClusterRoleBindings cannot be listed: 403.',
      permission:
        'list clusterroles.rbac.authorization.k8s.io, list clusterrolebindings.rbac.authorization.k8s.io',
    },
  ],
};
