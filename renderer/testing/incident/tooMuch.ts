/** The invented incident in a cluster that is far larger: lists that no screen holds. */
import type { FindingsView, QueueView, RbacView } from '../../../shared/contract/api.ts';
import type { EventRow, ObjectHistory } from '../../../shared/contract/views/objects.ts';
import type { KeyRow } from '../../../shared/contract/views/operators.ts';
import type { InformerRow } from '../../../shared/contract/views/sources.ts';
import { findingsView } from './findings.ts';
import { events, historyOf } from './objects.ts';
import { keys } from './operator.ts';
import { queueView } from './queue.ts';
import { rbacView } from './rbac.ts';
import { informers } from './sources.ts';
import { moment } from './time.ts';

function many<T>(n: number, of: readonly T[], change: (item: T, index: number) => T): readonly T[] {
  return Array.from({ length: n }, (_, index) => {
    const item = of[index % of.length] as T;
    return index < of.length ? item : change(item, index);
  });
}

export const manyKeys: readonly KeyRow[] = many(12_000, keys, (row, index) => {
  const name = `tenant-${index}`;
  return {
    ...row,
    key: `load/${name}`,
    namespace: 'load',
    name,
    object: `db.example.com/Database/load/${name}`,
  };
});

export const manyInformers: readonly InformerRow[] = many(420, informers, (row, index) => ({
  ...row,
  id: `${row.id}@team-${index}`,
  namespace: `team-${index}`,
}));

export function manyEvents(limit: number): readonly EventRow[] {
  const last = events.reduce((seq, row) => Math.max(seq, row.seq), 0);
  return many(limit, events, (row, index) => ({ ...row, seq: last + index, at: moment - (limit - index) }));
}

export const manyFindings: FindingsView = {
  ...findingsView,
  findings: many(600, findingsView.findings, (row, index) => ({
    ...row,
    id: `${row.id} ${index}`,
    subject: `Database/load/tenant-${index}`,
  })),
};

export const manyWaiting: QueueView = {
  ...queueView,
  ...(queueView.snapshot === undefined
    ? {}
    : {
        snapshot: {
          ...queueView.snapshot,
          waiting: many(3000, queueView.snapshot.waiting, (row, index) => ({
            ...row,
            key: `load/tenant-${index}` as typeof row.key,
          })),
          ready: many(8000, queueView.snapshot.ready, (row, index) => ({
            ...row,
            key: `load/tenant-${index + 3000}` as typeof row.key,
          })),
        },
      }),
};

export const manyNeeds: RbacView = {
  ...rbacView,
  ...(rbacView.lens === undefined
    ? {}
    : {
        lens: {
          ...rbacView.lens,
          rows: many(800, rbacView.lens.rows, (row, index) => ({
            ...row,
            id: `${row.id}@team-${index}`,
            scope: `team-${index}`,
          })),
        },
      }),
};

export function longHistoryOf(key: string): ObjectHistory {
  const history = historyOf(key);
  const first = history.versions[0]?.seq ?? 0;
  return {
    ...history,
    versions: many(4000, history.versions, (version, index) => ({ ...version, seq: first - index })),
  };
}
