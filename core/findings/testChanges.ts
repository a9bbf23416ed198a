/** Scripts of versions, requests and lines for tests of rules about writes, through the real ledger. */
import { groupOf, objectKey } from '../../shared/model/ids.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../shared/model/kube.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { Span } from '../../shared/model/trace.ts';
import { parseAuditLine } from '../source/audit/auditEntry.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import { createChangeLedger, toldOfObject } from '../trace/detectors/changeLedger.ts';
import type { ReportedRuns, SeenChanges } from '../trace/detectors/seen.ts';
import { evaluate } from './registry.ts';
import { crd, findingInput, operatorUser } from './testInput.ts';

export const end = Date.parse('2026-03-10T14:30:00Z');

/** One version: `at` seconds before the end, who wrote it (`manager` or `manager/status`), what it says. */
export interface ScriptVersion {
  readonly at: number;
  readonly by: string;
  readonly generation?: number;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Script {
  readonly versions?: readonly ScriptVersion[];
  /** Of the versions; default: Database shop/orders. */
  readonly object?: KubeObject;
  readonly log?: readonly string[];
  readonly audit?: readonly string[];
  readonly runs?: Partial<ReportedRuns>;
}

const database: KubeObject = {
  apiVersion: 'db.example.com/v1',
  kind: 'Database',
  metadata: { name: 'orders', namespace: 'shop', uid: 'u1' },
};

export function changes(script: Script): SeenChanges {
  const base = script.object ?? database;
  const objects = (script.versions ?? []).map((version, index) => versionOf(base, version, index));
  const ledger = createChangeLedger({
    read: (version) => objects[version],
    placeOf: (version) => ({ seq: version + 1 }),
  });
  const { kind, metadata } = base;
  const key = objectKey({
    group: groupOf(base.apiVersion),
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
  });
  for (const [index, { at }] of (script.versions ?? []).entries()) {
    const object = objects[index];
    if (object !== undefined)
      ledger.object(index, toldOfObject(key, object, index === 0 ? 'added' : 'modified', end - at * 1000));
  }
  for (const [line, text] of (script.log ?? []).entries()) {
    const entry = parseLogLine(text, { nearMs: end });
    ledger.log(entry, entry.at, { file: 'operator.log', line: line + 1 });
  }
  for (const [line, text] of (script.audit ?? []).entries()) {
    const parsed = parseAuditLine(text);
    if (parsed.ok)
      for (const entry of parsed.value) ledger.audit(entry, { file: 'audit.jsonl', line: line + 1 });
  }
  const seen = ledger.seen(end);
  if (script.runs === undefined) return seen;
  const none = { controller: 'databases', success: 0, error: 0, requeue: 0, requeueAfter: 0 };
  return { ...seen, runs: [{ ...none, ...script.runs }] };
}

/** Each manager has one entry; the writer's is stamped with the second of the version. */
const stamped = new Map<string, ManagedFieldsEntry>();

function versionOf(base: KubeObject, version: ScriptVersion, index: number): KubeObject {
  if (index === 0) stamped.clear();
  const [manager = '', subresource] = version.by.split('/');
  const time = new Date(Math.floor((end - version.at * 1000) / 1000) * 1000)
    .toISOString()
    .replace('.000Z', 'Z');
  if (manager !== '')
    stamped.set(version.by, {
      manager,
      operation: 'Update',
      apiVersion: base.apiVersion,
      time,
      ...(subresource === undefined ? {} : { subresource }),
    });
  return {
    ...base,
    metadata: {
      ...base.metadata,
      resourceVersion: String(1000 + index),
      generation: version.generation ?? 1,
      managedFields: [...stamped.values()],
      ...(version.annotations === undefined ? {} : { annotations: version.annotations }),
    },
    ...(version.spec === undefined ? {} : { spec: version.spec }),
    ...(version.status === undefined ? {} : { status: version.status }),
  };
}

/** A request on the Database `orders` (or `resource` `name`) by the operator, `at` seconds before the end. */
export function request(
  at: number,
  code: number,
  more: {
    readonly basedOn?: string;
    readonly subresource?: string;
    readonly user?: string;
    readonly verb?: string;
    readonly group?: string;
    readonly resource?: string;
    readonly name?: string;
  } = {},
): string {
  const time = new Date(end - at * 1000).toISOString();
  return JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    auditID: `a-${at}-${code}`,
    stage: 'ResponseComplete',
    verb: more.verb ?? 'update',
    user: { username: more.user ?? operatorUser, groups: [] },
    objectRef: {
      apiGroup: more.group ?? 'db.example.com',
      resource: more.resource ?? 'databases',
      namespace: 'shop',
      name: more.name ?? 'orders',
      ...(more.subresource === undefined ? {} : { subresource: more.subresource }),
      ...(more.basedOn === undefined ? {} : { resourceVersion: more.basedOn }),
    },
    responseStatus: { code, ...(code === 409 ? { reason: 'Conflict' } : {}) },
    requestReceivedTimestamp: time,
    stageTimestamp: time,
  });
}

/** A "Reconciler error" about a conflict on the Database `orders`. */
export function conflictLine(at: number, reconcileId: string): string {
  return JSON.stringify({
    level: 'error',
    ts: new Date(end - at * 1000).toISOString(),
    msg: 'Reconciler error',
    controller: 'databases',
    controllerGroup: 'db.example.com',
    controllerKind: 'Database',
    namespace: 'shop',
    name: 'orders',
    reconcileID: reconcileId,
    error:
      'Operation cannot be fulfilled on databases.db.example.com "orders": the object has been modified; please apply your changes to the latest version and try again',
  });
}

const logged = { kind: 'reported', from: 'log' } as const;

/** A run of shop/orders, `at` seconds before the end, 100 ms long. */
export function span(at: number, more: Partial<Span> = {}): Span {
  const start = end - at * 1000;
  const key = more.key ?? 'shop/orders';
  return {
    id: `s${at}-${key}`,
    controller: 'databases',
    key,
    object: `db.example.com/Database/${key}`,
    start: { lo: start, hi: start },
    end: { lo: start + 100, hi: start + 100 },
    result: 'success',
    failures: 0,
    triggers: 0,
    writes: 0,
    notStored: 0,
    reads: 0,
    events: 0,
    lines: 1,
    basis: logged,
    provisional: false,
    revision: 0,
    startBasis: logged,
    triggerList: [],
    readList: [],
    readsObservable: false,
    cache: [],
    writeList: [],
    eventList: [],
    lineList: [],
    life: 1,
    notes: [],
    ...more,
  };
}

function known<T>(value: T): { value: T; basis: { kind: 'observed'; from: 'file' }; why: string } {
  return { value, basis: { kind: 'observed', from: 'file' }, why: 'stated' };
}

/** The operator of the scripts: controller `databases`, field manager `database-operator`. */
export const profile: OperatorProfile = {
  id: 'o',
  name: 'database-operator',
  identity: known({ user: operatorUser, groups: [] }),
  fieldManagers: known(['database-operator']),
  controllers: [
    {
      name: 'databases',
      for: known('databases.db.example.com'),
      owns: known(['services']),
      watches: known([]),
      predicates: known([]),
      queue: known('priority' as const),
      limiter: known({ type: 'default' as const }),
      maxConcurrentReconciles: known(1),
    },
  ],
};

/** What the rules find, as `rule severity subject`. */
export function found(
  script: Script,
  more: { readonly spans?: readonly Span[]; readonly objects?: readonly KubeObject[] } = {},
): readonly string[] {
  const input = findingInput(
    [crd({ status: true }), ...(more.objects ?? [])],
    {},
    {
      changes: changes(script),
      profiles: [profile],
      ...(more.spans === undefined ? {} : { spans: more.spans }),
    },
  );
  return evaluate(input)
    .findings.filter(({ rule }) => !rule.startsWith('rbac/'))
    .map(({ rule, severity, subject }) => `${rule} ${severity} ${subject}`);
}
