/**
 * PodFeeds: the pods of the operator's workload as feeds. Once its logs are followed, each pod is a source of its own with
 * its own order; pods that come are picked up, pods that go end. Metrics of a pod are read where the user allowed it, by
 * name. They belong to the live session: another cluster has other pods. Spec: docs/spec/sources.md (SRC60–SRC69)
 */
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import { objectKey, parseObjectKey, recordSeq } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import { readWorkload } from '../profile/workload.ts';
import { followPodLog, type PodLogFeed, type PodNow } from '../source/podLogs/podLogFeed.ts';
import {
  type PodMetricsTarget,
  parseTarget,
  scrapePodMetrics,
  targetText,
} from '../source/podLogs/podMetricsFeed.ts';
import { managerContainer, metricsTargetOf, podNow } from '../source/podLogs/podShape.ts';
import type { EngineSession } from './engineSession.ts';
import type { FeedSpec, Feeds } from './feeds.ts';
import type { EngineHost } from './host.ts';
import type { LiveSession } from './liveSession.ts';
import { parse } from './objectViews.ts';
import type { Recovery } from './recovery.ts';
import { throttled } from './throttle.ts';
import { self } from './watchRecords.ts';

export interface PodFeeds extends Disposable {
  /** Follows the log of every pod of `Kind/namespace/name`, those to come included. */
  followLogs(workload: string): Result<void, Problem>;
  /** The user allowed it for this pod and port; that is put on record. */
  readMetrics(target: PodMetricsTarget): Result<void, Problem>;
  isFollowing(workload: string): boolean;
  isRead(target: PodMetricsTarget): boolean;
  /** For an engine that goes on where this one was. */
  recovery(): NonNullable<Recovery['pods']>;
  /** Feeds and workloads of an engine that died; call before its session goes on. */
  restore(pods: NonNullable<Recovery['pods']>): void;
  /** Something was attached or detached. */
  readonly onChange: Emitter<void>;
}

/** One pod of a workload, as its newest version on record says. */
export interface OperatorPod {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly metrics: PodMetricsTarget | undefined;
  readonly now: PodNow;
}

/** Pods of one workload that are followed at a time; ended ones that stay listed. */
const mostPods = 30;
const mostEnded = 10;

interface FollowedPod {
  readonly id: string;
  readonly key: string;
  readonly workload: string;
  running: PodLogFeed | undefined;
  told: string;
}

export interface PodFeedsDeps {
  readonly host: Pick<EngineHost, 'clock' | 'random'>;
  readonly feeds: Feeds;
  readonly live: () => LiveSession | undefined;
  readonly onLive: Emitter<LiveSession | undefined>;
}

export function createPodFeeds({ host, feeds, live, onLive }: PodFeedsDeps): PodFeeds {
  const store = new DisposableStore();
  const workloads = new Set<string>();
  /** By `namespace/pod/container`; detached by the user where it is undefined. */
  const followed = new Map<string, FollowedPod | undefined>();
  /** Feed by its target. */
  const metrics = new Map<string, string>();
  const onChange = store.add(new Emitter<void>());
  let session: LiveSession | undefined;
  let following: Disposable | undefined;
  /** What was followed in the session before this one. */
  let before: { readonly context: string | undefined; readonly workloads: ReadonlySet<string> } | undefined;

  const look = store.add(throttled(host.clock, 250, () => lookAtPods()));

  function lookAtPods(): void {
    if (session === undefined || workloads.size === 0) return;
    for (const workload of workloads) {
      const pods = podsOf(session, workload).filter(({ now }) => !now.over);
      for (const pod of pods.slice(0, mostPods)) {
        const key = `${pod.namespace}/${pod.name}/${pod.container}`;
        if (!followed.has(key)) follow(key, workload);
      }
    }
    const ended: FollowedPod[] = [];
    const states = new Map(feeds.rows().map(({ id, state }) => [id, state]));
    for (const pod of followed.values()) {
      if (pod === undefined) continue;
      if (states.get(pod.id) === 'ended') ended.push(pod);
      const told = JSON.stringify(nowOf(pod.key) ?? {});
      if (told === pod.told) continue;
      pod.told = told;
      pod.running?.poke();
    }
    for (const { key, id } of ended.slice(0, Math.max(0, ended.length - mostEnded))) {
      followed.delete(key);
      feeds.detach(id);
    }
  }

  /** What the newest version of the pod says; undefined: it was never seen. */
  function nowOf(key: string): PodNow | undefined {
    const [namespace = '', name = '', container = ''] = key.split('/');
    const state = session?.index.get(objectKey({ group: '', kind: 'Pod', namespace, name }));
    if (state === undefined || session === undefined) return undefined;
    const pod = parse(session.recorder.log, recordSeq(state.fact.seq));
    return podNow(pod ?? nothing(namespace, name), container, state.deleted);
  }

  function follow(key: string, workload: string, given?: string): void {
    const [namespace = '', pod = '', container = ''] = key.split('/');
    const entry: { -readonly [K in keyof FollowedPod]: FollowedPod[K] } = {
      id: '',
      key,
      workload,
      running: undefined,
      told: '',
    };
    const spec: FeedSpec = {
      kind: 'podLog',
      label: key,
      start(sink, before) {
        const transport = live()?.transport;
        if (transport === undefined) return { dispose: () => undefined };
        const running = followPodLog(
          {
            transport,
            clock: host.clock,
            random: host.random,
            target: { namespace, pod, container },
            now: () => nowOf(key),
            before,
          },
          sink,
        );
        entry.running = running;
        return running;
      },
    };
    entry.id = feeds.attach(spec, given);
    followed.set(key, entry);
    onChange.emit();
  }

  function scrape(target: PodMetricsTarget, given?: string): void {
    const label = targetText(target);
    const spec: FeedSpec = {
      kind: 'podMetrics',
      label,
      start(sink) {
        const transport = live()?.transport;
        if (transport === undefined) return { dispose: () => undefined };
        recordConsent(label);
        return scrapePodMetrics(target, sink, { transport, clock: host.clock });
      },
    };
    metrics.set(label, feeds.attach(spec, given));
    onChange.emit();
  }

  function recordConsent(target: string): void {
    const now = host.clock.now();
    live()?.recorder.record({
      kind: 'connection',
      source: self,
      at: { lo: now, hi: now },
      receivedAt: now,
      payload: JSON.stringify({ what: 'consent', to: 'podMetrics', target }),
    });
  }

  function bind(next: LiveSession | undefined): void {
    if (next === session) return;
    // Pods of one session are none of another's.
    if (session !== undefined) {
      const attached = [...followed.values()].flatMap((pod) => (pod === undefined ? [] : [pod.workload]));
      before = { context: session.connection().context, workloads: new Set(attached) };
      for (const pod of followed.values()) if (pod !== undefined) feeds.detach(pod.id);
      for (const id of metrics.values()) feeds.detach(id);
      followed.clear();
      metrics.clear();
      workloads.clear();
    }
    following?.dispose();
    following = undefined;
    session = next;
    if (next === undefined) return;
    // The same cluster again: its logs as before, as with files. What was allowed is asked for anew.
    if (before?.context === next.connection().context)
      for (const workload of before?.workloads ?? []) workloads.add(workload);
    before = undefined;
    following = next.onObject.on((key) => {
      if (workloads.size > 0 && parseObjectKey(key).kind === 'Pod') look.poke();
    });
    look.poke();
  }

  store.add(onLive.on(bind));
  store.add(
    feeds.onChange.on(() => {
      if (followed.size + metrics.size === 0) return;
      const there = new Set(feeds.rows().map(({ id }) => id));
      let changed = false;
      for (const [label, id] of metrics) if (!there.has(id)) changed = metrics.delete(label);
      for (const [key, pod] of followed) {
        if (pod === undefined || there.has(pod.id)) continue;
        // The user detached it: it is not picked up again.
        followed.set(key, undefined);
        changed = true;
      }
      if (changed) onChange.emit();
    }),
  );
  store.add({ dispose: () => following?.dispose() });
  bind(live());

  return {
    onChange,
    followLogs(workload) {
      if (live() === undefined) return notLive;
      workloads.add(workload);
      // Whoever asks again wants those that were detached as well.
      for (const [key, pod] of followed) if (pod === undefined) followed.delete(key);
      lookAtPods();
      onChange.emit();
      return ok(undefined);
    },
    readMetrics(target) {
      if (live() === undefined) return notLive;
      if (!metrics.has(targetText(target))) scrape(target);
      return ok(undefined);
    },
    isFollowing: (workload) => workloads.has(workload),
    isRead: (target) => metrics.has(targetText(target)),
    recovery: () => ({
      workloads: [...workloads],
      logs: [...followed.values()].flatMap((pod) =>
        pod === undefined ? [] : [{ id: pod.id, label: pod.key, workload: pod.workload }],
      ),
      metrics: [...metrics].map(([label, id]) => ({ id, label })),
    }),
    restore(pods) {
      for (const workload of pods.workloads) workloads.add(workload);
      for (const { id, label, workload } of pods.logs) follow(label, workload, id);
      for (const { id, label } of pods.metrics) {
        const target = parseTarget(label);
        if (target !== undefined) scrape(target, id);
      }
    },
    dispose: () => store.dispose(),
  };
}

/** Pods of a workload (`Deployment/ns/name`) that exist now, the oldest first. */
export function podsOf(
  session: Pick<EngineSession, 'index' | 'model' | 'recorder'>,
  workload: string,
): readonly OperatorPod[] {
  const [kind = '', namespace = '', name = ''] = workload.split('/');
  const object = session.model.get(objectKey({ group: 'apps', kind, namespace, name }));
  const names = object === undefined ? [name] : (readWorkload(object)?.names ?? [name]);
  const found: { readonly at: string; readonly pod: OperatorPod }[] = [];
  for (const { fact } of session.index.ofKind('', 'Pod')) {
    if (fact.namespace !== namespace || !isOwnedBy(session, fact.meta, namespace, kind, name)) continue;
    const pod = parse(session.recorder.log, fact.seq);
    const container = pod && managerContainer(pod, names);
    if (pod === undefined || container === undefined) continue;
    found.push({
      at: fact.meta.creationTimestamp ?? '',
      pod: {
        namespace,
        name: fact.name,
        container,
        metrics: metricsTargetOf(pod, container),
        now: podNow(pod, container, false),
      },
    });
  }
  return found
    .sort((a, b) => (a.at === b.at ? (a.pod.name < b.pod.name ? -1 : 1) : a.at < b.at ? -1 : 1))
    .map(({ pod }) => pod);
}

function isOwnedBy(
  { index }: Pick<EngineSession, 'index'>,
  meta: KubeObject['metadata'],
  namespace: string,
  kind: string,
  name: string,
): boolean {
  const owner = meta.ownerReferences?.find((one) => one.controller === true);
  if (owner === undefined) return false;
  if (owner.kind === kind) return owner.name === name;
  if (kind !== 'Deployment' || owner.kind !== 'ReplicaSet') return false;
  const set = index.get(objectKey({ group: 'apps', kind: 'ReplicaSet', namespace, name: owner.name }));
  const above = set?.fact.meta.ownerReferences?.find((one) => one.controller === true);
  if (above !== undefined) return above.kind === kind && above.name === name;
  // ReplicaSets may not be read: theirs is the Deployment's name and one hash more.
  return owner.name.startsWith(`${name}-`) && /^[a-z0-9]{1,10}$/.test(owner.name.slice(name.length + 1));
}

function nothing(namespace: string, name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name } };
}

const notLive: Result<never, Problem> = err({
  code: 'not-connected',
  message: 'Connect to a cluster first: a recording has the logs it has.',
});
