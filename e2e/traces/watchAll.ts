/** Plain watches of every kind of a run, without any of the product: what a recording's `watch.jsonl` and `cluster.yaml` hold. */
import { readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import type { Cluster } from '../testbed/cluster.ts';
import type { KubeJson } from '../testbed/kubeClient.ts';
import { eventually } from '../testbed/wait.ts';

export interface WatchedEvent {
  /** Receipt, RFC 3339 with milliseconds. */
  readonly at: string;
  readonly type: string;
  readonly object: KubeJson;
}

export interface WatchAll {
  /** In order of arrival over all kinds. */
  readonly events: readonly WatchedEvent[];
  /** Newest state of every object that is there, by kind. */
  objects(): readonly KubeJson[];
  /** How many events have come that are not about a Lease. */
  changes(): number;
  stop(): void;
}

const alwaysWatched = [
  '/api/v1/namespaces',
  '/api/v1/serviceaccounts',
  '/api/v1/services',
  '/api/v1/secrets',
  '/api/v1/configmaps',
  '/api/v1/pods',
  '/api/v1/events',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/apps/v1/statefulsets',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/apis/coordination.k8s.io/v1/leases',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/db.example.com/v1/databases',
];

/** Resolves when every kind has sent what was there. `keep` says which objects belong to the run. */
export async function watchAll(
  cluster: Cluster,
  options: { readonly backups: boolean; readonly keep: (object: KubeJson) => boolean },
): Promise<WatchAll> {
  const paths = [...alwaysWatched, ...(options.backups ? ['/apis/backup.example.com/v1/backups'] : [])];
  const agent = new Agent({ keepAlive: true, ca: readFileSync(cluster.caFile) });
  const events: WatchedEvent[] = [];
  const newest = new Map<string, KubeJson>();
  let ready = 0;
  let changes = 0;
  const take = (line: string) => {
    const { type, object } = JSON.parse(line) as { type: string; object: KubeJson };
    const at = new Date().toISOString();
    if (type === 'BOOKMARK') {
      if (!line.includes('k8s.io/initial-events-end')) return;
      ready += 1;
    } else if (!options.keep(object)) return;
    if (object.kind !== 'Lease') changes += 1;
    const shown = withoutSecrets(object);
    events.push({ at, type, object: shown });
    if (type === 'DELETED') newest.delete(identity(object));
    else if (type !== 'BOOKMARK') newest.set(identity(object), shown);
  };
  const calls = new Set<ClientRequest>();
  let stopped = false;
  const follow = (path: string) => {
    const query =
      'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3600';
    const headers = { authorization: `Bearer ${cluster.token('admin')}`, 'user-agent': 'recorder' };
    const call = request(new URL(`${path}?${query}`, cluster.url), { agent, headers }, (response) => {
      // A kind whose CRD was applied a moment ago needs a moment to be served.
      if (response.statusCode !== 200) {
        response.resume();
        calls.delete(call);
        if (!stopped) setTimeout(follow, 100, path);
        return;
      }
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) take(line);
      });
      response.on('error', () => undefined); // ended by stop()
    });
    call.on('error', () => undefined);
    call.end();
    calls.add(call);
  };
  for (const path of paths) follow(path);
  await eventually('every watch has sent what was there', () => ready >= paths.length);
  return {
    events,
    objects: () => [...newest.values()],
    changes: () => changes,
    stop() {
      stopped = true;
      for (const call of calls) call.destroy();
      agent.destroy();
    },
  };
}

function identity({ apiVersion, kind, metadata }: KubeJson): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? ''}/${metadata?.name}`;
}

function withoutSecrets(object: KubeJson): KubeJson {
  if (object.kind !== 'Secret' || typeof object.data !== 'object' || object.data === null) return object;
  const redacted = Buffer.from('redacted').toString('base64');
  return { ...object, data: Object.fromEntries(Object.keys(object.data).map((name) => [name, redacted])) };
}
