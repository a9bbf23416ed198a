/**
 * WatchFold: what was recorded of watching, folded to how it stood at the moment that a played session has reached: served
 * resources, sources, contact. Sessions from before this was recorded tell their sources by the objects they brought.
 */
import type { Connection } from '../../shared/contract/views/connection.ts';
import type { GapRow, InformerRow } from '../../shared/contract/views/sources.ts';
import { parseObjectKey, type SourceId } from '../../shared/model/ids.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { ObjectFact } from '../session/facts.ts';
import { preferredVersions } from '../source/discovery/discovery.ts';
import { progressOf } from '../source/watch/watchManager.ts';
import type { Contact, SourceStatus } from '../source/watch/watchTypes.ts';
import { createSourceCounts, gapMs, informerRow, type SourceCounts } from './informerRows.ts';
import type { ObjectChange } from './objectIndex.ts';
import { syncSteps } from './syncSteps.ts';
import { isUnlisted, type WatchedState } from './watched.ts';
import { contactOf } from './watching.ts';
import type { ConnectionRecord, DiscoveryRecord } from './watchRecords.ts';

export interface WatchFold extends WatchedState {
  connected(record: ConnectionRecord): void;
  discovered(record: DiscoveryRecord): void;
  /** A record of an object, `bytes` long. */
  object(change: ObjectChange, bytes: number): void;
  rows(gaps: readonly GapRow[], now: number): readonly InformerRow[];
  connection(): Connection;
  /** Where each source was last seen at work. */
  lastStatus(): readonly SourceStatus[];
}

interface FoldedSource {
  /** As it was told last. */
  readonly told: SourceStatus;
  readonly counts: SourceCounts;
  /** Since then, by what it brought. */
  objects: number;
  version: SourceStatus['version'];
}

function statusOf({ told, objects, version }: FoldedSource): SourceStatus {
  // Once it was listed there are as many as there are.
  return {
    ...told,
    objects,
    version,
    ...(told.expected === undefined || isUnlisted(told) ? {} : { expected: objects }),
  };
}

/** `opened`: what is known of the connection before anything of it was recorded. */
export function createWatchFold(opened: { readonly context: string; readonly server: string }): WatchFold {
  const sources = new Map<string, FoldedSource>();
  /** Counts outlive a source that is replaced by another of its name. */
  const counts = new Map<string, SourceCounts>();
  let served: readonly ApiResource[] = [];
  let resources: readonly ApiResource[] = [];
  let undiscovered: readonly string[] = [];
  let isDiscovered = false;
  let discoveredMs: number | undefined;
  let syncedMs: number | undefined;
  let contact: Contact = { kind: 'connected' };
  let base: Connection = {
    phase: 'syncing',
    ...(opened.context === '' ? {} : { context: opened.context }),
    ...(opened.server === '' ? {} : { server: opened.server }),
    namespaces: [],
  };

  function countsOf(source: string): SourceCounts {
    let found = counts.get(source);
    if (found === undefined) {
      found = createSourceCounts();
      counts.set(source, found);
    }
    return found;
  }

  function take(status: SourceStatus): void {
    const { source, objects, version } = status;
    sources.set(source, { told: status, counts: countsOf(source), objects, version });
  }

  /** A session of before: a source that brings objects is live, and its resource is served. */
  function tellBySight(fact: ObjectFact): FoldedSource | undefined {
    const resource = resourceOfSource(fact);
    if (resource === undefined) return undefined;
    if (!isDiscovered) {
      served = [...served, resource];
      resources = preferredVersions(served);
    }
    take({
      source: fact.source,
      resource,
      ...namespaceOf(fact.source),
      detail: fact.metadataOnly ? 'metadata' : 'full',
      mode: 'list',
      state: 'live',
      since: fact.receivedAt,
      objects: 0,
      expected: undefined,
      version: '0',
      reconnects: 0,
      relists: 0,
      missing: [],
      error: undefined,
      lostSince: undefined,
      nextTryAt: undefined,
    });
    syncedMs ??= 0;
    return sources.get(fact.source);
  }

  function statuses(): SourceStatus[] {
    return [...sources.values()].map(statusOf);
  }

  return {
    sources: statuses,
    lastStatus: statuses,
    resources: () => resources,
    served: () => served,
    undiscovered: () => undiscovered,
    gaveUp: () => false,
    isUpgrading: () => false,
    connected(record) {
      switch (record.what) {
        case 'opened': {
          const { what: _what, ...rest } = record;
          base = { ...base, ...rest };
          // Whatever was watched before (the engine went on in a file of its own) begins anew.
          sources.clear();
          contact = { kind: 'connected' };
          syncedMs = undefined;
          return;
        }
        case 'source':
          take(record.status);
          return;
        case 'sourceGone':
          sources.delete(record.source);
          return;
        case 'versions':
          for (const [source, version] of Object.entries(record.versions)) {
            const one = sources.get(source);
            if (one !== undefined) one.version = version as SourceStatus['version'];
          }
          return;
        case 'contact':
          contact = record.contact;
          return;
        case 'synced':
          syncedMs = record.ms;
          return;
        case 'feed':
        case 'feedGone':
        case 'consent':
          return;
      }
    },
    discovered(record) {
      isDiscovered = true;
      served = record.served;
      resources = preferredVersions(served);
      undiscovered = record.undiscovered;
      discoveredMs = record.ms;
    },
    object({ before, now }, bytes) {
      const { fact, deleted } = now;
      const one = sources.get(fact.source) ?? tellBySight(fact);
      if (one === undefined) return;
      if (!fact.initial) one.counts.event(fact.receivedAt);
      // What vanished came as no text.
      if (fact.op !== 'vanished') one.counts.bytes(bytes);
      const wasThere = before !== undefined && !before.deleted;
      if (deleted && wasThere) one.objects--;
      else if (!deleted && !wasThere) one.objects++;
      const isStep = fact.op === 'added' || fact.op === 'modified' || fact.op === 'deleted';
      if (isStep && !fact.initial) one.version = fact.resourceVersion;
    },
    rows(gaps, now) {
      return [...sources.values()].map((one) => {
        const status = statusOf(one);
        const mine = gaps.filter((gap) => gap.source === status.source);
        return informerRow(status, one.counts, gapMs(mine, status.source, now), mine.at(-1), now);
      });
    },
    connection() {
      const all = statuses();
      const sync = syncSteps(
        { sources: all, progress: progressOf(all), resources: resources.length },
        discoveredMs,
        syncedMs,
      );
      return { ...base, sync, ...contactOf(contact, syncedMs !== undefined) };
    },
  };
}

/** `watch:apps/v1/deployments@shop` of a Deployment; undefined where the source is none of a watch. */
function resourceOfSource(fact: ObjectFact): ApiResource | undefined {
  const [, path] = /^watch:([^@]+)/.exec(fact.source) ?? [];
  const parts = path?.split('/') ?? [];
  const [version, resource] = parts.slice(-2);
  if (version === undefined || resource === undefined) return undefined;
  const { kind, namespace } = parseObjectKey(fact.key);
  return {
    group: parts.length > 2 ? (parts[0] ?? '') : '',
    version,
    resource,
    kind,
    namespaced: namespace !== '',
    verbs: ['get', 'list', 'watch'],
    subresources: [],
  };
}

function namespaceOf(source: SourceId): { namespace?: string } {
  const at = source.indexOf('@');
  return at < 0 ? {} : { namespace: source.slice(at + 1) };
}
