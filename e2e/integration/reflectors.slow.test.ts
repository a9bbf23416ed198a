/** Our transport and Reflectors against a real API server: killed, stopped, and with kinds that come and go. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTransport } from '../../core/node/kubeConnect.ts';
import { flattenContext } from '../../core/node/kubeconfigFlatten.ts';
import { loadKubeconfig } from '../../core/node/kubeconfigLoad.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import { filterSecrets } from '../../core/source/secretFilter.ts';
import { collectionPath } from '../../core/source/watch/kubeListerWatcher.ts';
import { parseListText } from '../../core/source/watch/listText.ts';
import { createWatchManager } from '../../core/source/watch/watchManager.ts';
import type { Contact, WatchedItem, WatchGap } from '../../core/source/watch/watchTypes.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { GroupResource } from '../../shared/model/ids.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, applyYaml, type KubeClient } from '../testbed/kubeClient.ts';
import { operatorManifest } from '../testbed/paths.ts';
import { seedDatabases } from '../testbed/seed.ts';
import type { UserName } from '../testbed/users.ts';
import { eventually } from '../testbed/wait.ts';

const databases = 'databases.db.example.com' as GroupResource;
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const gadgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.x.example.com }
spec:
  group: x.example.com
  scope: Namespaced
  names: { plural: gadgets, singular: gadget, kind: Gadget }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;

describe('Reflectors on a real API server', { timeout: 120_000 }, async () => {
  const cluster = await clusterOrSkip();
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  const open: Disposable[] = [];

  beforeAll(async () => {
    await applyManifests(admin, [operatorManifest('crd-databases.yaml')]);
    await applyYaml(admin, '{apiVersion: v1, kind: Namespace, metadata: {name: load}}');
    await seedDatabases(admin, { namespace: 'load', count: 700 });
  });
  afterEach(() => {
    for (const one of open.splice(0).reverse()) one.dispose();
  });
  afterAll(async () => {
    admin.close();
    await cluster.stop();
  });

  function connect(user: UserName) {
    const loaded = loadKubeconfig({ flag: cluster?.kubeconfigPath(user), home: '/' });
    const flat = loaded.ok ? flattenContext(loaded.value) : loaded;
    const made = flat.ok
      ? createTransport(flat.value, { clock: systemClock, version: 'test', env: {} })
      : flat;
    if (!made.ok) throw new Error(made.error.message);
    open.push(made.value);
    return made.value;
  }

  /** A manager of the default plan and databases, and the newest text it told of every object. */
  async function watch(user: UserName, mode: 'list' | 'watchlist' = 'list') {
    const transport = connect(user);
    const texts = new Map<string, Map<string, string>>();
    const gaps: WatchGap[] = [];
    const contacts: Contact[] = [];
    const items: WatchedItem[] = [];
    const manager = createWatchManager(
      {
        transport,
        clock: systemClock,
        random: Math.random,
        digest,
        contextNamespace: 'load',
        namespaces: [],
        mode,
      },
      {
        onItem: (item) => {
          items.push(item);
          const source = texts.get(item.source) ?? new Map<string, string>();
          texts.set(item.source, source);
          if (item.op === 'deleted' || item.op === 'vanished') source.delete(item.key);
          else source.set(item.key, item.raw);
        },
        onGap: (gap) => gaps.push(gap),
        onContact: (contact) => contacts.push(contact),
      },
    );
    open.push(manager);
    manager.ensure(databases, 'full');
    const started = await manager.start();
    if (!started.ok) throw new Error(started.error.message);
    await manager.synced();

    /** Every cached object, in full, against a list at the version of its source. */
    async function differences(): Promise<string[]> {
      const different: string[] = [];
      for (const source of manager.sources()) {
        const metadata =
          source.detail === 'metadata' ? ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' : '';
        const path = `${collectionPath(source.resource, source.namespace)}?resourceVersion=${source.version}&resourceVersionMatch=Exact`;
        const answer = await transport.request({
          method: 'GET',
          path,
          accept: `application/json${metadata}`,
        });
        if (!answer.ok) throw new Error(answer.error.message);
        const type =
          source.detail === 'metadata'
            ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
            : {
                apiVersion: [source.resource.group, source.resource.version].filter(Boolean).join('/'),
                kind: source.resource.kind,
              };
        const list = parseListText(await answer.value.text(), type);
        if (list === undefined) throw new Error(`${path}: ${answer.value.status}`);
        const cached = texts.get(source.source) ?? new Map<string, string>();
        if (list.items.length !== cached.size)
          different.push(`${source.source}: ${cached.size} of ${list.items.length}`);
        const byUid = new Map(
          [...cached.values()].map((raw) => [JSON.parse(raw).metadata.uid, JSON.parse(raw)]),
        );
        for (const { raw, object } of list.items) {
          const wanted = filterSecrets(raw, object, digest).object;
          const have = byUid.get(wanted.metadata.uid);
          if (JSON.stringify(sorted(have)) !== JSON.stringify(sorted(wanted))) {
            different.push(`${source.source} ${wanted.metadata.name}@${wanted.metadata.resourceVersion}`);
          }
        }
      }
      return different;
    }
    const live = () => manager.sources().every((source) => source.state === 'live');
    return { transport, manager, texts, gaps, contacts, items, differences, live };
  }

  test.each(['list', 'watchlist'] as const)(
    '[WA30] killed for ten seconds (%s): afterwards every object equals the server',
    async (mode) => {
      const { manager, texts, gaps, contacts, differences, live } = await watch('admin', mode);
      expect(await differences()).toEqual([]);
      await cluster.killApiServer();
      await eventually('the loss is noticed', () => manager.contact().kind === 'lost', { timeoutMs: 5000 });
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      await cluster.startApiServer();
      await cluster.waitReady();
      await admin.create({
        apiVersion: 'db.example.com/v1',
        kind: 'Database',
        metadata: { namespace: 'load', name: `after-${mode.toLowerCase()}` },
        spec: { engine: 'postgres', version: '17', replicas: 1 },
      });
      await eventually('everyone is back', () => manager.contact().kind === 'connected' && live(), {
        timeoutMs: 20_000,
      });
      await eventually('every gap is closed', () => {
        const opened = new Set(gaps.map((gap) => gap.id));
        for (const gap of gaps) if (gap.phase === 'closed') opened.delete(gap.id);
        return opened.size === 0 && gaps.length > 0;
      });
      // What arrives while differences() asks would be in the cache and not in the answer.
      await eventually('the object made meanwhile is there', () =>
        [...texts.values()].some((cached) =>
          [...cached.values()].some((raw) => raw.includes(`"after-${mode}"`)),
        ),
      );
      expect(contacts.some((contact) => contact.kind === 'lost')).toBe(true);
      expect(await differences()).toEqual([]);
    },
  );

  test('[TR40] stopped with its connections open: noticed within half a minute, and back at once', async () => {
    const { manager, live } = await watch('admin');
    const pid = cluster.apiServerPid();
    process.kill(pid, 'SIGSTOP');
    try {
      await eventually('the silence is noticed', () => manager.contact().kind === 'lost', {
        timeoutMs: 35_000,
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await eventually('everyone is back', () => manager.contact().kind === 'connected' && live(), {
      timeoutMs: 20_000,
    });
  });

  test('[WA11] [WA12] a kind that comes is watched within a second, and ends when it goes', async () => {
    const { manager, items } = await watch('admin');
    const name = 'gadgets.x.example.com' as GroupResource;
    manager.ensure(name, 'full');
    await applyYaml(admin, gadgets);
    const state = () => manager.sources().find((source) => source.resource.resource === 'gadgets')?.state;
    await eventually('gadgets are watched', () => state() === 'live', { timeoutMs: 2000 });
    await admin.create({
      apiVersion: 'x.example.com/v1',
      kind: 'Gadget',
      metadata: { namespace: 'load', name: 'g' },
    });
    const told = () => items.filter((item) => item.resource.kind === 'Gadget').map((item) => item.op);
    await eventually('the gadget is told', () => told().includes('added'), { timeoutMs: 1000 });
    await admin.delete({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name });
    await eventually('the source has ended', () => state() === 'ended', { timeoutMs: 20_000 });
    expect(told().at(-1)).toMatch(/deleted|vanished/);
  });

  test('[WA20] a user without grants: usable, and told what is missing', async () => {
    const { manager } = await watch('viewer');
    expect(new Set(manager.sources().map((source) => source.state))).toEqual(new Set(['forbidden']));
    expect(manager.missing()).toContainEqual({ verb: 'list', group: 'apps', resource: 'deployments' });
    expect(manager.missing()).toContainEqual({
      verb: 'list',
      group: 'apps',
      resource: 'deployments',
      namespace: 'load',
    });
    expect(manager.contact()).toEqual({ kind: 'connected' });
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
