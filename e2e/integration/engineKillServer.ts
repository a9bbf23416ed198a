/**
 * A stand-in for an API server on loopback whose objects change all the time: real sockets, lists and watches of a
 * scripted cluster behind them. For tests of what an engine keeps when it is killed.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiResource, ScriptedCluster } from '../../core/testing/scriptedCluster.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';

export interface BusyServer {
  readonly url: string;
  /** Changes made so far. */
  changes(): number;
  close(): Promise<void>;
}

export interface BusyServerOptions {
  readonly objects: number;
  /** Changes a second, over all objects. */
  readonly perSecond: number;
}

/** What an engine is to know, so that it watches the objects in full. */
export const busyProfile: ProfileFile = {
  format: 1,
  operator: { name: 'database-operator', user: 'database-operator', fieldManagers: ['database-operator'] },
  controllers: [{ name: 'database', for: 'databases.db.example.com', queue: 'priority' }],
};

const turnMs = 5;
const rbac = 'rbac.authorization.k8s.io';

export async function startBusyServer(options: BusyServerOptions): Promise<BusyServer> {
  const cluster = new ScriptedCluster();
  const databases = cluster.serve(
    apiResource('databases.db.example.com', 'Database', { subresources: ['status'] }),
  );
  for (const kind of ['ClusterRole', 'ClusterRoleBinding'])
    cluster.serve(apiResource(`${kind.toLowerCase()}s.${rbac}`, kind, { namespaced: false }));
  for (const kind of ['Role', 'RoleBinding'])
    cluster.serve(apiResource(`${kind.toLowerCase()}s.${rbac}`, kind));
  for (let index = 0; index < options.objects; index++) databases.create(keyOf(index), bodyOf(index, 0));

  let made = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // What a late timer left out is caught up with, so that the rate holds.
    for (let due = Math.round(((now - last) * options.perSecond) / 1000); due > 0; due--) {
      made++;
      const which = (made * 7) % options.objects;
      databases.update(keyOf(which), bodyOf(which, made));
    }
    last = now;
  }, turnMs);

  const server = createServer((request, response) => {
    void answer(cluster, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    changes: () => made,
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function answer(
  cluster: ScriptedCluster,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { accept } = request.headers;
  const answered = await cluster.request({
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: request.url ?? '/',
    signal: gone.signal,
    ...(accept === undefined ? {} : { accept }),
  });
  if (!answered.ok) {
    response.destroy();
    return;
  }
  response.writeHead(answered.value.status, { 'content-type': 'application/json' });
  response.flushHeaders();
  try {
    for await (const line of answered.value.lines()) response.write(`${line}\n`);
  } catch {
    // The engine was killed: nobody reads any more.
  }
  response.end();
}

function keyOf(index: number): string {
  return `shop/db-${index}`;
}

/** About 1.5 KB, as a custom resource with its status. */
function bodyOf(index: number, change: number): Readonly<Record<string, unknown>> {
  const condition = (type: string, on: boolean) => ({
    type,
    status: on ? 'True' : 'False',
    reason: on ? 'Provisioned' : 'Waiting',
    message: `${type} of db-${index}: step ${change % 100} of 100 is done`,
    observedGeneration: change,
    lastTransitionTime: new Date(1_796_000_000_000 + change * 1000).toISOString(),
  });
  const fields = (names: readonly string[]) => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
  return {
    metadata: {
      generation: 1 + (change >> 4),
      labels: { app: `db-${index}`, tier: index % 2 === 0 ? 'gold' : 'silver' },
      managedFields: [
        {
          manager: 'database-operator',
          operation: 'Update',
          apiVersion: 'db.example.com/v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:status': fields(['conditions', 'endpoint', 'observedGeneration', 'readyReplicas']) },
          subresource: 'status',
        },
      ],
    },
    spec: { engine: 'postgres', version: '16.4', replicas: 1 + (index % 5), storage: { size: '20Gi' } },
    status: {
      observedGeneration: change,
      readyReplicas: change % 5,
      endpoint: `db-${index}.shop.svc:5432`,
      checksum: Array.from({ length: 8 }, (_, part) =>
        Math.imul(change + part, 0x9e3779b1).toString(16),
      ).join(''),
      conditions: [condition('Ready', change % 3 > 0), condition('Progressing', change % 3 === 0)],
    },
  };
}
