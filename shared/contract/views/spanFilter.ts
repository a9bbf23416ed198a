/** Fields of the filter over reconciles (grammar: shared/model/filter.ts). The engine filters, the window explains. */
import type { FilterSchema } from '../../model/filter.ts';
import type { SpanRow } from '../../model/trace.ts';

export const spanSchema: FilterSchema<SpanRow> = {
  fields: [
    { name: 'key', kind: 'text', of: (row) => row.key, example: 'shop/orders-db' },
    { name: 'controller', kind: 'word', of: (row) => row.controller, example: 'database' },
    { name: 'result', kind: 'word', of: (row) => row.result ?? 'running', example: 'error' },
    {
      name: 'trigger',
      kind: 'text',
      of: ({ trigger }) => (trigger === undefined ? undefined : `${trigger.type} ${trigger.text}`),
      example: 'retry',
    },
    {
      name: 'duration',
      kind: 'duration',
      of: ({ durationMs }) => durationMs?.hi,
      example: '500ms',
    },
    { name: 'wait', kind: 'duration', of: ({ waitMs }) => waitMs?.hi, example: '1s' },
    { name: 'writes', kind: 'number', of: (row) => row.writes, example: '0' },
    { name: 'refused', kind: 'number', of: (row) => row.notStored, example: '1' },
    { name: 'failures', kind: 'number', of: (row) => row.failures, example: '5' },
    {
      name: 'basis',
      kind: 'word',
      of: ({ basis }) => basis.kind,
      example: 'inferred',
    },
    { name: 'id', kind: 'text', of: (row) => row.reconcileId ?? row.id, example: '5c1e0f7a' },
    { name: 'revised', kind: 'text', of: (row) => row.revisedBy, example: 'audit' },
  ],
  text: (row) => [row.key, row.controller, row.error, row.trigger?.text, row.result, row.reconcileId],
};
