/**
 * Offers: what could be attached with one click for the operator under debug, what it would show, and why it cannot be where
 * it cannot: with the right that is missing. What is attached is offered no more. Spec: docs/spec/sources.md (SRC70–SRC77)
 */
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { structurallyEqual } from '../../shared/contract/rowTable.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { MissingGrant } from '../../shared/contract/views/sources.ts';
import type { SourceOffer, SourceOffers } from '../../shared/contract/views/traces.ts';
import { parseObjectKey } from '../../shared/model/ids.ts';
import { reviewOwnAccess } from '../source/access/reviews.ts';
import { parseTarget, targetText } from '../source/podLogs/podMetricsFeed.ts';
import type { Engine } from './engine.ts';
import type { EngineHost } from './host.ts';
import type { LiveSession } from './liveSession.ts';
import { type OperatorPod, podsOf } from './podFeeds.ts';
import { every, throttled } from './throttle.ts';

export interface Offers {
  /** Tells them now and whenever they change. */
  follow(emit: (offers: SourceOffers) => void): Disposable;
  /** `consent`: the user allowed what the offer needs. Fails with a sentence that says what to do. */
  attach(id: string, consent: boolean): Promise<Result<void, Problem>>;
}

/** A right may be granted meanwhile: asked again that often while somebody looks, ms. */
const askAgainMs = 30_000;
const lookAgainMs = 15_000;
/** Pods whose metrics are offered. */
const mostPods = 6;

type Subresource = 'log' | 'proxy';

export function createOffers(host: Pick<EngineHost, 'clock' | 'feeds'>, engine: Engine): Offers {
  const { clock } = host;
  /** By session: what the API server said we may do. */
  const asked = new WeakMap<
    LiveSession,
    Map<string, { readonly at: number; allowed: boolean | undefined }>
  >();
  const listeners = new Set<() => void>();

  /** Undefined: not known (yet). */
  function mayGet(session: LiveSession, namespace: string, subresource: Subresource): boolean | undefined {
    const answers =
      asked.get(session) ?? new Map<string, { readonly at: number; allowed: boolean | undefined }>();
    asked.set(session, answers);
    const key = `${namespace}/${subresource}`;
    const known = answers.get(key);
    if (known !== undefined && clock.monotonic() - known.at < askAgainMs) return known.allowed;
    const entry = { at: clock.monotonic(), allowed: known?.allowed };
    answers.set(key, entry);
    const question = { verb: 'get', group: '', resource: 'pods', subresource, namespace };
    void reviewOwnAccess(session.transport, question, new AbortController().signal).then((allowed) => {
      if (entry.allowed === allowed) return;
      entry.allowed = allowed;
      for (const tell of listeners) tell();
    });
    return entry.allowed;
  }

  function list(): SourceOffer[] {
    // A recording has what it has; its live session goes on behind it.
    const session = engine.player() === undefined ? engine.live() : undefined;
    const workload = session?.operators.profile()?.workload?.value;
    return [
      ...(session === undefined || workload === undefined ? [] : podOffers(session, workload)),
      ...ownOffers(),
      ...forms,
    ];
  }

  function podOffers(session: LiveSession, workload: string): SourceOffer[] {
    const [, namespace = ''] = workload.split('/');
    const pods = podsOf(session, workload).filter(({ now }) => !now.over);
    const offers: SourceOffer[] = [];
    if (!engine.pods.isFollowing(workload)) offers.push(logOffer(session, workload, namespace, pods));
    for (const { metrics: target } of pods.slice(0, mostPods)) {
      if (target === undefined || engine.pods.isRead(target)) continue;
      const label = targetText(target);
      const isAllowed = mayGet(session, namespace, 'proxy') !== false;
      offers.push({
        id: `podMetrics:${label}`,
        kind: 'podMetrics',
        label,
        gives: `Counts of reconciles, errors, latency and queue depth of each controller, every 5 s. It reaches into the cluster’s network through the API server: GET /metrics of port ${target.port} of this pod, nothing else.`,
        ...(isAllowed
          ? {}
          : refused(
              `You may not read the metrics of pods in ${namespace} through the API server.`,
              namespace,
              ['pods/proxy'],
            )),
        consent: true,
        needs: 'nothing',
      });
    }
    return offers;
  }

  function logOffer(
    session: LiveSession,
    workload: string,
    namespace: string,
    pods: readonly OperatorPod[],
  ): SourceOffer {
    const base = {
      id: `podLog:${workload}`,
      kind: 'podLog',
      label: workload,
      gives: `${podsText(pods.length)} Shows every reconcile that failed with its error; at V(5) also those that succeeded, with their start and what comes next. Pods that come later are followed as well.`,
      consent: false,
      needs: 'nothing',
    } as const;
    const watched = session.connection().namespaces;
    if (watched.length > 0 && !watched.includes(namespace))
      return {
        ...base,
        blocked: `The namespace ${namespace} of the operator is not watched. Connect to it as well.`,
      };
    if (session.watching.unreadable().includes('pods'))
      return {
        ...base,
        ...refused(
          `You may not list the pods of ${namespace}, so that nobody can say which are the operator’s.`,
          namespace,
          ['pods'],
        ),
      };
    if (mayGet(session, namespace, 'log') === false)
      return {
        ...base,
        ...refused(`You may not read the logs of pods in ${namespace}.`, namespace, ['pods/log']),
      };
    if (pods.length === 0)
      return {
        ...base,
        blocked: `${workload} has no pod that runs. Start the operator, or attach the log of the process that runs elsewhere by its path.`,
      };
    return base;
  }

  /** What loopscope.yaml names and nobody attached yet. */
  function ownOffers(): SourceOffer[] {
    const { log, metrics } = engine.profileFile()?.sources ?? {};
    const attached = new Set(engine.feeds.rows().map(({ label }) => label));
    const offers: SourceOffer[] = [];
    if (log !== undefined && !attached.has(log))
      offers.push({
        id: `log:${log}`,
        kind: 'log',
        label: log,
        gives: `${gives.log} loopscope.yaml names this file.`,
        consent: false,
        needs: 'nothing',
      });
    if (metrics !== undefined && !attached.has(metrics))
      offers.push({
        id: `metrics:${metrics}`,
        kind: 'metrics',
        label: metrics,
        gives: `${gives.metrics} loopscope.yaml names this address.`,
        consent: false,
        needs: 'nothing',
      });
    return offers;
  }

  async function attach(id: string, consent: boolean): Promise<Result<void, Problem>> {
    const offer = list().find((one) => one.id === id);
    if (offer === undefined)
      return err({
        code: 'no-such-offer',
        message: 'This source is not there any more, or it is attached already.',
      });
    if (offer.blocked !== undefined) return err({ code: 'blocked', message: offer.blocked });
    if (offer.needs !== 'nothing')
      return err({
        code: 'needs-input',
        message: offer.needs === 'path' ? 'Give the path of the file.' : 'Give the address.',
      });
    const { kind, label } = offer;
    switch (kind) {
      case 'podLog':
        return engine.pods.followLogs(label);
      case 'podMetrics': {
        if (!consent)
          return err({
            code: 'needs-consent',
            message: `Reading the metrics of ${label} reaches into the cluster’s network: allow it first.`,
          });
        const target = parseTarget(label);
        if (target === undefined)
          return err({ code: 'no-such-offer', message: `${label} is no port of a pod.` });
        return engine.pods.readMetrics(target);
      }
      case 'log':
      case 'audit': {
        const probed = await host.feeds.probe(label);
        if (!probed.ok) return probed;
        engine.attach({ kind, label, start: (sink) => host.feeds.tail(label, sink) });
        return ok(undefined);
      }
      case 'metrics':
        engine.attach({ kind, label, start: (sink) => host.feeds.scrape(label, sink) });
        return ok(undefined);
    }
  }

  return {
    attach,
    follow(emit) {
      const store = new DisposableStore();
      const session = store.add(new SessionListener());
      let last: readonly SourceOffer[] | undefined;
      const tell = () => {
        const offers = list();
        if (last !== undefined && structurallyEqual(last, offers)) return;
        last = offers;
        emit({ offers });
      };
      const again = store.add(throttled(clock, 500, tell));
      const poke = () => again.poke();
      listeners.add(poke);
      store.add({ dispose: () => listeners.delete(poke) });
      const bind = () => {
        session.to(engine.live(), poke);
        poke();
      };
      store.add(engine.onLive.on(bind));
      store.add(engine.onSession.on(poke));
      store.add(engine.feeds.onChange.on(poke));
      store.add(engine.pods.onChange.on(poke));
      store.add(every(clock, lookAgainMs, poke));
      session.to(engine.live(), poke);
      tell();
      return store;
    },
  };
}

/** Follows what of a live session changes offers. */
class SessionListener implements Disposable {
  private listening: DisposableStore | undefined;

  to(session: LiveSession | undefined, changed: () => void): void {
    this.listening?.dispose();
    this.listening = new DisposableStore();
    if (session === undefined) return;
    this.listening.add(session.operators.onChange.on(changed));
    this.listening.add(
      session.onObject.on((key) => {
        if (parseObjectKey(key).kind === 'Pod') changed();
      }),
    );
  }

  dispose(): void {
    this.listening?.dispose();
  }
}

const gives = {
  log: 'Shows every reconcile that failed with its error; at V(5) also those that succeeded, with their start and what comes next.',
  metrics: 'Counts of reconciles, errors, latency and queue depth of each controller, every 5 s.',
  audit:
    'Shows every request of the operator with its exact time: reads that reached the API server, writes that changed nothing, refusals.',
};

/** Always there: a file or an address that only the user knows. */
const forms: readonly SourceOffer[] = [
  { id: 'form:log', kind: 'log', label: 'log file', gives: gives.log, consent: false, needs: 'path' },
  {
    id: 'form:metrics',
    kind: 'metrics',
    label: 'metrics address',
    gives: gives.metrics,
    consent: false,
    needs: 'url',
  },
  { id: 'form:audit', kind: 'audit', label: 'audit log', gives: gives.audit, consent: false, needs: 'path' },
];

function podsText(count: number): string {
  return count === 1 ? 'The log of its pod.' : `The logs of its ${count} pods, each by itself.`;
}

function refused(
  blocked: string,
  namespace: string,
  resources: readonly string[],
): { readonly blocked: string; readonly missing: readonly MissingGrant[] } {
  return {
    blocked,
    missing: resources.flatMap((resource) =>
      (resource === 'pods' ? ['list', 'watch'] : ['get']).map((verb) => ({
        verb,
        group: '',
        resource,
        namespace,
      })),
    ),
  };
}
