/**
 * An engine in a test: a scripted cluster with an operator, a log of that operator, a clock that moves when told. Session
 * logs that were recorded can be opened again, whichever kind they are.
 */

import type { Result } from '../../shared/base/result.ts';
import { engineApi } from '../../shared/contract/api.ts';
import { createClient } from '../../shared/contract/client.ts';
import { createPairTransport } from '../../shared/contract/pairTransport.ts';
import { serve } from '../../shared/contract/serve.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import { objectKey } from '../../shared/model/ids.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { EngineHost, FeedSink } from '../engine/host.ts';
import { createNoDemos, createNoLibrary, type OpenedSession } from '../engine/library.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { SessionLog } from '../session/record.ts';
import { FakeClock } from './fakeClock.ts';
import { apiResource, ScriptedCluster } from './scriptedCluster.ts';

const start = Date.parse('2026-11-30T09:00:00Z');
export const operatorUser = 'system:serviceaccount:dbops-system:database-operator';
export const orders = objectKey({
  group: 'db.example.com',
  kind: 'Database',
  namespace: 'shop',
  name: 'orders',
});

/** An operator that may do everything to its kind but write its status. */
export function incident(): ScriptedCluster {
  const cluster = new ScriptedCluster();
  const rbac = 'rbac.authorization.k8s.io';
  for (const [name, kind, namespaced] of [
    ['customresourcedefinitions.apiextensions.k8s.io', 'CustomResourceDefinition', false],
    [`clusterroles.${rbac}`, 'ClusterRole', false],
    [`clusterrolebindings.${rbac}`, 'ClusterRoleBinding', false],
    [`roles.${rbac}`, 'Role', true],
    [`rolebindings.${rbac}`, 'RoleBinding', true],
    ['deployments.apps', 'Deployment', true],
    ['serviceaccounts', 'ServiceAccount', true],
    ['events', 'Event', true],
  ] as const)
    cluster.serve(apiResource(name, kind, { namespaced }));
  cluster.serve(apiResource('databases.db.example.com', 'Database', { subresources: ['status'] }));
  cluster.of('customresourcedefinitions.apiextensions.k8s.io').create('databases.db.example.com', {
    spec: {
      group: 'db.example.com',
      scope: 'Namespaced',
      names: { kind: 'Database', plural: 'databases' },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} } }],
    },
  });
  cluster.of('serviceaccounts').create('dbops-system/database-operator');
  cluster.of('deployments.apps').create('dbops-system/database-operator', {
    spec: {
      replicas: 1,
      template: { spec: { serviceAccountName: 'database-operator', containers: [{ image: 'x/y:1' }] } },
    },
    status: { readyReplicas: 1 },
  });
  setRole(cluster, ['databases', 'databases/finalizers']);
  cluster.of(`clusterrolebindings.${rbac}`).create('database-operator', {
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'database-operator' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'dbops-system', name: 'database-operator' }],
  });
  cluster.of('databases.db.example.com').create('shop/orders', { spec: { replicas: 1 } });
  return cluster;
}

export function setRole(cluster: ScriptedCluster, resources: readonly string[]): void {
  const roles = cluster.of('clusterroles.rbac.authorization.k8s.io');
  const body = {
    rules: [
      {
        apiGroups: ['db.example.com'],
        resources,
        verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
      },
    ],
  };
  if (roles.all().some((item) => item.key === 'database-operator')) roles.update('database-operator', body);
  else roles.create('database-operator', body);
}

let runs = 0;
export function errorLine(key = 'shop/orders'): string {
  const [namespace = '', name = ''] = key.split('/');
  return JSON.stringify({
    level: 'error',
    msg: 'Reconciler error',
    controller: 'database',
    controllerGroup: 'db.example.com',
    controllerKind: 'Database',
    Database: { name, namespace },
    namespace,
    name,
    // As real ones do, every run has its own.
    reconcileID: `00000000-0000-4000-8000-${String(++runs).padStart(12, '0')}`,
    error: `databases.db.example.com "${name}" is forbidden: User "${operatorUser}" cannot update resource "databases/status" in API group "db.example.com" in the namespace "${namespace}"`,
  });
}

export interface BenchOptions {
  /** What records go into; default: memory. `resume`: a file to go on in. */
  readonly openSession?: (clock: FakeClock, resume: string | undefined) => SessionLog;
  readonly clock?: FakeClock;
  /** Session logs by path, and demos by id. */
  readonly sessions?: ReadonlyMap<string, SessionLog>;
}

export class EngineBench {
  readonly clock: FakeClock;
  readonly cluster: ScriptedCluster;
  readonly engine: Engine;
  readonly logs: string[] = [];
  /** What the session says when it cannot write. */
  paused: string | undefined;
  openFails: { code: string; message: string } | undefined;
  private readonly options: BenchOptions;
  private sink: FeedSink | undefined;

  constructor(cluster: ScriptedCluster, options: BenchOptions = {}) {
    this.cluster = cluster;
    this.options = options;
    this.clock = options.clock ?? new FakeClock(start);
    this.engine = createEngine(this.host());
  }

  private host(): EngineHost {
    const { clock } = this;
    return {
      clock,
      random: () => 0.5,
      version: 'test',
      platform: 'test',
      node: 'test',
      contexts: {
        list: () => ({ contexts: [], files: [], origin: 'flag' }),
        open: async (context) =>
          this.openFails === undefined
            ? {
                ok: true,
                value: {
                  context,
                  transport: this.cluster,
                  server: 'https://scripted',
                  user: 'me',
                  namespace: 'default',
                },
              }
            : { ok: false, error: this.openFails },
      },
      feeds: {
        probe: async () => ({ ok: true, value: undefined }),
        // A log that is attached again by its path: its lines come by line() and backlog().
        tail: (_path, sink) => {
          this.sink = sink;
          return { dispose: () => undefined };
        },
        read: (_path, sink) => {
          this.sink = sink;
          return { dispose: () => undefined };
        },
        scrape: () => ({ dispose: () => undefined }),
      },
      preferences: { get: () => '{}', set: () => ({ ok: true, value: undefined }) },
      library: { ...createNoLibrary(), open: async (path) => this.opened(path) },
      demos: { ...createNoDemos(), open: async (id) => this.opened(id) },
      openSession: (_stamp, resume) => {
        const log = this.options.openSession?.(clock, resume) ?? createMemoryLog({ clock });
        return this.options.openSession === undefined
          ? { ...log, stats: () => ({ ...log.stats(), paused: this.paused }) }
          : log;
      },
      digest: (text) => `d${text.length}`,
      parseYaml: () => ({ ok: false, error: { message: 'no YAML here' } }),
      toYaml: (value) => JSON.stringify(value),
      readText: async (path) => ({
        ok: false,
        error: { code: 'unreadable', message: `${path} is not there.` },
      }),
      onBug: (_where, error) => {
        throw error;
      },
      log: (line) => this.logs.push(line),
    };
  }

  private opened(path: string): Result<OpenedSession, Problem> {
    const log = this.options.sessions?.get(path);
    if (log === undefined)
      return { ok: false, error: { code: 'missing', message: `There is no session at ${path}.` } };
    // Closing what is looked at does not end what is recorded.
    const view: SessionLog = Object.assign(Object.create(log) as SessionLog, { close() {} });
    return {
      ok: true,
      value: { log: view, path, name: path, context: 'test', server: 'https://scripted' },
    };
  }

  async connect() {
    const connecting = this.engine.connect({ context: 'test' });
    await this.clock.advance(3000);
    return connecting;
  }

  attachLog(label = 'log'): void {
    const start = (sink: FeedSink) => {
      this.sink = sink;
      return { dispose: () => (this.sink = undefined) };
    };
    this.engine.attach({ kind: 'log', label, start });
  }

  /** Lines that stood in the log before it was attached. */
  backlog(...lines: readonly string[]): void {
    this.sink?.lines(lines.map((text) => ({ text, receivedAt: this.clock.now(), backlog: true })));
  }

  /** A line that the operator just wrote. */
  line(text: string): void {
    this.sink?.lines([{ text, receivedAt: this.clock.now(), backlog: false }]);
  }

  client() {
    const [near, far] = createPairTransport();
    serve(engineApi, this.engine.handlers, far, {
      clock: this.clock,
      onBug: (where, error) => {
        throw new Error(`${where}: ${String(error)}`);
      },
    });
    return createClient(engineApi, near);
  }
}
