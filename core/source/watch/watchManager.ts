/**
 * WatchManager: which resources are watched, how much of each, and where we may. Discovers, starts tier by tier, falls
 * back to namespaces where a cluster-wide list is refused, follows CRDs as they come and go. Pure. Spec: docs/spec/watch.md
 */
import type { Clock } from '../../../shared/base/clock.ts';
import type { Disposable } from '../../../shared/base/disposable.ts';
import { err, ok, type Result } from '../../../shared/base/result.ts';
import type { GroupResource, SourceId } from '../../../shared/model/ids.ts';
import { type ApiResource, resourceName } from '../../../shared/model/resource.ts';
import { type Discovery, type DiscoveryError, diffDiscovery, discover } from '../discovery/discovery.ts';
import type { ItemHead } from '../listerWatcher.ts';
import type { Digest } from '../secretFilter.ts';
import type { KubeTransport } from '../transport.ts';
import { ContactMonitor } from './contactMonitor.ts';
import { createResourceWatch, type ResourceWatch } from './resourceWatch.ts';
import { allowedDetail, customResourceDefinitions, defaultWatchPlan, type WatchPlan } from './watchPlan.ts';
import type {
  Contact,
  MissingGrant,
  SourceStatus,
  WatchDetail,
  WatchedItem,
  WatchListeners,
  WatchManager,
  WatchProgress,
} from './watchTypes.ts';

export interface WatchManagerOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly digest: Digest;
  /** '' when the context sets none: then there is no namespace to fall back to but `namespaces`. */
  readonly contextNamespace: string;
  /** More to fall back to (`--namespace`). */
  readonly namespaces: readonly string[];
  readonly plan?: WatchPlan;
  /** Default `watchlist`: the first object comes at once and a tenth of the memory is needed; servers without it are listed. */
  readonly mode?: 'list' | 'watchlist';
  /** Items a page where pages are listed, default 500; 0: as client-go. */
  readonly pageSize?: number;
  /**
   * Heads that a session which goes on has of a source's resource: its first list tells each object again, and what is
   * gone. Asked once for each source.
   */
  readonly seedOf?: (resource: ApiResource, namespace: string | undefined) => Iterable<ItemHead> | undefined;
}

/** Starts nothing until start(). dispose() leaves no request, watch or timer. */
export function createWatchManager(options: WatchManagerOptions, listeners: WatchListeners): WatchManager {
  return new Manager(options, listeners);
}

/** After a CRD changed: discovery follows within some 50 ms, on another replica of the server later. */
const rediscoverMs: readonly number[] = [150, 1000, 5000];
/** APIs that come and go without a CRD (aggregated ones); CRDs too, where we may not watch those. */
const pollMs = 30_000;

/** Discovery of one replica and the answer of another may differ this long. */
const restartMs = 4000;

/** One resource that somebody wants. `sources`: cluster-wide first, then one a namespace where that is refused. */
interface Wanted {
  detail: WatchDetail;
  readonly tier: number;
  resource: ApiResource | undefined;
  wide: ResourceWatch | undefined;
  readonly byNamespace: Map<string, ResourceWatch>;
}

class Manager implements WatchManager {
  private readonly options: WatchManagerOptions;
  private readonly listeners: WatchListeners;
  private readonly wanted = new Map<GroupResource, Wanted>();
  private readonly monitor: ContactMonitor;
  private readonly stop = new AbortController();
  /** Discoveries to come after a CRD or a resource changed. */
  private readonly soon = new Set<Disposable>();
  private pollTimer: Disposable | undefined;
  private readonly plan: WatchPlan;
  private discovery: Discovery | undefined;
  private discovering: Promise<Result<Discovery, DiscoveryError>> | undefined;
  private tier = -1;
  private settledWaiters: (() => void)[] = [];
  private isSynced = false;

  constructor(options: WatchManagerOptions, listeners: WatchListeners) {
    this.options = options;
    this.listeners = listeners;
    this.plan = options.plan ?? defaultWatchPlan;
    const { transport, clock } = options;
    this.monitor = new ContactMonitor({
      transport,
      clock,
      onChange: (contact) => listeners.onContact?.(contact),
      onBack: () => this.retryNow(),
    });
    for (const [tier, planned] of this.plan.entries()) {
      for (const { resource, detail } of planned) this.want(resource, detail, tier);
    }
  }

  async start(): Promise<Result<Discovery, DiscoveryError>> {
    const found = await this.rediscover();
    if (!found.ok || this.stop.signal.aborted) return found;
    this.advance();
    this.poll();
    return found;
  }

  ensure(resource: GroupResource, detail: WatchDetail): void {
    const allowed = allowedDetail(resource, detail);
    const wanted = this.want(resource, allowed, 0);
    if (wanted.detail === 'metadata' && allowed === 'full') {
      wanted.detail = 'full';
      if (wanted.wide !== undefined) this.replaceSources(wanted);
    }
    if (this.tier >= 0) this.startWanted(wanted);
  }

  resources(): readonly ApiResource[] {
    return this.discovery?.resources ?? [];
  }

  sources(): readonly SourceStatus[] {
    return this.allSources().map((source) => source.status());
  }

  heads(source: SourceId): Iterable<ItemHead> {
    return (
      this.allSources()
        .find((one) => one.source === source)
        ?.heads() ?? []
    );
  }

  progress(): WatchProgress {
    return progressOf(this.sources());
  }

  contact(): Contact {
    return this.monitor.contact;
  }

  missing(): readonly MissingGrant[] {
    return this.sources().flatMap((source) => source.missing);
  }

  synced(): Promise<void> {
    if (this.isSynced) return Promise.resolve();
    return new Promise((resolve) => this.settledWaiters.push(resolve));
  }

  retryNow(): void {
    for (const source of this.allSources()) source.retryNow();
  }

  dispose(): void {
    this.stop.abort();
    this.monitor.dispose();
    this.pollTimer?.dispose();
    for (const timer of this.soon) timer.dispose();
    this.soon.clear();
    for (const source of this.allSources()) source.dispose();
  }

  private want(resource: GroupResource, detail: WatchDetail, tier: number): Wanted {
    const known = this.wanted.get(resource);
    if (known !== undefined) return known;
    const served = this.discovery?.resources.find((one) => resourceName(one) === resource);
    const wanted: Wanted = {
      detail: allowedDetail(resource, detail),
      tier,
      resource: served !== undefined && canWatch(served) ? served : undefined,
      wide: undefined,
      byNamespace: new Map(),
    };
    this.wanted.set(resource, wanted);
    return wanted;
  }

  private allSources(): ResourceWatch[] {
    return [...this.wanted.values()].flatMap((wanted) => [
      ...(wanted.wide === undefined ? [] : [wanted.wide]),
      ...wanted.byNamespace.values(),
    ]);
  }

  /** Starts the next tier when every source so far has settled; tells the waiters when none is left. */
  private advance(): void {
    if (this.stop.signal.aborted || this.discovery === undefined) return;
    while (this.tier < this.plan.length - 1 && this.sources().every(isSettled)) {
      this.tier++;
      for (const wanted of this.wanted.values()) if (wanted.tier <= this.tier) this.startWanted(wanted);
    }
    if (this.isSynced || this.tier < this.plan.length - 1 || !this.sources().every(isSettled)) return;
    this.isSynced = true;
    for (const resolve of this.settledWaiters.splice(0)) resolve();
  }

  private startWanted(wanted: Wanted): void {
    if (wanted.resource === undefined || wanted.wide !== undefined || wanted.tier > this.tier) return;
    wanted.wide = this.createSource(wanted, wanted.resource, undefined, this.seedOf(wanted.resource));
    wanted.wide.start();
  }

  private seedOf(resource: ApiResource, namespace?: string): Iterable<ItemHead> | undefined {
    return this.options.seedOf?.(resource, namespace);
  }

  /** Other detail or version: what was told so far is told again, and what is gone by then. */
  private replaceSources(wanted: Wanted): void {
    const { resource, wide } = wanted;
    if (resource === undefined || wide === undefined) return;
    wide.dispose();
    // One that ended holds nothing any more: what is served now is new.
    const seed = wide.status().state === 'ended' ? undefined : wide.heads();
    const namespaces = [...wanted.byNamespace];
    wanted.byNamespace.clear();
    wanted.wide = this.createSource(wanted, resource, undefined, seed);
    for (const [namespace, old] of namespaces) {
      old.dispose();
      wanted.byNamespace.set(namespace, this.createSource(wanted, resource, namespace, old.heads()));
    }
    wanted.wide.start();
    for (const source of wanted.byNamespace.values()) source.start();
  }

  private createSource(
    wanted: Wanted,
    resource: ApiResource,
    namespace: string | undefined,
    seed: Iterable<ItemHead> | undefined,
  ): ResourceWatch {
    const { transport, clock, random, digest, mode = 'watchlist', pageSize = 500 } = this.options;
    const source: ResourceWatch = createResourceWatch({
      transport,
      clock,
      random,
      digest,
      resource,
      namespace,
      detail: wanted.detail,
      mode,
      ...(pageSize === 0 ? {} : { pageSize }),
      ...(seed === undefined ? {} : { seed }),
      ...(namespace === undefined ? { knownElsewhere: (key) => this.headInNamespace(wanted, key) } : {}),
      onItem: (item) => this.item(item),
      onGap: (gap) => this.listeners.onGap?.(gap),
      onStatus: () => this.statusChanged(wanted, source),
      onProblem: (message) => this.listeners.onProblem?.(source.source, message),
    });
    return source;
  }

  private headInNamespace(wanted: Wanted, key: string): ItemHead | undefined {
    const slash = key.indexOf('/');
    return slash < 0 ? undefined : wanted.byNamespace.get(key.slice(0, slash))?.head(key);
  }

  private item(item: WatchedItem): void {
    this.listeners.onItem(item);
    if (!item.initial && resourceName(item.resource) === customResourceDefinitions) this.rediscoverSoon();
  }

  private statusChanged(wanted: Wanted, source: ResourceWatch): void {
    // A source that is being created, or was replaced meanwhile, has nothing to say.
    if (this.stop.signal.aborted || !this.isCurrent(wanted, source)) return;
    const status = source.status();
    this.listeners.onSource?.(status);
    if (status.state === 'forbidden' && source === wanted.wide) this.fallBack(wanted, status);
    if (status.state === 'live' && source === wanted.wide) this.dropNamespaces(wanted);
    if (status.state === 'ended') this.rediscoverSoon();
    this.monitor.update(this.sources());
    this.advance();
  }

  private isCurrent(wanted: Wanted, source: ResourceWatch): boolean {
    if (source === wanted.wide) return true;
    return [...wanted.byNamespace.values()].includes(source);
  }

  /** The cluster-wide list is refused: the namespaces we know of, one source each. The wide one goes on trying. */
  private fallBack(wanted: Wanted, status: SourceStatus): void {
    const { contextNamespace, namespaces } = this.options;
    const { resource } = status;
    if (!resource.namespaced || !status.missing.some((grant) => grant.verb === 'list')) return;
    for (const namespace of new Set([contextNamespace, ...namespaces])) {
      if (namespace === '' || wanted.byNamespace.has(namespace)) continue;
      const source = this.createSource(wanted, resource, namespace, this.seedOf(resource, namespace));
      wanted.byNamespace.set(namespace, source);
      source.start();
    }
  }

  private dropNamespaces(wanted: Wanted): void {
    const namespaces = [...wanted.byNamespace.values()];
    wanted.byNamespace.clear();
    for (const source of namespaces) source.dispose();
  }

  private rediscoverSoon(): void {
    for (const timer of this.soon) timer.dispose();
    this.soon.clear();
    for (const delayMs of rediscoverMs) {
      const timer = this.options.clock.setTimer(delayMs, () => {
        this.soon.delete(timer);
        void this.rediscover();
      });
      this.soon.add(timer);
    }
  }

  private poll(): void {
    this.pollTimer = this.options.clock.setTimer(pollMs, () => {
      void this.rediscover();
      this.poll();
    });
  }

  /** One discovery at a time; what it finds is applied before it resolves. */
  private rediscover(): Promise<Result<Discovery, DiscoveryError>> {
    this.discovering ??= this.runDiscovery().finally(() => {
      this.discovering = undefined;
    });
    return this.discovering;
  }

  private async runDiscovery(): Promise<Result<Discovery, DiscoveryError>> {
    const before = this.discovery;
    const found = await discover(this.options.transport, before, this.stop.signal);
    if (this.stop.signal.aborted) return err({ code: 'cancelled', message: 'Watching was stopped.' });
    if (!found.ok) return found;
    this.discovery = found.value;
    const change = diffDiscovery(before, found.value);
    this.applyResources(found.value.resources, new Set(change.added.map(resourceName)));
    if (change.added.length + change.removed.length + change.changed.length > 0 || before === undefined) {
      this.listeners.onResources?.(found.value, change);
    }
    this.advance();
    return ok(found.value);
  }

  private applyResources(resources: readonly ApiResource[], added: ReadonlySet<GroupResource>): void {
    const served = new Map(resources.map((resource) => [resourceName(resource), resource]));
    for (const [name, wanted] of this.wanted) {
      const now = served.get(name);
      const before = wanted.resource;
      wanted.resource = now !== undefined && canWatch(now) ? now : undefined;
      if (wanted.resource === undefined) continue;
      const mayRestart =
        wanted.wide !== undefined && hasEnded(wanted.wide.status(), added.has(name), this.options.clock);
      const moved =
        before !== undefined &&
        (before.version !== wanted.resource.version || before.namespaced !== wanted.resource.namespaced);
      // Served again after it had ended, or in another version: from the beginning.
      if (wanted.wide !== undefined && (mayRestart || moved)) this.replaceSources(wanted);
      else this.startWanted(wanted);
    }
  }
}

/** How far the first sync of these sources is. */
export function progressOf(sources: readonly SourceStatus[]): WatchProgress {
  let objects = 0;
  let expected: number | undefined = 0;
  let ready = 0;
  for (const source of sources) {
    objects += source.objects;
    if (isSettled(source)) ready++;
    const own = isSettled(source) ? source.objects : source.expected;
    expected = expected === undefined || own === undefined ? undefined : expected + own;
  }
  return { objects, expected, ready, total: sources.length };
}

/** Ended, and worth another start: served anew, or said to be served for a while although it was not found. */
function hasEnded(status: SourceStatus, isNew: boolean, clock: Clock): boolean {
  if (status.state !== 'ended' || status.error?.code === 405) return false;
  return isNew || clock.now() - status.since >= restartMs;
}

function canWatch(resource: ApiResource): boolean {
  return resource.verbs.includes('list') && resource.verbs.includes('watch');
}

function isSettled(source: SourceStatus): boolean {
  return source.state !== 'waiting' && source.state !== 'syncing';
}
