/**
 * ChangeLedger: keeps, for each object that is modified, the places of its last versions, and of requests the last conflicts
 * and audited writes. Cheap while facts come: payloads are read and compared when somebody judges, each pair once.
 */
import { asRecord } from '../../../shared/base/json.ts';
import { type ObjectKey, parseObjectKey } from '../../../shared/model/ids.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import { changesBetween } from '../../objects/changes.ts';
import { writersFrom } from '../../objects/managedFields.ts';
import type { ObjectFact } from '../../session/facts.ts';
import type { TimeInterval } from '../../session/record.ts';
import type { AuditEntry } from '../../source/audit/auditEntry.ts';
import type { LogEntry } from '../../source/log/logEntry.ts';
import type { OperatorMetrics } from '../../source/metrics/controllerMetrics.ts';
import { conflictsOf } from './conflictText.ts';
import { saidWriteOf } from './saidWrite.ts';
import type {
  ReportedRuns,
  SeenChanges,
  SeenConflict,
  SeenHistory,
  SeenPlace,
  SeenSaid,
  SeenVersion,
  SeenWrite,
} from './seen.ts';

export interface ChangeLedgerDeps {
  /** The object of a version, by the number it was told under; undefined: it cannot be read any more. */
  readonly read: (version: number) => KubeObject | undefined;
  readonly placeOf: (version: number) => SeenPlace;
}

export type ToldVersion = Pick<
  ObjectFact,
  'key' | 'kind' | 'op' | 'resourceVersion' | 'meta' | 'receivedAt' | 'writers' | 'metadataOnly' | 'initial'
>;

export interface ChangeLedger {
  /** `version` numbers versions over all objects, in the order in which they came. */
  object(version: number, fact: ToldVersion): void;
  log(entry: LogEntry, at: TimeInterval | undefined, place: SeenPlace): void;
  audit(entry: AuditEntry, place: SeenPlace): void;
  metrics(metrics: OperatorMetrics): void;
  /**
   * What happened in the last ten minutes before `now`, ms. While `goesOn` says so, versions are read and compared; an object
   * whose newest ones are not is told as it was compared last, or not yet.
   */
  seen(now: number, goesOn?: () => boolean): SeenChanges;
  /** The last call of seen() left versions that are still to be compared. */
  readonly isBehind: boolean;
}

/** How far back detectors look, ms. */
export const lookBackMs = 600_000;
/** Versions kept of an object: twelve rounds of two writers. */
const versionsKept = 25;
/** An object that changed fewer times neither loops nor comes back to what it was. */
const leastVersions = 3;
const requestsKept = 400;
/** Objects looked into at once: the most restless. */
const mostHistories = 200;

/** Renewed by design, or written by recorders: their changes are no drift. */
const restless: ReadonlySet<string> = new Set(['Lease', 'Event', 'EndpointSlice', 'Endpoints', 'Node']);

interface Kept {
  readonly version: number;
  readonly at: number;
  readonly fact: Pick<ToldVersion, 'op' | 'resourceVersion'> & { readonly generation: number | undefined };
}

interface Ring {
  readonly kept: Kept[];
  newest: Pick<ToldVersion, 'writers' | 'meta'>;
  analysed: SeenHistory | undefined;
  /** Versions came since it was analysed. */
  isStale: boolean;
}

export function createChangeLedger({ read, placeOf }: ChangeLedgerDeps): ChangeLedger {
  const rings = new Map<ObjectKey, Ring>();
  const pairs = new Map<number, SeenVersion>();
  const conflicts: SeenConflict[] = [];
  const writes: SeenWrite[] = [];
  const said: SeenSaid[] = [];
  const toldConflicts = new Map<string, string>();
  let runs: readonly ReportedRuns[] = [];
  let sweptAt = 0;
  let isBehind = false;

  /** Rings of objects that came to rest are let go: most objects of a cluster change once. */
  function sweep(now: number): void {
    if (now - sweptAt < lookBackMs / 2) return;
    sweptAt = now;
    for (const [key, { kept }] of rings)
      if ((kept.at(-1)?.at ?? 0) < now - lookBackMs) {
        for (const { version } of kept) pairs.delete(version);
        rings.delete(key);
      }
  }

  /**
   * Compares what is not compared yet, in the order in which it came, so that a log reads each of its blocks once. Gives those
   * that are not through because `goesOn` said no.
   */
  function compareAll(stale: readonly Ring[], goesOn: () => boolean): ReadonlySet<Ring> {
    const work = stale.flatMap((ring) =>
      ring.kept.flatMap((newer, index) =>
        pairs.has(newer.version) ? [] : [{ ring, older: ring.kept[index - 1], newer }],
      ),
    );
    work.sort((a, b) => a.newer.version - b.newer.version);
    const last = new Map<Ring, { readonly version: number; readonly object: KubeObject | undefined }>();
    for (const [index, { ring, older, newer }] of work.entries()) {
      if (!goesOn()) return new Set(work.slice(index).map((one) => one.ring));
      const is = read(newer.version);
      const before = last.get(ring);
      const was =
        older === undefined
          ? undefined
          : before?.version === older.version
            ? before.object
            : read(older.version);
      last.set(ring, { version: newer.version, object: is });
      if (is !== undefined && (older === undefined || was !== undefined)) compare(was, is, newer);
    }
    return new Set();
  }

  function compare(was: KubeObject | undefined, is: KubeObject, newer: Kept): void {
    const changes = was === undefined ? [] : changesBetween(was, is);
    pairs.set(newer.version, {
      place: placeOf(newer.version),
      at: newer.at,
      op: newer.fact.op,
      resourceVersion: newer.fact.resourceVersion,
      generation: newer.fact.generation,
      writers: writersFrom(was, is, () => changes, newer.fact.op),
      // The server counts generations; nobody sets them.
      changes: changes.filter(({ bookkeeping, path }) => !bookkeeping && path !== 'metadata.generation'),
    });
  }

  function history(key: ObjectKey, ring: Ring): SeenHistory {
    const { group, kind, namespace, name } = parseObjectKey(key);
    return {
      group,
      kind,
      namespace,
      name,
      subject: `${kind}/${namespace === '' ? '-' : namespace}/${name}`,
      versions: ring.kept.flatMap(({ version }) => pairs.get(version) ?? []),
      managers: ring.newest.writers,
      ownerKinds: (ring.newest.meta.ownerReferences ?? []).map((owner) => owner.kind),
    };
  }

  /** Without those that were never compared as a whole. */
  function histories(rings: readonly (readonly [ObjectKey, Ring])[], goesOn: () => boolean): SeenHistory[] {
    const stale = rings.flatMap(([, ring]) => (ring.isStale ? [ring] : []));
    const unfinished = compareAll(stale, goesOn);
    isBehind = unfinished.size > 0;
    return rings.flatMap(([key, ring]) => {
      if (ring.isStale && !unfinished.has(ring)) {
        ring.analysed = history(key, ring);
        ring.isStale = false;
      }
      return ring.analysed ?? [];
    });
  }

  return {
    object(version, fact) {
      if (restless.has(fact.kind) || fact.metadataOnly) return;
      sweep(fact.receivedAt);
      let ring = rings.get(fact.key);
      if (fact.op === 'deleted' || fact.op === 'vanished') {
        rings.delete(fact.key);
        return;
      }
      if (ring === undefined) {
        ring = { kept: [], newest: fact, analysed: undefined, isStale: true };
        rings.set(fact.key, ring);
      }
      const last = ring.kept.at(-1);
      // A relist or an upgrade from metadata brings the version that is known.
      if (last !== undefined && last.fact.resourceVersion === fact.resourceVersion) return;
      ring.kept.push({
        version,
        at: fact.receivedAt,
        fact: { op: fact.op, resourceVersion: fact.resourceVersion, generation: fact.meta.generation },
      });
      ring.newest = fact;
      ring.isStale = true;
      const [dropped] = ring.kept.length > versionsKept ? ring.kept.splice(0, 1) : [];
      if (dropped !== undefined) pairs.delete(dropped.version);
    },
    log(entry, at, place) {
      const update = saidWriteOf(entry);
      const told = at ?? entry.at;
      if (update !== undefined && told !== undefined) push(said, { ...update, place, at: told });
      for (const conflict of conflictsOf(entry)) {
        const id = `${conflict.group} ${conflict.resource} ${conflict.namespace}/${conflict.name}`;
        // The operator logs its error, and controller-runtime logs it again.
        if (entry.reconcileId !== undefined) {
          if (toldConflicts.get(id) === entry.reconcileId) continue;
          toldConflicts.delete(id);
          toldConflicts.set(id, entry.reconcileId);
          const [oldest] = toldConflicts.size > requestsKept ? toldConflicts.keys() : [];
          if (oldest !== undefined) toldConflicts.delete(oldest);
        } else if (conflicts.at(-1)?.from === 'log' && sameMoment(conflicts.at(-1), at, conflict)) continue;
        const when = at ?? entry.at;
        if (when === undefined) continue;
        push(conflicts, { ...conflict, place, at: when, from: 'log', user: undefined, basedOn: undefined });
      }
    },
    audit(entry, place) {
      const { target, code, verb } = entry;
      if (entry.stage !== 'ResponseComplete' || target === undefined || target.name === '') return;
      if (verb !== 'update' && verb !== 'patch' && verb !== 'apply') return;
      const base = {
        place,
        at: entry.at,
        group: target.apiGroup,
        resource: target.resource,
        subresource: target.subresource,
        namespace: target.namespace,
        name: target.name,
        user: entry.user,
        basedOn: entry.requestVersion ?? target.resourceVersion,
      };
      if (restlessResources.has(target.resource)) return;
      if (code === 409 && entry.reason !== 'AlreadyExists') push(conflicts, { ...base, from: 'audit' });
      else if (code >= 200 && code < 300) push(writes, { ...base, verb, answered: entry.responseVersion });
    },
    metrics(metrics) {
      runs = metrics.controllers.map(({ controller, reconciles }) => ({
        controller,
        success: reconciles.success ?? 0,
        error: reconciles.error ?? 0,
        requeue: reconciles.requeue ?? 0,
        requeueAfter: reconciles.requeue_after ?? 0,
      }));
    },
    get isBehind() {
      return isBehind;
    },
    seen(now, goesOn = () => true) {
      const since = now - lookBackMs;
      const often = [...rings].filter(
        ([, { kept }]) => kept.length >= leastVersions && (kept.at(-leastVersions)?.at ?? 0) >= since,
      );
      often.sort(
        ([, a], [, b]) => (b.kept.at(-leastVersions)?.at ?? 0) - (a.kept.at(-leastVersions)?.at ?? 0),
      );
      return {
        histories: histories(often.slice(0, mostHistories), goesOn),
        conflicts: conflicts.filter(({ at }) => at.hi >= since && at.lo <= now),
        writes: writes.filter(({ at }) => at.hi >= since && at.lo <= now),
        said: said.filter(({ at }) => at.hi >= since && at.lo <= now),
        runs,
      };
    },
  };
}

const restlessResources: ReadonlySet<string> = new Set([
  'leases',
  'events',
  'endpointslices',
  'endpoints',
  'nodes',
]);

function push<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > requestsKept) list.splice(0, list.length - requestsKept);
}

function sameMoment(
  last: SeenConflict | undefined,
  at: TimeInterval | undefined,
  next: Pick<SeenConflict, 'name' | 'resource'>,
): boolean {
  if (last === undefined || at === undefined) return false;
  return last.name === next.name && last.resource === next.resource && at.lo - last.at.lo < 3;
}

/** Metadata of an object as a ledger takes it, for objects that are no facts (files of a folder). */
export function toldOfObject(
  key: ObjectKey,
  object: KubeObject,
  op: ToldVersion['op'],
  at: number,
): ToldVersion {
  const { managedFields, ...meta } = object.metadata;
  return {
    key,
    kind: object.kind,
    op,
    resourceVersion: (meta.resourceVersion ?? '') as ToldVersion['resourceVersion'],
    meta,
    receivedAt: at,
    writers: (Array.isArray(managedFields) ? managedFields : []).flatMap((entry) => {
      const fields = asRecord(entry);
      if (typeof fields?.manager !== 'string') return [];
      return [
        {
          manager: fields.manager,
          operation: fields.operation === 'Apply' ? ('Apply' as const) : ('Update' as const),
          ...(typeof fields.subresource === 'string' && fields.subresource !== ''
            ? { subresource: fields.subresource }
            : {}),
          ...(typeof fields.time === 'string' ? { time: fields.time } : {}),
        },
      ];
    }),
    metadataOnly: false,
    initial: false,
  };
}
