/**
 * Logs of an operator's pods through the real API server, from a kubelet of our own: every line once, in order, whatever
 * breaks in between, and a gap where the node itself no longer has it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeEngine, type NodeEngine } from '../../core/node/createNodeEngine.ts';
import { clusterOrSkip } from './clusterOrSkip.ts';
import type { KubeClient } from './kubeClient.ts';
import { bindPod, reportPod } from './kubeletPods.ts';
import { type ContainerLog, type KubeletStub, startKubelet } from './kubeletStub.ts';
import { installOperator, type RunningOperator, startOperator } from './operator.ts';
import { pause } from './processes.ts';
import { eventually } from './wait.ts';

const namespace = 'dbops-system';
const workload = `Deployment/${namespace}/database-operator`;

describe('pod logs through a real API server', { timeout: 60_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  let kubelet: KubeletStub;
  let node: NodeEngine;
  let pods: string[];
  let operator: RunningOperator;
  let written = 0;
  const expected = new Map<string, string[]>();

  beforeAll(async () => {
    await installOperator(admin);
    kubelet = await startKubelet(cluster);
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'database-operator' };
    await admin.patch(deployment, { spec: { replicas: 2 } });
    pods = await eventually('two pods of the operator', async () => {
      const all = await admin.list('v1', 'Pod', namespace);
      return all.length === 2 && all.map((pod) => pod.metadata?.name ?? '').sort();
    });
    for (const pod of pods) await place(pod);
    operator = await startOperator(cluster);
    log(0).tail(operator.logPath);
    node = createNodeEngine({
      kubeconfig: cluster.kubeconfigPath('admin'),
      record: 'memory',
      execConsent: true,
    });
    const connected = await node.engine.connect({ context: 'testbed' });
    expect(connected.ok).toBe(true);
    await node.engine.live()?.synced();
  }, 60_000);

  afterAll(async () => {
    node.dispose();
    await kubelet.stop();
    await operator.stop();
    admin.close();
    await cluster.stop();
  });

  async function place(pod: string): Promise<void> {
    kubelet.container(namespace, pod, 'manager');
    await bindPod(admin, kubelet, namespace, pod);
    await reportPod(admin, kubelet, namespace, pod);
  }

  function log(index: number): ContainerLog {
    return kubelet.container(namespace, pods[index] ?? '', 'manager');
  }

  /** Writes lines that nobody else writes, to both pods; `unread`: they will be gone before they are read. */
  function write(count: number): void {
    for (let n = 0; n < count; n++) {
      for (const index of [0, 1]) {
        const text = `line ${++written} of pod ${index}`;
        log(index).write(text);
        const name = pods[index] ?? '';
        expected.set(name, [...(expected.get(name) ?? []), text]);
      }
    }
  }

  function records() {
    const session = node.engine.live()?.recorder.log;
    return [...(session?.heads({ kinds: ['log'] }) ?? [])].map((head) => ({
      source: head.source,
      at: head.at.lo,
      text: session?.payload(head.seq) ?? '',
    }));
  }

  function linesOf(pod: string): string[] {
    const id = node.engine.feeds.rows().find(({ label }) => label.startsWith(`${namespace}/${pod}/`))?.id;
    return records()
      .filter(({ source, text }) => source === id && /^line \d/.test(text))
      .map(({ text }) => text);
  }

  async function allThere(what: string): Promise<void> {
    await eventually(
      what,
      () => pods.every((pod) => linesOf(pod).length >= (expected.get(pod)?.length ?? 0)),
      { timeoutMs: 20_000 },
    );
    for (const pod of pods) expect(linesOf(pod), what).toEqual(expected.get(pod) ?? []);
  }

  const gapTexts = () =>
    node.engine
      .live()
      ?.gaps.rows.filter(({ source }) => source.startsWith('podLog'))
      .map(({ text }) => text) ?? [];
  const states = () => node.engine.feeds.rows().map(({ state }) => state);

  test('two replicas are two sources; the operator’s own lines come with the time of the node', async () => {
    write(20);
    await eventually('the operator is found', () => node.engine.live()?.operators.profile() !== undefined);
    expect(node.engine.pods.followLogs(workload)).toEqual({ ok: true, value: undefined });
    await allThere('what stood there');
    write(20);
    await allThere('what came then');
    expect(states()).toEqual(['live', 'live']);
    // The operator's own words, decoded.
    await eventually('its log is there', () =>
      records().some(({ text }) => text.includes('Starting Controller')),
    );
    const ats = records().filter(({ text }) => text.startsWith('line'));
    expect(ats.some(({ at }) => !Number.isInteger(at))).toBe(true);
    expect(gapTexts()).toEqual([]);
  });

  test('the kubelet’s connections break in a line, and again and again', async () => {
    for (let round = 0; round < 3; round++) {
      log(0).writePart('line 9');
      await pause(30);
      kubelet.cut();
      log(0).write('9999 was cut');
      expected.get(pods[0] ?? '')?.push('line 99999 was cut');
      write(5);
      await pause(100);
    }
    await allThere('after the cuts');
    expect(gapTexts()).toEqual([]);
  });

  test('a node that cannot be reached says so, and nothing is lost', async () => {
    await kubelet.pause();
    write(5);
    await eventually('it is said', () =>
      node.engine.feeds.rows().every(({ problem }) => problem?.code === 'kubelet-unreachable'),
    );
    await kubelet.resume();
    await allThere('when it is back');
    expect(gapTexts()).toEqual([]);
  });

  test('a restart: what the instance before still said, then the new one', async () => {
    write(3);
    await allThere('before');
    await kubelet.pause();
    write(3);
    log(1).write('panic: the end of it');
    log(1).exit();
    log(1).start();
    write(3);
    await kubelet.resume();
    await reportPod(admin, kubelet, namespace, pods[1] ?? '');
    await allThere('both instances');
    expect(records().filter(({ text }) => text.startsWith('panic'))).toHaveLength(1);
    expect(gapTexts()).toEqual([]);
    expect(kubelet.requests.some((path) => path.includes('previous=true'))).toBe(true);
  });

  test('rotation while it is read is none of our business; while it is not, it is a gap', async () => {
    await eventually('it is followed again', () => {
      const asked = kubelet.requests.findLast((path) => path.includes(`/${pods[0]}/`));
      return asked?.includes('follow=true') === true;
    });
    log(0).rotate();
    write(3);
    await allThere('through the rotation');
    expect(gapTexts()).toEqual([]);
    await kubelet.pause();
    log(0).write('line 0 nobody reads');
    log(0).rotate();
    write(3);
    await kubelet.resume();
    await allThere('what the node still has');
    expect(gapTexts()).toEqual([expect.stringContaining('may be missing: its node no longer keeps')]);
  });

  test('the API server dies and comes back', async () => {
    const gaps = gapTexts().length;
    write(3);
    await allThere('before');
    await cluster.killApiServer();
    write(3);
    await eventually('it is seen', () => states().every((state) => state === 'waiting'));
    await cluster.startApiServer();
    write(3);
    await allThere('after it');
    expect(gapTexts()).toHaveLength(gaps);
  });

  // The API server's proxy refuses pods on loopback; a machine without any other address cannot try it.
  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal && !one.address.startsWith('169.254.'))?.address;
  test.runIf(address !== undefined)('metrics of a pod through the proxy, once they are allowed', async () => {
    const name = pods[1] ?? '';
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('workqueue_depth{name="database",controller="database",priority="0"} 3\n');
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await admin.patch(
        { apiVersion: 'v1', kind: 'Pod', namespace, name },
        { status: { podIP: address, podIPs: [{ ip: address }] } },
        'status',
      );
      const target = { namespace, pod: name, port, scheme: 'http' } as const;
      expect(node.engine.pods.readMetrics(target).ok).toBe(true);
      const row = await eventually('a scrape', () =>
        node.engine.feeds.rows().find(({ kind, records }) => kind === 'podMetrics' && records > 0),
      );
      expect(row).toMatchObject({ label: `${namespace}/${name}:${port}`, state: 'live' });
      expect(new Set(asked)).toEqual(new Set(['GET /metrics']));
      // The operator's own process listens on this machine's loopback, and nothing at this port of the pod.
      node.engine.feeds.detach(row.id);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      expect(node.engine.pods.readMetrics(target).ok).toBe(true);
      await eventually('it says so', () =>
        node.engine.feeds
          .rows()
          .some(({ kind, problem }) => kind === 'podMetrics' && problem?.code === 'metrics-status'),
      );
    } finally {
      server.close();
    }
  });

  test('a pod goes, another comes', async () => {
    const [gone = '', kept = ''] = pods;
    log(0).exit();
    await admin.json('DELETE', `/api/v1/namespaces/${namespace}/pods/${gone}?gracePeriodSeconds=0`);
    const next = await eventually('its successor', async () => {
      const all = await admin.list('v1', 'Pod', namespace);
      return all.map((pod) => pod.metadata?.name ?? '').find((name) => name !== gone && name !== kept);
    });
    await place(next);
    pods = [next, kept];
    write(3);
    await allThere('the new one');
    await eventually('the old one has ended', () =>
      node.engine.feeds.rows().some(({ label, state }) => label.includes(gone) && state === 'ended'),
    );
  });
});
