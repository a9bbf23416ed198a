/** Owners of the invented incident. */
import type { OwnershipView } from '../../../shared/contract/views/structure.ts';
import { objects } from './objectRefs.ts';
import { moment } from './time.ts';

/** `shop/legacy-db` cannot go: its second operator was uninstalled; every other Database is healthy and owned by nobody. */
export function ownershipOf(key: string): OwnershipView {
  const object = objects(key);
  const held = object.name === 'legacy-db';
  const owned = [
    { kind: 'StatefulSet', group: 'apps', name: object.name },
    { kind: 'Service', group: '', name: object.name },
    { kind: 'Secret', group: '', name: `${object.name}-auth` },
    ...(held ? [{ kind: 'DatabaseUser', group: 'db.example.com', name: 'legacy-app' }] : []),
  ].map(({ kind, group, name }) => objects(`${group}/${kind}/${object.namespace}/${name}`));
  const deletingSince = moment - (8 * 60 + 21) * 60_000;
  const node = { exists: true, readable: true, finalizers: [], text: '' };
  return {
    object,
    known: true,
    resource: 'databases.db.example.com',
    nodes: [
      {
        ...node,
        object,
        level: 0,
        health: held ? 'deleting' : 'failed',
        ...(held
          ? { deletingSince, finalizers: ['backup.example.com/retain', 'db.example.com/cleanup'] }
          : {}),
      },
      ...owned.map((one) => ({
        ...node,
        object: one,
        level: 1,
        health: one.kind === 'DatabaseUser' ? ('progressing' as const) : ('ok' as const),
        finalizers: one.kind === 'DatabaseUser' ? ['db.example.com/user'] : [],
      })),
    ],
    edges: owned.map((one) => ({
      owner: key,
      dependent: one.key,
      controller: true,
      blockOwnerDeletion: true,
      broken: false,
    })),
    folded: held ? [{ kind: 'Secret', count: 3 }] : [],
    ...(held ? { deletingSince, propagation: 'background' as const } : {}),
    holds: held
      ? [
          {
            finalizer: 'backup.example.com/retain',
            index: 0,
            setBy: 'backup-operator',
            handler: { name: 'backup-operator' },
            handlerState: 'notRunning',
            handlerDetail: 'not among 412 workloads',
            basis: { kind: 'inferred', by: 'no workload has the name of who set it', because: [212] },
          },
          {
            finalizer: 'db.example.com/cleanup',
            index: 1,
            setBy: 'database-operator',
            handler: {
              name: 'database-operator',
              workload: 'Deployment/dbops-system/database-operator',
            },
            handlerState: 'running',
            handlerDetail: '1 of 1 ready',
            basis: { kind: 'inferred', by: 'it wrote the finalizers', because: [212] },
          },
        ]
      : [],
    problems: [],
    unreadable: ['resourcequotas'],
  };
}
