/** Fields of the window's own lists for their filters (grammar: shared/model/filter.ts). The Events list has its in shared. */
import type { ObjectVersion } from '../../shared/contract/views/objects.ts';
import type { KeyRow } from '../../shared/contract/views/operators.ts';
import type { SessionRow } from '../../shared/contract/views/sessions.ts';
import type { InformerRow } from '../../shared/contract/views/sources.ts';
import type { FilterSchema } from '../../shared/model/filter.ts';
import type { Finding } from '../../shared/model/finding.ts';
import type { RbacRow } from '../../shared/model/rbac.ts';

/** `next` is measured from the moment on screen, `now`. */
export function keySchema(now: () => number): FilterSchema<KeyRow> {
  return {
    fields: [
      { name: 'health', kind: 'word', of: (row) => row.health, example: 'failed' },
      { name: 'state', kind: 'word', of: (row) => row.state, example: 'waiting' },
      { name: 'failures', kind: 'number', of: (row) => row.failures, example: '3' },
      {
        name: 'next',
        kind: 'duration',
        of: (row) => (row.nextRunAt === undefined ? undefined : Math.max(0, row.nextRunAt - now())),
        example: '1m',
      },
      { name: 'ns', also: ['namespace'], kind: 'text', of: (row) => row.namespace, example: 'shop' },
      { name: 'name', kind: 'text', of: (row) => row.name, example: 'orders' },
      { name: 'error', kind: 'text', of: (row) => row.lastError, example: 'forbidden' },
    ],
    text: (row) => [row.key, row.text, row.health, row.state],
  };
}

export const informerSchema: FilterSchema<InformerRow> = {
  fields: [
    { name: 'kind', kind: 'word', of: (row) => row.kind, example: 'Pod' },
    { name: 'group', kind: 'text', of: (row) => row.group, example: 'apps' },
    { name: 'ns', also: ['namespace'], kind: 'text', of: (row) => row.namespace, example: 'shop' },
    { name: 'state', kind: 'word', of: (row) => row.state, example: 'live' },
    { name: 'objects', kind: 'number', of: (row) => row.objects, example: '1000' },
    { name: 'rate', kind: 'number', of: (row) => row.perMinute, example: '100' },
    { name: 'relists', kind: 'number', of: (row) => row.relists, example: '0' },
    { name: 'gap', kind: 'duration', of: (row) => row.gapMs, example: '5s' },
    { name: 'size', kind: 'bytes', of: (row) => row.bytes, example: '1MB' },
  ],
  text: (row) => [`${row.resource}.${row.group}`, row.kind, row.namespace, row.state, row.mode],
};

export const findingSchema: FilterSchema<Finding> = {
  fields: [
    { name: 'severity', kind: 'word', of: (row) => row.severity, example: 'error' },
    { name: 'rule', kind: 'text', of: (row) => row.rule, example: 'rbac' },
    { name: 'subject', kind: 'text', of: (row) => row.subject, example: 'orders-db' },
    { name: 'basis', kind: 'word', of: (row) => row.basis.kind, example: 'observed' },
    { name: 'evidence', kind: 'number', of: (row) => row.evidence.length, example: '1' },
  ],
  text: (row) => [row.title, row.subject, row.rule, row.why],
};

export const needSchema: FilterSchema<RbacRow> = {
  fields: [
    {
      name: 'resource',
      kind: 'text',
      of: (row) => (row.subresource === '' ? row.resource : `${row.resource}/${row.subresource}`),
      example: 'databases/status',
    },
    { name: 'group', kind: 'text', of: (row) => row.apiGroup, example: 'apps' },
    {
      name: 'verb',
      kind: 'word',
      of: (row) => Object.keys(row.cells).filter((verb) => row.cells[verb] !== 'none'),
      example: 'update',
    },
    { name: 'ns', also: ['namespace'], kind: 'text', of: (row) => row.scope, example: 'shop' },
    { name: 'role', kind: 'text', of: (row) => row.grants.map(({ role }) => role.name), example: 'manager' },
  ],
  text: (row) => [
    row.subresource === '' ? row.resource : `${row.resource}/${row.subresource}`,
    row.apiGroup,
    row.scope,
    ...row.grants.map(({ role }) => role.name),
  ],
};

export const versionSchema: FilterSchema<ObjectVersion> = {
  fields: [
    { name: 'op', kind: 'word', of: (row) => row.op, example: 'modified' },
    {
      name: 'writer',
      kind: 'text',
      of: (row) => row.writers.map(({ manager, subresource }) => `${manager} ${subresource ?? ''}`),
      example: 'helm',
    },
    { name: 'generation', kind: 'number', of: (row) => row.generation, example: '1' },
    { name: 'changes', kind: 'number', of: (row) => row.changes, example: '5' },
    { name: 'rv', kind: 'word', of: (row) => row.resourceVersion, example: '482044' },
  ],
  text: (row) => [row.op, row.summary, ...row.writers.map(({ manager }) => manager)],
};

export const sessionSchema: FilterSchema<SessionRow> = {
  fields: [
    { name: 'name', kind: 'text', of: (row) => row.name, example: 'orders' },
    { name: 'context', kind: 'text', of: (row) => row.context, example: 'staging' },
    { name: 'operator', kind: 'text', of: (row) => row.operator, example: 'database-operator' },
    { name: 'state', kind: 'word', of: (row) => row.state, example: 'interrupted' },
    { name: 'records', kind: 'number', of: (row) => row.records, example: '10000' },
    { name: 'size', kind: 'bytes', of: (row) => row.bytes, example: '1MB' },
  ],
  text: (row) => [row.name, row.context, row.operator, row.id],
};
