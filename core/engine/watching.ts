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
import { type GroupResource, type ObjectKey, parseObjectKey } from '../../shared/model/ids.ts';
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';
import type { RecordInput } from '../session/record.ts';
import type { Recorder } from '../session/recorder.ts';
import type { DiscoveryProblem } from '../source/discovery/discovery.ts';
import type { KubeTransport } from '../source/transport.ts';
import { createWatchManager, type WatchManagerOptions } from '../source/watch/watchManager.ts';
import type {
  Contact,
  SourceStatus,
  WatchedItem,
  WatchGap,
  WatchManager,
} from '../source/watch/watchTypes.ts';
import { gapRow } from './gapRows.ts';
import type { EngineHost } from './host.ts';
import { createSourceCounts, gapMs, informerRow, type SourceCounts } from './informerRows.ts';
import type { WantedResources } from './operatorsModel.ts';
import { syncSteps } from './syncSteps.ts';
import {
  createWatched,
  isPolicy,
  isUnlisted,
  resourcesAll,
  statusOf,
  type Watched,
  type WatchedState,
} from './watched.ts';
import { type ConnectionRecord, type DiscoveryRecord, self, tellsAnew } from './watchRecords.ts';

export interface WatchingDeps {
  readonly host: EngineHost;
  readonly transport: KubeTransport;
  readonly recorder: Recorder;
  readonly namespaces: readonly string[];
  readonly contextNamespace: string;
  readonly informers: RowTable<InformerRow>;
  /** Of a session that goes on after Loopscope itself ended: what it had. */
  readonly resumed?: {
    readonly seedOf: WatchManagerOptions['seedOf'];
    /** Tells gaps of this run from those of earlier ones. */
    readonly run: string;
  };
  readonly onGap: (gap: GapRow) => void;
  readonly onResources: () => void;
  /** A kind was listed, refused or lost: what verdicts rest on may have changed. */
  readonly onPolicy: () => void;
}

export interface Watching extends Watched, Disposable {
  readonly onChange: Emitter<void>;
  readonly manager: WatchManager;
  start(): Promise<Result<void, Problem>>;
  synced(): Promise<void>;
  retryNow(): void;
  /**
   * Waits no longer for first lists: what has not been listed by now counts as unreadable, and the rest is judged. Gives
   * the resources that are still missing. For the CLI, which judges once.
   */
  giveUp(): readonly string[];
  want(wanted: WantedResources): void;
  /** Asks for whole objects of this kind from now on. */
  upgrade(key: ObjectKey): void;
  refreshRows(): void;
  connection(): Pick<Connection, 'phase' | 'sync'> & Partial<Connection>;
}

/** Bookmarks move a quiet source on; where it has got to is told this seldom. */
const versionsEveryMs = 60_000;

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
  let isDisposed = false;
  let served: readonly ApiResource[] = [];
  /** Group versions of which the server does not tell what they hold, and those that were told. */
  let undiscovered: readonly string[] = [];
  const toldOf = new Set<string>();
  const startedAt = clock.monotonic();
  /** As they were recorded last. */
  const recorded = new Map<string, SourceStatus>();
  let versionsAt = clock.monotonic();

  const manager = store.add(
    createWatchManager(
      {
        transport: deps.transport,
        clock,
        random: host.random,
        digest: host.digest,
        contextNamespace: deps.contextNamespace,
        namespaces: deps.namespaces,
        ...(deps.resumed?.seedOf === undefined ? {} : { seedOf: deps.resumed.seedOf }),
      },
      {
        onItem,
        onGap,
        onSource: (status) => {
          const isNews = recordSource(status);
          if (status.state !== 'syncing' && (isNews || isPolicy(status))) deps.onPolicy();
          recorder.log.sourceState(status.source, status.state === 'live');
          onChange.emit();
        },
        onContact: (contact) => {
          record('connection', { what: 'contact', contact });
          onChange.emit();
        },
        onResources: (discovery) => {
          served = discovery.served;
          noteUndiscovered(discovery.problems);
          discovered ??= clock.monotonic() - startedAt;
          record('discovery', { served, undiscovered, ms: discovered });
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

  function record(kind: 'connection', value: ConnectionRecord): void;
  function record(kind: 'discovery', value: DiscoveryRecord): void;
  function record(kind: 'connection' | 'discovery', value: ConnectionRecord | DiscoveryRecord): void {
    const now = clock.now();
    recorder.record({
      kind,
      source: self,
      at: { lo: now, hi: now },
      receivedAt: now,
      payload: JSON.stringify(value),
    });
  }

  function recordSource(status: SourceStatus): boolean {
    if (!tellsAnew(recorded.get(status.source), status)) return false;
    recorded.set(status.source, status);
    record('connection', { what: 'source', status });
    return true;
  }

  /** Sources that are gone, and how far quiet ones have got. */
  function recordRest(sources: readonly SourceStatus[]): void {
    const there = new Set<string>(sources.map(({ source }) => source));
    for (const source of recorded.keys()) {
      if (there.has(source)) continue;
      recorded.delete(source);
      record('connection', { what: 'sourceGone', source });
    }
    if (clock.monotonic() - versionsAt < versionsEveryMs) return;
    recordVersions(sources);
  }

  function recordVersions(sources: readonly SourceStatus[]): void {
    versionsAt = clock.monotonic();
    const versions = sources.flatMap((status) => {
      const before = recorded.get(status.source);
      if (before === undefined || before.version === status.version) return [];
      recorded.set(status.source, { ...before, version: status.version });
      return [[status.source, status.version] as const];
    });
    if (versions.length > 0)
      record('connection', { what: 'versions', versions: Object.fromEntries(versions) });
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

  function onGap(told: WatchGap): void {
    const now = clock.now();
    const gap = deps.resumed === undefined ? told : { ...told, id: `${told.id}@${deps.resumed.run}` };
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

  void manager.synced().then(() => {
    if (syncedAt !== undefined || isDisposed) return;
    syncedAt = clock.monotonic() - startedAt;
    record('connection', { what: 'synced', ms: syncedAt });
    onChange.emit();
  });

  const state: WatchedState = {
    sources: () => manager.sources(),
    resources: () => manager.resources(),
    served: () => served,
    undiscovered: () => undiscovered,
    gaveUp: () => gaveUp,
    isUpgrading: (resource) => upgrading.has(resource),
  };

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
    ...createWatched(state),
    giveUp() {
      gaveUp = true;
      const waiting = resourcesAll(state, isUnlisted);
      deps.onPolicy();
      return waiting;
    },
    want({ full, metadata }) {
      for (const name of full) manager.ensure(name as GroupResource, 'full');
      for (const name of metadata) manager.ensure(name as GroupResource, 'metadata');
    },
    upgrade(key) {
      const status = statusOf(state, key);
      if (status === undefined || status.detail === 'full') return;
      const name = resourceName(status.resource);
      // Secrets stay metadata: their data is never asked for.
      if (name === 'secrets') return;
      upgrading.add(name);
      manager.ensure(name, 'full');
    },
    refreshRows() {
      const now = clock.now();
      const all = [...gaps.values()];
      const sources = manager.sources();
      recordRest(sources);
      // A quiet watch is alive as well: without a sign of life it would hold the watermark back.
      for (const { source, state: how } of sources) recorder.log.sourceState(source, how === 'live');
      informers.replace(
        sources.map((status) =>
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
      const sources = manager.sources();
      const sync = syncSteps(
        { sources, progress: manager.progress(), resources: manager.resources().length },
        discovered,
        syncedAt,
      );
      return { sync, ...contactOf(manager.contact(), syncedAt !== undefined) };
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      recordVersions(manager.sources());
      store.dispose();
    },
  };
}

/** How the connection stands: phase, and since when it is lost. Fields that do not apply are undefined. */
export function contactOf(
  contact: Contact,
  synced: boolean,
): Pick<Connection, 'phase'> & Partial<Connection> {
  if (contact.kind === 'lost') return { phase: 'lost', ...lostOf(contact) };
  return { phase: synced ? 'live' : 'syncing', lost: undefined, problem: undefined };
}

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
