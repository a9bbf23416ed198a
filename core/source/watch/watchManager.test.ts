import { describe, expect, test } from 'vitest';
import type { GroupResource } from '../../../shared/model/ids.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import { FakeClock } from '../../testing/fakeClock.ts';
import { apiResource, ScriptedCluster } from '../../testing/scriptedCluster.ts';
import type { DiscoveryChange } from '../discovery/discovery.ts';
import { createWatchManager, type WatchManagerOptions } from './watchManager.ts';
import type { WatchPlan } from './watchPlan.ts';
import type { Contact, WatchedItem, WatchGap } from './watchTypes.ts';

const databases = 'databases.db.example.com' as GroupResource;
const crds = 'customresourcedefinitions.apiextensions.k8s.io' as GroupResource;

const smallPlan: WatchPlan = [
  [
    { resource: crds, detail: 'full' },
    { resource: 'deployments.apps' as GroupResource, detail: 'full' },
  ],
  [{ resource: 'secrets' as GroupResource, detail: 'metadata' }],
  [{ resource: 'events' as GroupResource, detail: 'full' }],
];

function scene(options: Partial<WatchManagerOptions> = {}) {
  const clock = new FakeClock(1_000_000);
  const cluster = new ScriptedCluster();
  for (const [name, kind, more] of [
    [crds, 'CustomResourceDefinition', { namespaced: false }],
    ['deployments.apps', 'Deployment', {}],
    ['secrets', 'Secret', {}],
    ['events', 'Event', {}],
    [databases, 'Database', { subresources: ['status'] }],
    ['bindings', 'Binding', { verbs: ['create'] }],
  ] as const) {
    cluster.serve(apiResource(name, kind, more));
  }
  const items: WatchedItem[] = [];
  const gaps: WatchGap[] = [];
  const contacts: Contact[] = [];
  const changes: DiscoveryChange[] = [];
  const manager = createWatchManager(
    {
      transport: cluster,
      clock,
      random: () => 0,
      digest: (text) => `digest:${text.length}`,
      contextNamespace: 'team',
      namespaces: [],
      plan: smallPlan,
      ...options,
    },
    {
      onItem: (item) => items.push(item),
      onGap: (gap) => gaps.push(gap),
      onContact: (contact) => contacts.push(contact),
      onResources: (_, change) => changes.push(change),
    },
  );
  const told = () => items.splice(0).map((item) => `${item.op} ${item.key}@${item.resourceVersion}`);
  const states = () => Object.fromEntries(manager.sources().map((source) => [source.source, source.state]));
  /** What the log would hold: the last thing told of each object. */
  const world = (all: readonly WatchedItem[]) => {
    const last = new Map<string, string>();
    for (const item of all) {
      if (item.op === 'deleted' || item.op === 'vanished') last.delete(item.key);
      else last.set(item.key, item.resourceVersion);
    }
    return Object.fromEntries([...last].sort());
  };
  const start = async () => {
    const started = manager.start();
    await clock.advance(0);
    return started;
  };
  return { clock, cluster, manager, items, told, gaps, contacts, changes, states, world, start };
}

describe('what is watched', () => {
  test('[WA10] tiers begin one after the other, the first when discovery is there, each when the last has settled', async () => {
    const { clock, cluster, manager, start, states } = scene({ mode: 'list', pageSize: 500 });
    cluster.of('deployments.apps').failLists('500', 1);
    let synced = false;
    void manager.synced().then(() => {
      synced = true;
    });
    await start();
    // A source that fails has settled: it must not hold up the rest.
    expect(Object.keys(states())).toEqual([
      'watch:apiextensions.k8s.io/v1/customresourcedefinitions',
      'watch:apps/v1/deployments',
      'watch:v1/secrets',
      'watch:v1/events',
    ]);
    expect(states()['watch:apps/v1/deployments']).toBe('lost');
    await clock.advance(1000);
    expect(new Set(Object.values(states()))).toEqual(new Set(['live']));
    expect(synced).toBe(true);
    const lists = cluster.requests.filter((request) => request.includes('limit='));
    expect(lists.map((request) => request.split('/').at(-1)?.split('?')[0])).toEqual([
      'customresourcedefinitions',
      'deployments',
      'secrets',
      'events',
      'deployments',
    ]);
  });

  test('[WA11] a resource wanted later, served later, and of no use to watch', async () => {
    const { clock, cluster, manager, start, states, told } = scene();
    await start();
    cluster.of(databases).create('team/a', { spec: { size: 1 } });
    manager.ensure(databases, 'full');
    manager.ensure('widgets.example.com' as GroupResource, 'full');
    manager.ensure('bindings' as GroupResource, 'full');
    manager.ensure(databases, 'metadata');
    await clock.advance(0);
    expect(told()).toEqual(['listed db.example.com/Database/team/a@101']);
    cluster.serve(apiResource('widgets.example.com', 'Widget')).create('team/w');
    cluster.of(crds).create('widgets.example.com');
    await clock.advance(200);
    expect(told()).toEqual([
      'added apiextensions.k8s.io/CustomResourceDefinition//widgets.example.com@103',
      'listed example.com/Widget/team/w@102',
    ]);
    expect(Object.keys(states())).not.toContain('watch:v1/bindings');
  });

  test('[WA12] a CRD deleted: its objects are deleted, its source ends without being tried again; recreated it starts anew', async () => {
    const { clock, cluster, manager, start, states, told, changes } = scene();
    cluster.of(databases).create('team/a');
    cluster.of(crds).create(databases);
    manager.ensure(databases, 'full');
    await start();
    told();
    cluster.unserve(databases);
    cluster.of(crds).delete(databases);
    await clock.advance(10_000);
    expect(told()).toEqual([
      'deleted db.example.com/Database/team/a@103',
      `deleted apiextensions.k8s.io/CustomResourceDefinition//${databases}@104`,
    ]);
    expect(states()['watch:db.example.com/v1/databases']).toBe('ended');
    expect(changes.at(-1)?.removed.map((resource) => resource.resource)).toEqual(['databases']);
    const asked = cluster.requests.length;
    await clock.advance(25_000);
    expect(cluster.requests.slice(asked).filter((request) => request.includes('databases'))).toEqual([]);
    cluster.serve(apiResource(databases, 'Database')).create('team/b');
    cluster.of(crds).create(databases);
    await clock.advance(200);
    expect(states()['watch:db.example.com/v1/databases']).toBe('live');
    expect(told()).toContain('listed db.example.com/Database/team/b@105');
  });

  test('[WA13] metadata upgraded to full: every object again, whole; what went meanwhile is told as gone', async () => {
    const { clock, cluster, manager, start, items, told } = scene();
    for (const key of ['team/a', 'team/b', 'team/c']) cluster.of(databases).create(key, { spec: { key } });
    manager.ensure(databases, 'metadata');
    await start();
    expect(items.every((item) => item.metadataOnly && item.object?.kind === 'PartialObjectMetadata')).toBe(
      true,
    );
    expect(items.every((item) => !item.raw.includes('spec'))).toBe(true);
    told();
    cluster.of(databases).partition();
    cluster.of(databases).update('team/b', { spec: { key: 'changed' } });
    cluster.of(databases).delete('team/c');
    manager.ensure(databases, 'full');
    await clock.advance(0);
    expect(
      items.map((item) => [item.op, item.key.split('/').at(-1), item.metadataOnly, item.initial]),
    ).toEqual([
      ['listed', 'a', false, true],
      ['relisted', 'b', false, true],
      ['vanished', 'c', false, false],
    ]);
    expect(JSON.parse(items[1]?.raw ?? '').spec).toEqual({ key: 'changed' });
    expect(manager.sources().find((source) => source.resource.resource === 'databases')?.detail).toBe('full');
  });

  test('[WA14] secrets are metadata, whatever is asked', async () => {
    const { clock, cluster, manager, start, items } = scene();
    cluster
      .of('secrets')
      .create('team/s', { data: { p: 'canary' }, metadata: { annotations: { token: 'canary' } } });
    await start();
    manager.ensure('secrets' as GroupResource, 'full');
    cluster
      .of('secrets')
      .update('team/s', { data: { p: 'canary2' }, metadata: { annotations: { token: 'canary' } } });
    await clock.advance(100);
    expect(items.map((item) => [item.op, item.metadataOnly])).toEqual([
      ['listed', true],
      ['modified', true],
    ]);
    expect(JSON.stringify(items)).not.toContain('canary');
    expect(JSON.stringify(items)).toContain('digest:6');
  });

  test('[WA15] items carry their text and where they came from', async () => {
    const { clock, cluster, start, items } = scene({ mode: 'watchlist' });
    cluster.of('deployments.apps').create('team/d', { spec: { replicas: 1 } });
    await start();
    await clock.advance(500);
    cluster.of('deployments.apps').update('team/d', { spec: { replicas: 2 } });
    await clock.advance(0);
    expect(
      items.map(({ raw, object, ...rest }) => ({
        ...rest,
        resource: rest.resource.kind,
        same: JSON.parse(raw),
        object,
      })),
    ).toEqual(
      ['101', '102'].map((version, index) => {
        const object: KubeObject = {
          kind: 'Deployment',
          apiVersion: 'apps/v1',
          metadata: { name: 'd', namespace: 'team', uid: 'u1', resourceVersion: version },
          spec: { replicas: index + 1 },
        };
        const now = 1_000_000 + index * 500;
        return {
          source: 'watch:apps/v1/deployments',
          resource: 'Deployment',
          op: index === 0 ? 'listed' : 'modified',
          key: 'apps/Deployment/team/d',
          uid: 'u1',
          resourceVersion: version,
          metadataOnly: false,
          initial: index === 0,
          at: { lo: now, hi: now },
          receivedAt: now,
          same: object,
          object,
        };
      }),
    );
  });
});

describe('rights', () => {
  test('[WA20] no cluster-wide list: the context namespace and those given; what is missing is named', async () => {
    const { clock, cluster, manager, start, states, told } = scene({ namespaces: ['extra', 'team'] });
    cluster.denials.push({ resource: 'deployments.apps', verb: '*', exceptIn: ['team'] });
    cluster.denials.push({ resource: crds, verb: '*' });
    for (const key of ['team/a', 'other/b']) cluster.of('deployments.apps').create(key);
    await start();
    await clock.advance(10);
    expect(told()).toEqual(['listed apps/Deployment/team/a@101']);
    expect(states()).toEqual({
      'watch:apiextensions.k8s.io/v1/customresourcedefinitions': 'forbidden',
      'watch:apps/v1/deployments': 'forbidden',
      'watch:apps/v1/deployments@team': 'live',
      'watch:apps/v1/deployments@extra': 'forbidden',
      'watch:v1/secrets': 'live',
      'watch:v1/events': 'live',
    });
    expect(manager.missing()).toEqual([
      { verb: 'list', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
      { verb: 'list', group: 'apps', resource: 'deployments' },
      { verb: 'list', group: 'apps', resource: 'deployments', namespace: 'extra' },
    ]);
    cluster.of('deployments.apps').create('team/c');
    await clock.advance(0);
    expect(told()).toEqual(['added apps/Deployment/team/c@103']);
    await manager.synced();
  });

  test('[WA21] the grant comes: the whole is watched, namespaces are left, nothing is told twice', async () => {
    const { clock, cluster, manager, start, states, told } = scene();
    cluster.denials.push({ resource: 'deployments.apps', verb: '*', exceptIn: ['team'] });
    for (const key of ['team/a', 'other/b']) cluster.of('deployments.apps').create(key);
    await start();
    expect(told()).toEqual(['listed apps/Deployment/team/a@101']);
    cluster.denials.length = 0;
    await clock.advance(60_000);
    expect(told()).toEqual(['listed apps/Deployment/other/b@102']);
    expect(Object.keys(states()).filter((source) => source.includes('deployments'))).toEqual([
      'watch:apps/v1/deployments',
    ]);
    expect(manager.missing()).toEqual([]);
    cluster.of('deployments.apps').update('team/a');
    await clock.advance(0);
    expect(told()).toEqual(['modified apps/Deployment/team/a@103']);
  });

  test('[WA22] list without watch: objects come, the missing verb is watch', async () => {
    const { clock, cluster, manager, start, told, states } = scene();
    cluster.denials.push({ resource: 'deployments.apps', verb: 'watch' });
    cluster.of('deployments.apps').create('team/a');
    await start();
    expect(told()).toEqual(['listed apps/Deployment/team/a@101']);
    expect(manager.missing()).toEqual([{ verb: 'watch', group: 'apps', resource: 'deployments' }]);
    expect(states()['watch:apps/v1/deployments']).toBe('forbidden');
    cluster.of('deployments.apps').update('team/a');
    await clock.advance(60_000);
    expect(told()).toEqual(['relisted apps/Deployment/team/a@102']);
  });

  test('[WA23] a user who may not discover is told what to grant', async () => {
    const { cluster, start } = scene();
    cluster.down();
    expect(await start()).toMatchObject({ ok: false, error: { code: 'refused' } });
  });
});

describe('outages', () => {
  test('[WA30] killed for ten seconds: contact is lost with a countdown, then everyone is back at once, nothing missed', async () => {
    const { clock, cluster, manager, start, items, gaps, contacts, world } = scene();
    for (const key of ['team/a', 'team/b']) cluster.of('deployments.apps').create(key);
    await start();
    await clock.advance(60_000);
    cluster.down();
    await clock.advance(5000);
    expect(manager.contact()).toMatchObject({
      kind: 'lost',
      since: 1_000_000,
      attempt: 3,
      error: { connectionRefused: true },
    });
    const contact = manager.contact();
    expect(contact.kind === 'lost' && contact.nextTryAt).toBeGreaterThan(clock.now());
    cluster.of('deployments.apps').update('team/a');
    cluster.of('deployments.apps').delete('team/b');
    await clock.advance(5000);
    cluster.up();
    await clock.advance(5000);
    expect(contacts.at(-1)).toEqual({ kind: 'connected' });
    expect(new Set(manager.sources().map((source) => source.state))).toEqual(new Set(['live']));
    expect(world(items.filter((item) => item.resource.kind === 'Deployment'))).toEqual({
      'apps/Deployment/team/a': '103',
    });
    const missed = items.filter((item) => item.op === 'modified');
    expect(missed.map((item) => item.at.lo)).toEqual([1_000_000]);
    await clock.advance(3000);
    const ids = (phase: WatchGap['phase']) => gaps.filter((gap) => gap.phase === phase).map((gap) => gap.id);
    expect(ids('opened')).toHaveLength(4);
    expect(ids('closed').sort()).toEqual(ids('opened').sort());
    expect(gaps.filter((gap) => gap.phase === 'closed').every((gap) => gap.found === undefined)).toBe(true);
  });

  test('[WA30] one source that is cut again and again is its own affair: contact stays', async () => {
    const { clock, cluster, manager, start, contacts } = scene();
    await start();
    const objects = cluster.of('deployments.apps');
    objects.failWatches('refused', 5);
    objects.breakWatches();
    await clock.advance(3000);
    expect(manager.sources().find((source) => source.resource.resource === 'deployments')?.state).toBe(
      'lost',
    );
    expect([manager.contact().kind, contacts.length]).toEqual(['connected', 0]);
    expect(cluster.requests.filter((request) => request.includes('readyz'))).toEqual([]);
    await clock.advance(60_000);
    expect(manager.sources().every((source) => source.state === 'live')).toBe(true);
  });

  test('[WA31] history compacted meanwhile: a relist tells changed, new and vanished with the time we were blind', async () => {
    const { clock, cluster, start, items, told, gaps } = scene();
    for (const key of ['team/a', 'team/b', 'team/c']) cluster.of('deployments.apps').create(key);
    await start();
    await clock.advance(10_000);
    told();
    cluster.down();
    cluster.of('deployments.apps').update('team/a');
    cluster.of('deployments.apps').delete('team/b');
    cluster.of('deployments.apps').create('team/d');
    cluster.of('deployments.apps').compact();
    cluster.up();
    await clock.advance(10_000);
    expect(items.every((item) => item.at.lo === 1_000_000 && item.at.hi > 1_010_000 && !item.initial)).toBe(
      true,
    );
    expect(told()).toEqual([
      'relisted apps/Deployment/team/a@104',
      'relisted apps/Deployment/team/d@106',
      'vanished apps/Deployment/team/b@102',
    ]);
    expect(gaps.find((gap) => gap.phase === 'closed' && gap.resource.kind === 'Deployment')).toMatchObject({
      cause: 'expired',
      found: { created: 1, changed: 1, deleted: 1, unchanged: 1 },
    });
  });

  test('[WA32] a list that fails after some pages: nothing is told twice, and what went in between is told as gone', async () => {
    const { clock, cluster, start, told } = scene({ mode: 'list', pageSize: 2 });
    const objects = cluster.of('deployments.apps');
    for (const key of ['team/a', 'team/b', 'team/c', 'team/d']) objects.create(key);
    // The second page of the first list fails.
    const list = objects.list.bind(objects);
    let pages = 0;
    objects.list = (options) => {
      pages++;
      if (pages === 2) objects.failLists('500', 1);
      return list(options);
    };
    await start();
    expect(told()).toEqual(['listed apps/Deployment/team/a@101', 'listed apps/Deployment/team/b@102']);
    objects.update('team/a');
    objects.delete('team/b');
    await clock.advance(2000);
    expect(told()).toEqual([
      'relisted apps/Deployment/team/a@105',
      'listed apps/Deployment/team/c@103',
      'listed apps/Deployment/team/d@104',
      'vanished apps/Deployment/team/b@102',
    ]);
  });

  test.each([1, 2, 3, 4])(
    '[WA33] seeded walk %i: what was told adds up to what the server has',
    async (seed) => {
      const { clock, cluster, manager, start, items, world } = scene({
        mode: seed % 2 ? 'list' : 'watchlist',
        pageSize: 3,
      });
      manager.ensure(databases, 'full');
      const objects = cluster.of(databases);
      let state = seed;
      const pick = (below: number) => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 8) % below;
      };
      void start();
      for (let step = 0; step < 200; step++) {
        const key = `ns${pick(2)}/${pick(8)}`;
        const action = pick(12);
        if (action < 3) objects.create(key);
        else if (action < 6) objects.update(key);
        else if (action < 7) objects.delete(key);
        else if (action === 7) cluster.down();
        else if (action === 8) objects.compact();
        else if (action === 9) objects.failLists('500', pick(3));
        else if (action === 10) objects.failLists('410', 1);
        else cluster.up();
        await clock.advance(pick(3000));
      }
      cluster.up();
      await clock.advance(7_200_000);
      const served = Object.fromEntries(
        objects.all().map((item) => [`db.example.com/Database/${item.key}`, item.resourceVersion]),
      );
      expect(world(items.filter((item) => item.resource.kind === 'Database'))).toEqual(served);
      manager.dispose();
      await clock.advance(0);
      expect([clock.pendingTimers, cluster.openWatches]).toEqual([0, 0]);
    },
  );

  test('[WA34] after dispose nothing is left, whenever it comes', async () => {
    for (const when of ['discovering', 'live', 'lost'] as const) {
      const { clock, cluster, manager, start, items } = scene();
      if (when === 'discovering') void manager.start();
      else await start();
      if (when === 'lost') {
        cluster.down();
        await clock.advance(1500);
      }
      manager.dispose();
      await clock.advance(0);
      cluster.up();
      const asked = cluster.requests.length;
      await clock.advance(300_000);
      expect([
        clock.pendingTimers,
        cluster.openWatches,
        cluster.requests.length - asked,
        items.length,
      ]).toEqual([0, 0, 0, 0]);
    }
  });
});
