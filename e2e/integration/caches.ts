/**
 * The caches against the API server: what a window holds of every kind, in full and by resourceVersion, must be what a
 * list at its Reflector's version gives (resourceVersionMatch=Exact).
 */
import { isSecretLike } from '../../core/source/secretFilter.ts';
import type { SourceStatus } from '../../core/source/watch/watchTypes.ts';
import type { KubeClient, KubeJson } from '../testbed/kubeClient.ts';
import type { TestWindow } from './testWindow.ts';

export interface CacheComparison {
  readonly sources: number;
  readonly objects: number;
  readonly metadataOnly: number;
  /** One sentence each; empty when all is well. */
  readonly differences: readonly string[];
}

interface HeldSource {
  readonly status: SourceStatus;
  /** By `namespace/name`: the version in the Reflector's cache and the newest payload that was recorded. */
  readonly held: ReadonlyMap<string, { readonly version: string; readonly payload: string }>;
}

export async function compareCaches(window: TestWindow, admin: KubeClient): Promise<CacheComparison> {
  const sources = heldSources(window);
  const differences: string[] = [];
  let [objects, metadataOnly] = [0, 0];
  for (const { status, held } of sources) {
    const listed = await listExactly(admin, status);
    objects += held.size;
    if (status.detail === 'metadata') metadataOnly += held.size;
    const where = `${status.source} at ${status.version}`;
    for (const [name, item] of listed) {
      const own = held.get(name);
      if (own === undefined) differences.push(`${where}: ${name} is listed and not held`);
      else if (own.version !== item.metadata?.resourceVersion)
        differences.push(
          `${where}: ${name} is held at ${own.version}, listed at ${item.metadata?.resourceVersion}`,
        );
      else if (comparable(JSON.parse(own.payload) as KubeJson) !== comparable(item))
        differences.push(
          `${where}: ${name} differs: ${own.payload.slice(0, 300)} / ${JSON.stringify(item).slice(0, 300)}`,
        );
    }
    for (const name of held.keys())
      if (!listed.has(name)) differences.push(`${where}: ${name} is held and not listed`);
  }
  return { sources: sources.length, objects, metadataOnly, differences };
}

/** Everything at one instant: nothing may arrive while it is read. */
function heldSources(window: TestWindow): readonly HeldSource[] {
  const session = window.session();
  const { log } = session.recorder;
  const { manager } = session.watching;
  const newest = new Map<string, string>();
  for (const head of log.heads({ kinds: ['object'] })) {
    if (head.object === undefined) continue;
    newest.set(`${head.source} ${head.object}`, log.payload(head.seq) ?? '');
  }
  return manager
    .sources()
    .filter(({ state }) => state === 'live')
    .map((status) => {
      const { group, kind } = status.resource;
      const held = new Map<string, { version: string; payload: string }>();
      for (const { key, resourceVersion } of manager.heads(status.source)) {
        const slash = key.indexOf('/');
        const [namespace, name] = slash < 0 ? ['', key] : [key.slice(0, slash), key.slice(slash + 1)];
        const payload = newest.get(`${status.source} ${group}/${kind}/${namespace}/${name}`) ?? 'null';
        held.set(key, { version: resourceVersion, payload });
      }
      return { status, held };
    });
}

async function listExactly(admin: KubeClient, status: SourceStatus): Promise<ReadonlyMap<string, KubeJson>> {
  const { resource, namespace, version, detail } = status;
  const root = resource.group === '' ? '/api/v1' : `/apis/${resource.group}/${resource.version}`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const list = await admin.json(
    'GET',
    `${root}${scope}/${resource.resource}?resourceVersion=${version}&resourceVersionMatch=Exact`,
    detail === 'full' ? {} : { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
  );
  const items = (list.items ?? []) as readonly KubeJson[];
  // Items of a list leave out what the list's own kind says.
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  return new Map(
    items.map((item) => {
      const { namespace: own, name } = item.metadata ?? {};
      const full = detail === 'full' ? { ...item, apiVersion, kind: resource.kind } : item;
      return [own === undefined ? `${name}` : `${own}/${name}`, full];
    }),
  );
}

/** One text per content: keys sorted; kind and apiVersion of metadata, and annotations that are digested, left out. */
function comparable(object: KubeJson): string {
  const { apiVersion, kind, ...rest } = object;
  const head =
    object.kind === 'PartialObjectMetadata' || Object.keys(rest).length === 1 ? {} : { apiVersion, kind };
  return JSON.stringify({ ...head, ...rest }, (key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value)
      .filter(([name]) => key !== 'annotations' || !isSecretLike(name))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  });
}
