/**
 * Watching: between the WatchManager and the session. Records every item and gap, keeps the rows of the Informers view,
 * and says how the connection stands.
 */
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { RowTable } from '../../shared/contract/rowTable.ts';
import type { Connection, Problem } from '../../shared/contract/views/connection.ts';
import type { GapRow, InformerRow } from '../../shared/contract/views/sources.ts';
import { type GroupResource, groupOf, type ObjectKey, parseObjectKey } from '../../shared/model/ids.ts';
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';
import { resolveResource, splitResourceName } from '../profile/resourceNames.ts';
import type { RecordInput } from '../session/record.ts';
import type { Recorder } from '../session/recorder.ts';
import type { DiscoveryProblem } from '../source/discovery/discovery.ts';
import type { KubeTransport } from '../source/transport.ts';
import { createWatchManager } from '../source/watch/watchManager.ts';
import { defaultWatchPlan } from '../source/watch/watchPlan.ts';
import type {
  Contact,
  SourceStatus,
  WatchDetail,
  WatchedItem,
  WatchGap,
  WatchManager,
} from '../source/watch/watchTypes.ts';
import { gapRow } from './gapRows.ts';
import type { EngineHost } from './host.ts';
import { createSourceCounts, gapMs, informerRow, type SourceCounts } from './informerRows.ts';
import type { WantedResources } from './operatorsModel.ts';
import { syncSteps } from './syncSteps.ts';

export interface WatchingDeps {
  readonly host: EngineHost;
  readonly transport: KubeTransport;
  readonly recorder: Recorder;
  readonly namespaces: readonly string[];
  readonly contextNamespace: string;
  readonly informers: RowTable<InformerRow>;
  readonly onGap: (gap: GapRow) => void;
  readonly onResources: () => void;
  /** A kind that verdicts rest on was listed, refused or lost. */
  readonly onPolicy: () => void;
}

export interface Watching extends Disposable {
  readonly onChange: Emitter<void>;
  readonly manager: WatchManager;
  start(): Promise<Result<void, Problem>>;
  synced(): Promise<void>;
  retryNow(): void;
  resources(): readonly ApiResource[];
  /** All served versions of what `name` means, the preferred one first; empty when nothing is served under it. */
  resolve(name: string): readonly ApiResource[];
  resourceOfKind(
    kind: string,
    where: { readonly group: string } | { readonly version: string },
  ): ApiResource | undefined;
  /** Roles, bindings and CRDs were listed, or may not be. */
  policyKnown(): boolean;
  /** Resources that were listed nowhere, as `resource.group`: for want of a right, or because the server fails to. */
  unreadable(): readonly string[];
  /** Those of them for which no right is missing. */
  failing(): readonly string[];
  /**
   * Waits no longer for first lists: what has not been listed by now counts as unreadable, and the rest is judged. Gives
   * the resources that are still missing. For the CLI, which judges once.
   */
  giveUp(): readonly string[];
  want(wanted: WantedResources): void;
  /** Asks for whole objects of this kind from now on. */
  upgrade(key: ObjectKey): void;
  detailOf(key: ObjectKey): { readonly detail: WatchDetail; readonly upgrading: boolean };
  refreshRows(): void;
  connection(): Pick<Connection, 'phase' | 'sync'> & Partial<Connection>;
}

export function createWatching(deps: WatchingDeps): Watching {
  const { host, recorder, informers } = deps;
  const { clock } = host;
  const store = new DisposableStore();
  const onChange = store.add(new Emitter<void>());
  const counts = new Map<string, SourceCounts>();
  const gaps = new Map<string, GapRow>();
  /** Kinds asked for in full, until the first whole object came. */
  const upgrading = new Set<string>();
  let discovered: number | undefined;
  let syncedAt: number | undefined;
  let gaveUp = false;
  let served: readonly ApiResource[] = [];
  /** Group versions of which the server does not tell what they hold, and those that were told. */
  let undiscovered: readonly string[] = [];
  const toldOf = new Set<string>();
  const startedAt = clock.monotonic();

  const manager = store.add(
    createWatchManager(
      {
        transport: deps.transport,
        clock,
        random: host.random,
        digest: host.digest,
        contextNamespace: deps.contextNamespace,
        namespaces: deps.namespaces,
      },
      {
        onItem,
        onGap,
        onSource: (status) => {
          if (status.state !== 'syncing' && judgedBy.has(resourceName(status.resource))) deps.onPolicy();
          recorder.log.sourceState(status.source, status.state === 'live');
          onChange.emit();
        },
        onContact: () => onChange.emit(),
        onResources: (discovery) => {
          served = discovery.served;
          noteUndiscovered(discovery.problems);
          discovered ??= clock.monotonic() - startedAt;
          deps.onResources();
          onChange.emit();
        },
        onProblem: (source, message) => host.log(`${source}: ${message}`),
      },
    ),
  );

  function noteUndiscovered(found: readonly DiscoveryProblem[]): void {
    undiscovered = found.map(({ groupVersion }) => groupVersion);
    for (const { groupVersion, message } of found) {
      if (toldOf.has(groupVersion)) continue;
      toldOf.add(groupVersion);
      host.log(`${groupVersion} cannot be discovered, so nothing of it is watched: ${message}`);
    }
  }

  /** Resources we want and do not know to be served, because their group could not be discovered. */
  function unknownResources(): readonly string[] {
    if (undiscovered.length === 0) return [];
    const groups = new Set(undiscovered.map(groupOf));
    const known = new Set(manager.resources().map(resourceName));
    return defaultWatchPlan
      .flat()
      .filter(({ resource }) => groups.has(splitResourceName(resource).group) && !known.has(resource))
      .map(({ resource }) => resource);
  }

  function countsOf(source: string): SourceCounts {
    let found = counts.get(source);
    if (found === undefined) {
      found = createSourceCounts();
      counts.set(source, found);
    }
    return found;
  }

  function onItem(item: WatchedItem): void {
    if (!item.metadataOnly) upgrading.delete(resourceName(item.resource));
    if (!item.initial) countsOf(item.source).event(item.receivedAt);
    countsOf(item.source).bytes(item.raw.length);
    const input: RecordInput = {
      kind: 'object',
      source: item.source,
      at: item.at,
      receivedAt: item.receivedAt,
      object: item.key,
      uid: item.uid,
      resourceVersion: item.resourceVersion,
      op: item.op,
      metadataOnly: item.metadataOnly,
      initial: item.initial,
      // What vanished between two lists left no last words: name and version are all that is known.
      payload: item.raw === '' ? lastKnown(item) : item.raw,
    };
    recorder.record(input, item.object);
    onChange.emit();
  }

  function onGap(gap: WatchGap): void {
    const now = clock.now();
    const head = recorder.record({
      kind: 'gap',
      source: gap.source,
      at: { lo: gap.since, hi: gap.phase === 'closed' ? gap.until : now },
      receivedAt: now,
      payload: JSON.stringify({ ...gap, resource: resourceName(gap.resource) }),
    });
    const row = gapRow(gap, gaps.get(gap.id)?.seq ?? head.seq);
    gaps.set(row.id, row);
    deps.onGap(row);
    onChange.emit();
  }

  function statusOf(key: ObjectKey): SourceStatus | undefined {
    const { group, kind } = parseObjectKey(key);
    return manager.sources().find(({ resource }) => resource.group === group && resource.kind === kind);
  }

  void manager.synced().then(() => {
    syncedAt ??= clock.monotonic() - startedAt;
    onChange.emit();
  });

  /** Resources all of whose sources are so. */
  function resourcesAll(isSo: (status: SourceStatus) => boolean): readonly string[] {
    const all = new Map<string, boolean>();
    for (const status of manager.sources()) {
      const name = resourceName(status.resource);
      all.set(name, (all.get(name) ?? true) && isSo(status));
    }
    return [...all].filter(([, so]) => so).map(([name]) => name);
  }

  /** No right is missing, and yet it was never listed: the server fails to, or took longer than we wait. */
  function neverListed({ state, version }: SourceStatus): boolean {
    return version === '' && (state === 'lost' || (gaveUp && (state === 'syncing' || state === 'waiting')));
  }

  return {
    onChange,
    manager,
    async start() {
      const started = await manager.start();
      if (started.ok) return ok(undefined);
      const { code, message } = started.error;
      return err({ code, message });
    },
    synced: () => manager.synced(),
    retryNow: () => manager.retryNow(),
    resources: () => manager.resources(),
    resolve(name) {
      const preferred = resolveResource(name, manager.resources());
      if (preferred === undefined) return [];
      const others = served.filter(
        (one) =>
          one.group === preferred.group &&
          one.resource === preferred.resource &&
          one.version !== preferred.version,
      );
      return [preferred, ...others];
    },
    resourceOfKind: (kind, where) =>
      'group' in where
        ? manager.resources().find((one) => one.kind === kind && one.group === where.group)
        : served.find((one) => one.kind === kind && one.version === where.version),
    policyKnown: () =>
      gaveUp ||
      (manager.sources().length > 0 &&
        manager
          .sources()
          .filter(({ resource }) => judgedBy.has(resourceName(resource)))
          .every(({ state }) => state !== 'waiting' && state !== 'syncing')),
    unreadable: () => [
      ...resourcesAll((status) => status.state === 'forbidden' || neverListed(status)),
      ...unknownResources(),
    ],
    failing: () => [...resourcesAll(neverListed), ...unknownResources()],
    giveUp() {
      gaveUp = true;
      const waiting = resourcesAll(({ state }) => state === 'syncing' || state === 'waiting');
      deps.onPolicy();
      return waiting;
    },
    want({ full, metadata }) {
      for (const name of full) manager.ensure(name as GroupResource, 'full');
      for (const name of metadata) manager.ensure(name as GroupResource, 'metadata');
    },
    upgrade(key) {
      const status = statusOf(key);
      if (status === undefined || status.detail === 'full') return;
      const name = resourceName(status.resource);
      // Secrets stay metadata: their data is never asked for.
      if (name === 'secrets') return;
      upgrading.add(name);
      manager.ensure(name, 'full');
    },
    detailOf(key) {
      const status = statusOf(key);
      if (status === undefined) return { detail: 'metadata', upgrading: false };
      return { detail: status.detail, upgrading: upgrading.has(resourceName(status.resource)) };
    },
    refreshRows() {
      const now = clock.now();
      const all = [...gaps.values()];
      // A quiet watch is alive as well: without a sign of life it would hold the watermark back.
      for (const { source, state } of manager.sources()) recorder.log.sourceState(source, state === 'live');
      informers.replace(
        manager
          .sources()
          .map((status) =>
            informerRow(
              status,
              countsOf(status.source),
              gapMs(all, status.source, now),
              lastGap(all, status.source),
              now,
            ),
          ),
      );
    },
    connection() {
      const contact = manager.contact();
      const steps = syncSteps(manager, discovered, syncedAt);
      const base = { sync: steps };
      if (contact.kind === 'lost') return { ...base, phase: 'lost', ...lostOf(contact) };
      return {
        ...base,
        phase: syncedAt === undefined ? 'syncing' : 'live',
        lost: undefined,
        problem: undefined,
      };
    },
    dispose: () => store.dispose(),
  };
}

/** What verdicts on rights rest on. */
const judgedBy: ReadonlySet<string> = new Set([
  'roles.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

function lostOf(contact: Extract<Contact, { kind: 'lost' }>): Partial<Connection> {
  const { since, attempt, nextTryAt, error } = contact;
  return {
    lost: { since, attempt, ...(nextTryAt === undefined ? {} : { nextTryAt }) },
    ...(error === undefined
      ? {}
      : { problem: { code: error.reason || 'unreachable', message: error.message } }),
  };
}

function lastGap(gaps: readonly GapRow[], source: string): GapRow | undefined {
  return gaps.findLast((gap) => gap.source === source);
}

function lastKnown(item: WatchedItem): string {
  const { namespace, name } = parseObjectKey(item.key);
  const { group, version, kind } = item.resource;
  return JSON.stringify({
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: {
      name,
      ...(namespace === '' ? {} : { namespace }),
      uid: item.uid,
      resourceVersion: item.resourceVersion,
    },
  });
}
