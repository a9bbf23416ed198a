import { afterEach, describe, expect, test } from 'vitest';
import { ok, type Result } from '../../shared/base/result.ts';
import type { SourceOffers } from '../../shared/contract/views/traces.ts';
import { objectKey } from '../../shared/model/ids.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { SessionLog } from '../session/record.ts';
import { checkAllowed, metricsProxyTarget } from '../source/allowList.ts';
import { ScriptedKubelet } from '../source/podLogs/scriptedKubelet.ts';
import type { KubeRequest, KubeResponse, TransportError } from '../source/transport.ts';
import { EngineBench, incident } from '../testing/engineBench.ts';
import { apiResource, type ScriptedCluster, TextResponse } from '../testing/scriptedCluster.ts';

const workload = 'Deployment/dbops-system/database-operator';

/** The incident with its operator's pods, whose logs and metrics are there, and what we may do about them. */
class Pods {
  readonly cluster: ScriptedCluster;
  readonly kubelets = new Map<string, ScriptedKubelet>();
  readonly refusedRights = new Set<string>();
  readonly allowed = new Set<string>();
  readonly asked: string[] = [];

  constructor() {
    this.cluster = incident();
    this.cluster.serve(apiResource('pods', 'Pod'));
    this.cluster.serve(apiResource('replicasets.apps', 'ReplicaSet'));
    this.cluster.of('replicasets.apps').create('dbops-system/database-operator-5d', {
      metadata: { ownerReferences: [owner('apps/v1', 'Deployment', 'database-operator')] },
    });
    const inner = this.cluster.request.bind(this.cluster);
    this.cluster.request = (request) => this.answer(request) ?? inner(request);
    Object.assign(this.cluster, {
      allowPodMetrics: (target: string) => {
        this.allowed.add(metricsProxyTarget(target));
        return { dispose: () => this.allowed.delete(target) };
      },
    });
  }

  add(name: string): ScriptedKubelet {
    this.cluster.of('pods').create(`dbops-system/${name}`, {
      spec: { containers: [{ name: 'manager', ports: [{ name: 'metrics', containerPort: 8080 }] }] },
      status: { phase: 'Running', containerStatuses: [{ name: 'manager', restartCount: 0 }] },
      metadata: { ownerReferences: [owner('apps/v1', 'ReplicaSet', 'database-operator-5d')] },
    });
    const kubelet = new ScriptedKubelet();
    kubelet.start();
    this.kubelets.set(name, kubelet);
    return kubelet;
  }

  private answer(request: KubeRequest): Promise<Result<KubeResponse, TransportError>> | undefined {
    const pod = /\/pods\/([^/]+)\/log/.exec(request.path)?.[1];
    if (pod !== undefined) {
      const kubelet = this.kubelets.get(pod);
      return kubelet?.request(request) ?? Promise.resolve(ok(new TextResponse(404, '{}')));
    }
    if (request.path.includes('/proxy/metrics')) {
      checkAllowed(request, { metricsProxies: this.allowed });
      this.asked.push(request.path);
      return Promise.resolve(ok(new TextResponse(200, 'up 1\n')));
    }
    if (!request.path.endsWith('/selfsubjectaccessreviews')) return undefined;
    const { spec } = JSON.parse(request.body ?? '{}');
    const { resource, subresource } = spec.resourceAttributes;
    const allowed = !this.refusedRights.has(`${resource}/${subresource}`);
    return Promise.resolve(ok(new TextResponse(201, JSON.stringify({ status: { allowed } }))));
  }
}

function owner(apiVersion: string, kind: string, name: string) {
  return { apiVersion, kind, name, uid: `uid-${name}`, controller: true };
}

const line = (ms: number, text: string) => `${new Date(ms).toISOString().slice(0, 23)}000000Z ${text}`;

describe('the operator’s pods', () => {
  let bench: EngineBench;
  let stopOffers: { dispose(): void } | undefined;
  afterEach(() => {
    stopOffers?.dispose();
    bench.engine.dispose();
  });

  function offers() {
    let last: SourceOffers = { offers: [] };
    const client = bench.client();
    stopOffers = client.value('offers', {}, (value) => {
      last = value;
    });
    return { client, now: () => last.offers };
  }
  const logLines = () => {
    const log = bench.engine.live()?.recorder.log;
    return [...(log?.heads({ kinds: ['log'] }) ?? [])].map((head) => ({
      source: head.source as string,
      text: log?.payload(head.seq),
      at: head.at.lo,
      ...(head.initial ? { stood: true } : {}),
    }));
  };
  const connections = () => {
    const log = bench.engine.live()?.recorder.log;
    return [...(log?.heads({ kinds: ['connection'] }) ?? [])].map((head) =>
      JSON.parse(log?.payload(head.seq) ?? '{}'),
    );
  };

  test('[SRC60] each pod is a source; pods that come are picked up, pods that go end', async () => {
    const pods = new Pods();
    const first = pods.add('database-operator-5d-aaaaa');
    bench = new EngineBench(pods.cluster);
    await bench.connect();
    const start = bench.clock.now();
    first.write(line(start - 1000, 'old'));
    expect(bench.engine.pods.followLogs(workload).ok).toBe(true);
    await bench.clock.advance(500);
    first.write(line(start + 500, 'a'));
    const second = pods.add('database-operator-5d-bbbbb');
    second.write(line(start + 400, 'b'));
    await bench.clock.advance(1000);
    expect(logLines()).toEqual([
      { source: 'podLog:1', text: 'old', at: start - 1000, stood: true },
      { source: 'podLog:1', text: 'a', at: start + 500 },
      { source: 'podLog:2', text: 'b', at: start + 400, stood: true },
    ]);
    pods.kubelets.delete('database-operator-5d-aaaaa');
    pods.cluster.of('pods').delete('dbops-system/database-operator-5d-aaaaa');
    first.exit();
    await bench.clock.advance(2000);
    expect(bench.engine.feeds.rows().map(({ label, state }) => [label, state])).toEqual([
      ['dbops-system/database-operator-5d-aaaaa/manager', 'ended'],
      ['dbops-system/database-operator-5d-bbbbb/manager', 'live'],
    ]);
    // Of an operator of another name nothing is read.
    pods.cluster.of('pods').create('dbops-system/web-1', { spec: { containers: [{ name: 'web' }] } });
    await bench.clock.advance(1000);
    expect(bench.engine.feeds.rows()).toHaveLength(2);
  });

  test('[SRC61] a feed that the user detached stays away, until the logs are asked for again', async () => {
    const pods = new Pods();
    pods.add('database-operator-5d-aaaaa');
    bench = new EngineBench(pods.cluster);
    await bench.connect();
    bench.engine.pods.followLogs(workload);
    await bench.clock.advance(500);
    bench.engine.feeds.detach('podLog:1');
    pods.add('database-operator-5d-bbbbb');
    await bench.clock.advance(1000);
    expect(bench.engine.feeds.rows().map(({ label }) => label)).toEqual([
      'dbops-system/database-operator-5d-bbbbb/manager',
    ]);
    bench.engine.pods.followLogs(workload);
    expect(bench.engine.feeds.rows()).toHaveLength(2);
  });

  test('[SRC62] another connection has other pods; nothing is left running', async () => {
    const pods = new Pods();
    const kubelet = pods.add('database-operator-5d-aaaaa');
    bench = new EngineBench(pods.cluster);
    await bench.connect();
    bench.engine.pods.followLogs(workload);
    await bench.clock.advance(500);
    expect(kubelet.following).toBe(1);
    bench.engine.disconnect();
    await bench.clock.advance(100);
    expect(kubelet.following).toBe(0);
    expect(bench.engine.feeds.rows()).toEqual([]);
    expect(bench.engine.pods.recovery()).toEqual({ workloads: [], logs: [], metrics: [] });
    expect(bench.engine.pods.followLogs(workload)).toMatchObject({ ok: false });
    expect(bench.clock.pendingTimers).toBe(0);
  });

  test('[SRC65] the same cluster again: its logs are followed as before, metrics are asked for anew', async () => {
    const pods = new Pods();
    pods.add('database-operator-5d-aaaaa').write(line(1_796_000_000_000, 'a'));
    bench = new EngineBench(pods.cluster);
    await bench.connect();
    bench.engine.pods.followLogs(workload);
    bench.engine.pods.readMetrics({
      namespace: 'dbops-system',
      pod: 'database-operator-5d-aaaaa',
      port: 8080,
      scheme: 'http',
    });
    await bench.clock.advance(500);
    await bench.connect();
    await bench.clock.advance(500);
    expect(bench.engine.feeds.rows()).toMatchObject([{ kind: 'podLog', state: 'live', records: 1 }]);
    expect(pods.allowed.size).toBe(0);
    // Detached there, it is not followed by itself in the next one.
    bench.engine.feeds.detach(bench.engine.feeds.rows()[0]?.id ?? '');
    await bench.connect();
    await bench.clock.advance(500);
    expect(bench.engine.feeds.rows()).toEqual([]);
  });

  test('[SRC63] an engine that goes on in the same file reads no line twice and misses none', async () => {
    const pods = new Pods();
    const kubelet = pods.add('database-operator-5d-aaaaa');
    let log: SessionLog | undefined;
    const openSession: NonNullable<ConstructorParameters<typeof EngineBench>[1]>['openSession'] = (
      clock,
      resume,
    ) => {
      log = resume === undefined || log === undefined ? createMemoryLog({ clock }) : log;
      // A killed process closes nothing.
      return Object.assign(Object.create(log) as SessionLog, { file: 'session', close() {} });
    };
    bench = new EngineBench(pods.cluster, { openSession });
    await bench.connect();
    bench.engine.pods.followLogs(workload);
    bench.engine.pods.readMetrics({
      namespace: 'dbops-system',
      pod: 'database-operator-5d-aaaaa',
      port: 8080,
      scheme: 'http',
    });
    await bench.clock.advance(500);
    const at = bench.clock.now();
    kubelet.write(line(at, 'one'), line(at, 'two'));
    await bench.clock.advance(500);
    const recovery = JSON.parse(JSON.stringify(bench.engine.recovery()));
    const { clock } = bench;
    bench.engine.dispose();
    kubelet.write(line(at + 700, 'meanwhile'));
    await clock.advance(1000);
    bench = new EngineBench(pods.cluster, { openSession, clock });
    if (recovery === undefined) throw new Error('nothing to go on with');
    const recovering = bench.engine.recover(recovery);
    await clock.advance(5000);
    expect((await recovering).ok).toBe(true);
    expect(logLines().map(({ source, text }) => [source, text])).toEqual([
      ['podLog:1', 'one'],
      ['podLog:1', 'two'],
      ['podLog:1', 'meanwhile'],
    ]);
    expect(bench.engine.feeds.rows().map(({ id, state }) => [id, state])).toEqual([
      ['podLog:1', 'live'],
      ['podMetrics:2', 'live'],
    ]);
    const gaps = bench.engine.live()?.gaps.rows ?? [];
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.filter(({ source }) => source.startsWith('pod'))).toEqual([]);
    // And goes on picking up pods.
    pods.add('database-operator-5d-bbbbb');
    await clock.advance(1000);
    expect(bench.engine.feeds.rows()).toHaveLength(3);
  });

  test('[SRC70] what is offered goes away when it is attached', async () => {
    const pods = new Pods();
    pods.add('database-operator-5d-aaaaa');
    bench = new EngineBench(pods.cluster);
    const { client, now } = offers();
    await bench.clock.advance(10);
    expect(now().map(({ id }) => id)).toEqual(['form:log', 'form:metrics', 'form:audit']);
    await bench.connect();
    await bench.clock.advance(1000);
    expect(now().map(({ id, blocked, consent, needs }) => [id, blocked, consent, needs])).toEqual([
      [`podLog:${workload}`, undefined, false, 'nothing'],
      ['podMetrics:dbops-system/database-operator-5d-aaaaa:8080', undefined, true, 'nothing'],
      ['form:log', undefined, false, 'path'],
      ['form:metrics', undefined, false, 'url'],
      ['form:audit', undefined, false, 'path'],
    ]);
    const attach = async (id: string, consent = false) => {
      const done = client.call('feed.attachOffer', { id, consent });
      await bench.clock.advance(1000);
      return done;
    };
    expect(await attach(`podLog:${workload}`)).toEqual({ ok: true });
    expect(now().map(({ kind, needs }) => `${kind} ${needs}`)).toEqual([
      'podMetrics nothing',
      'log path',
      'metrics url',
      'audit path',
    ]);
    expect(await attach(`podLog:${workload}`)).toMatchObject({
      ok: false,
      problem: { code: 'no-such-offer' },
    });
    expect(await attach('form:log')).toMatchObject({ ok: false, problem: { code: 'needs-input' } });
  });

  test('[SRC71] metrics of a pod: nothing leaves before the user allowed it; that is on record', async () => {
    const pods = new Pods();
    pods.add('database-operator-5d-aaaaa');
    bench = new EngineBench(pods.cluster);
    const { client, now } = offers();
    await bench.connect();
    await bench.clock.advance(1000);
    const id = 'podMetrics:dbops-system/database-operator-5d-aaaaa:8080';
    const attach = async (consent: boolean) => {
      const done = client.call('feed.attachOffer', { id, consent });
      await bench.clock.advance(6000);
      return done;
    };
    expect(await attach(false)).toMatchObject({ ok: false, problem: { code: 'needs-consent' } });
    expect(pods.asked).toEqual([]);
    expect(pods.allowed.size).toBe(0);
    expect(await attach(true)).toEqual({ ok: true });
    expect(pods.asked).toEqual(
      Array(2).fill('/api/v1/namespaces/dbops-system/pods/database-operator-5d-aaaaa:8080/proxy/metrics'),
    );
    expect([...pods.allowed]).toEqual(['dbops-system/database-operator-5d-aaaaa:8080']);
    expect(now().some((offer) => offer.id === id)).toBe(false);
    expect(connections().filter(({ what }) => what === 'consent')).toEqual([
      { what: 'consent', to: 'podMetrics', target: 'dbops-system/database-operator-5d-aaaaa:8080' },
    ]);
    const [row] = bench.engine.feeds.rows();
    expect(row).toMatchObject({
      kind: 'podMetrics',
      state: 'live',
      detail: expect.stringContaining('as you allowed'),
    });
    bench.engine.feeds.detach(row?.id ?? '');
    await bench.clock.advance(1000);
    expect(pods.allowed.size).toBe(0);
    expect(now().some((offer) => offer.id === id)).toBe(true);
  });

  test('[SRC72] a right that is missing blocks it, is named, and is looked for again', async () => {
    const pods = new Pods();
    pods.add('database-operator-5d-aaaaa');
    pods.refusedRights.add('pods/log').add('pods/proxy');
    bench = new EngineBench(pods.cluster);
    const { client, now } = offers();
    await bench.connect();
    await bench.clock.advance(2000);
    expect(now().slice(0, 2)).toMatchObject([
      {
        blocked: 'You may not read the logs of pods in dbops-system.',
        missing: [{ verb: 'get', group: '', resource: 'pods/log', namespace: 'dbops-system' }],
      },
      { missing: [{ verb: 'get', group: '', resource: 'pods/proxy', namespace: 'dbops-system' }] },
    ]);
    const refused = client.call('feed.attachOffer', { id: `podLog:${workload}`, consent: false });
    await bench.clock.advance(10);
    expect(await refused).toMatchObject({ ok: false, problem: { code: 'blocked' } });
    pods.refusedRights.clear();
    await bench.clock.advance(62_000);
    expect(now()[0]).not.toHaveProperty('blocked');
  });

  test('[SRC73] an operator without a pod, and pods that may not be listed', async () => {
    const pods = new Pods();
    bench = new EngineBench(pods.cluster);
    const { now } = offers();
    await bench.connect();
    await bench.clock.advance(1000);
    expect(now()[0]).toMatchObject({
      kind: 'podLog',
      blocked: expect.stringContaining('has no pod that runs'),
    });
    stopOffers?.dispose();
    bench.engine.dispose();
    const hidden = new Pods();
    hidden.cluster.denials.push({ resource: 'pods', verb: '*' });
    bench = new EngineBench(hidden.cluster);
    const others = offers();
    await bench.connect();
    await bench.clock.advance(1000);
    expect(others.now()[0]).toMatchObject({
      blocked: expect.stringContaining('may not list the pods'),
      missing: [
        { verb: 'list', resource: 'pods' },
        { verb: 'watch', resource: 'pods' },
      ],
    });
  });

  test('[SRC73] an operator in a namespace that is not watched', async () => {
    const pods = new Pods();
    pods.add('database-operator-5d-aaaaa');
    bench = new EngineBench(pods.cluster);
    const { now } = offers();
    const connecting = bench.engine.connect({ context: 'test', namespaces: ['shop'] });
    await bench.clock.advance(3000);
    await connecting;
    // Its Deployment is not seen either: the operator is chosen by its file.
    bench.engine.setProfileFile(
      {
        format: 1,
        operator: { namespace: 'dbops-system', workload: 'Deployment/database-operator' },
        controllers: [{ name: 'database', for: 'databases.db.example.com' }],
      },
      'loopscope.yaml',
    );
    await bench.clock.advance(1000);
    const workloads = bench.engine.live()?.operators.profile()?.workload?.value;
    if (workloads === undefined) throw new Error('no operator');
    expect(now()[0]).toMatchObject({ kind: 'podLog', blocked: expect.stringContaining('is not watched') });
  });

  test('[SRC64] a pod whose ReplicaSet may not be read is known by its name', async () => {
    const pods = new Pods();
    pods.cluster.denials.push({ resource: 'replicasets.apps', verb: '*' });
    pods.add('database-operator-5d-aaaaa');
    bench = new EngineBench(pods.cluster);
    await bench.connect();
    bench.engine.pods.followLogs(workload);
    await bench.clock.advance(1000);
    expect(bench.engine.feeds.rows()).toHaveLength(1);
    expect(objectKey({ group: '', kind: 'Pod', namespace: 'n', name: 'p' })).toBe('/Pod/n/p');
  });
});
