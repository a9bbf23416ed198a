/** Fields of the filter over reconciles (grammar: shared/model/filter.ts). The engine filters, the window explains. */
import type { FilterSchema } from '../../model/filter.ts';
import type { SpanRow, TriggerType } from '../../model/trace.ts';

/** Who wakes a key: something that changed, a list, a timer of its own, or nobody we see. */
const wakers: Readonly<Record<TriggerType, 'event' | 'list' | 'timer' | 'unseen'>> = {
  ADDED: 'event',
  MODIFIED: 'event',
  DELETED: 'event',
  relist: 'list',
  initial: 'list',
  resync: 'list',
  retry: 'timer',
  requeue: 'timer',
  'requeue-after': 'timer',
  unseen: 'unseen',
};

export const spanSchema: FilterSchema<SpanRow> = {
  fields: [
    { name: 'key', kind: 'text', of: (row) => row.key, example: 'shop/orders-db' },
    { name: 'controller', kind: 'word', of: (row) => row.controller, example: 'database' },
    // `result:error` finds every way to fail.
    {
      name: 'result',
      kind: 'word',
      of: ({ result = 'running' }) =>
        result === 'terminal' || result === 'panic' ? [result, 'error'] : result,
      example: 'error',
    },
    {
      name: 'trigger',
      kind: 'text',
      of: ({ trigger }) => (trigger === undefined ? undefined : `${trigger.type} ${trigger.text}`),
      example: 'retry',
    },
    {
      name: 'woken',
      kind: 'word',
      of: (row) => [
        row.trigger === undefined ? 'unseen' : wakers[row.trigger.type],
        ...(row.selfWoken === true ? ['self'] : []),
      ],
      example: 'self',
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
