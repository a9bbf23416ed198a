/** Tests of evidence: facts made of what sources send, told one by one, and the evidence that is kept of them. */
import { groupOf, type ObjectKey, objectKey, recordSeq, sourceId } from '../../shared/model/ids.ts';
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../../shared/model/kube.ts';
import { decodeRecord } from '../session/decode.ts';
import type { Fact, ObjectFact } from '../session/facts.ts';
import type { ObjectOp, RecordHead } from '../session/record.ts';
import { createEvidenceFold } from './evidence.ts';
import type { EvidenceScope, ScopeController } from './evidenceScope.ts';
import type { Evidence, WriteEvidence } from './traceTypes.ts';

export const t0 = Date.parse('2026-11-30T09:00:00.000Z');
const group = 'db.example.com';

export function controller(name: string, kind: string, owns: readonly string[] = []): ScopeController {
  return {
    name,
    forKind: { group, kind },
    namespaced: true,
    owns: new Set(owns),
    labels: new Map([['/ConfigMap', 'db.example.com/database']]),
    kinds: new Set([`${group}/${kind}`, ...owns]),
    wakes: ({ now: { fact } }) => (fact.kind === kind ? [`${fact.namespace}/${fact.name}`] : []),
    says: (entry) => entry.controller === name,
  };
}

/** One operator whose evidence is kept; versions of objects are told as they come. */
export class Bench {
  readonly kept = new Set<Evidence>();
  private readonly objects = new Map<ObjectKey, { fact: ObjectFact; deleted: boolean }>();
  private readonly payloads = new Map<number, KubeObject>();
  private readonly fold: ReturnType<typeof createEvidenceFold>;
  private seq = 0;

  constructor(
    controllers = [controller('database', 'Database', ['apps/StatefulSet', '/Secret'])],
    managers = ['dbop'],
  ) {
    const scope: EvidenceScope = {
      user: 'system:serviceaccount:db:dbop',
      managers,
      controllers,
      lease: 'db/leader',
      kindOf: (_group, resource) =>
        ({
          databases: { kind: 'Database', namespaced: true },
          secrets: { kind: 'Secret', namespaced: true },
          statefulsets: { kind: 'StatefulSet', namespaced: true },
        })[resource],
      stateOf: (key) => this.objects.get(key)?.fact,
    };
    this.fold = createEvidenceFold({
      scope,
      sink: {
        add: (piece) => void this.kept.add(piece),
        remove: (piece) => {
          if (!this.kept.delete(piece)) throw new Error('taken back what was not given');
        },
      },
      read: (seq) => this.payloads.get(seq),
    });
  }

  private head(kind: RecordHead['kind'], source: string, at: number): RecordHead {
    const interval = { lo: at, hi: at };
    const seq = recordSeq(++this.seq);
    return {
      seq,
      kind,
      source: sourceId(source),
      at: interval,
      tie: 0,
      receivedAt: at,
      metadataOnly: false,
      initial: false,
      late: false,
    };
  }

  object(op: ObjectOp, at: number, object: KubeObject, initial = false): void {
    const parts = {
      group: groupOf(object.apiVersion),
      kind: object.kind,
      namespace: object.metadata.namespace ?? '',
      name: object.metadata.name,
    };
    const key = objectKey(parts);
    const head = { ...this.head('object', `watch:${object.kind}`, at), object: key, op, initial };
    this.payloads.set(head.seq, object);
    const [fact] = decodeRecord(head, JSON.stringify(object)).facts;
    if (fact?.fact !== 'object') throw new Error('no fact');
    const before = this.objects.get(key);
    const now = { fact, deleted: op === 'deleted' };
    this.objects.set(key, now);
    this.fold.object({ before, now }, () => object);
  }

  line(at: number, fields: Readonly<Record<string, unknown>>): void {
    this.text(at, JSON.stringify({ level: 'Level(-5)', ts: new Date(at).toISOString(), ...fields }));
  }

  text(at: number, line: string): void {
    const [fact] = this.facts('log', 'log:1', at, line);
    if (fact?.fact === 'log') this.fold.log(fact);
  }

  audit(at: number, fields: Readonly<Record<string, unknown>>): void {
    const [fact] = this.facts(
      'audit',
      'audit:1',
      at,
      JSON.stringify({
        kind: 'Event',
        auditID: `${at}/${JSON.stringify(fields)}`,
        stage: 'ResponseComplete',
        verb: 'update',
        user: { username: 'system:serviceaccount:db:dbop' },
        userAgent: 'dbop/v1',
        requestURI: '/apis',
        responseStatus: { code: 200 },
        requestReceivedTimestamp: new Date(at - 4).toISOString(),
        stageTimestamp: new Date(at).toISOString(),
        ...fields,
      }),
    );
    if (fact?.fact === 'audit') this.fold.audit(fact);
  }

  /** Metrics count errors of this controller. */
  failed(name: string): void {
    this.fold.failed(name);
  }

  private facts(kind: RecordHead['kind'], source: string, at: number, payload: string): readonly Fact[] {
    return decodeRecord(this.head(kind, source, at), payload).facts;
  }

  of<K extends Evidence['evidence']>(kind: K): Extract<Evidence, { evidence: K }>[] {
    this.fold.settle();
    return [...this.kept].filter((one): one is Extract<Evidence, { evidence: K }> => one.evidence === kind);
  }

  /** Writes as `key by outcome verb subject@version`. */
  writes(): readonly string[] {
    return this.of('write').map(said).sort();
  }
}

function said({ key, by, controller: of, write }: WriteEvidence): string {
  const { outcome, verb, subject, subresource, resourceVersion = '' } = write;
  const what = subresource === '' ? subject : `${subject}/${subresource}`;
  return key === ''
    ? `nobody ${outcome} ${verb} ${what}@${resourceVersion}`
    : `${of} ${key} ${by} ${outcome} ${verb} ${what}@${resourceVersion}`;
}

export function entry(
  manager: string,
  at: number,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: `${new Date(at).toISOString().slice(0, 19)}Z`,
    ...more,
  };
}

export function database(
  version: number,
  writers: readonly ManagedFieldsEntry[],
  more: Partial<ObjectMeta> = {},
): KubeObject {
  return {
    apiVersion: `${group}/v1`,
    kind: 'Database',
    metadata: {
      name: 'orders',
      namespace: 'shop',
      uid: 'u1',
      resourceVersion: String(version),
      managedFields: writers,
      ...more,
    },
  };
}

export function owned(
  kind: string,
  name: string,
  version: number,
  owner: [string, string, string],
  at: number,
): KubeObject {
  const [apiVersion, ownerKind, ownerName] = owner;
  return {
    apiVersion: kind === 'StatefulSet' ? 'apps/v1' : 'v1',
    kind,
    metadata: {
      name,
      namespace: 'shop',
      uid: `u-${name}`,
      resourceVersion: String(version),
      managedFields: [entry('dbop', at)],
      ownerReferences: [{ apiVersion, kind: ownerKind, name: ownerName, uid: 'x', controller: true }],
    },
  };
}

export const status = { subresource: 'status' };
export const ofOrders = [`${group}/v1`, 'Database', 'orders'] as [string, string, string];
