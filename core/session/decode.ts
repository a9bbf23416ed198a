/** Record → facts. Pure; a payload that cannot be decoded gives no fact and one problem, never an exception. */
import { asRecord, asText, parseJson } from '../../shared/base/json.ts';
import type { Writer } from '../../shared/contract/views/objects.ts';
import { groupOf, objectKey, resourceVersion } from '../../shared/model/ids.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../shared/model/kube.ts';
import { parseAuditLine } from '../source/audit/auditEntry.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import type { ConditionHead, Fact, ObjectFact } from './facts.ts';
import { partsOfKey } from './keyParts.ts';
import type { RecordHead } from './record.ts';
import { skimObject } from './skim.ts';

export interface Decoded {
  readonly facts: readonly Fact[];
  /** The parsed object, so that derivations need not parse the payload again. Never kept. */
  readonly object?: KubeObject;
  readonly problem?: string;
}

/** `parsed`: what the payload of an object reads as, where whoever brings the record has parsed it already. */
export function decodeRecord(head: RecordHead, payload: string, parsed?: KubeObject): Decoded {
  const base = { seq: head.seq, at: head.at, receivedAt: head.receivedAt, source: head.source };
  switch (head.kind) {
    case 'object':
      return decodeObject(head, payload, parsed);
    case 'log': {
      const entry = parseLogLine(payload, { nearMs: head.receivedAt });
      return { facts: [{ ...base, fact: 'log', entry, ...(head.initial ? { initial: true } : {}) }] };
    }
    case 'audit': {
      const parsed = parseAuditLine(payload);
      if (!parsed.ok) return { facts: [], problem: parsed.error };
      return { facts: parsed.value.map((entry): Fact => ({ ...base, fact: 'audit', entry })) };
    }
    case 'metrics':
      return { facts: [{ ...base, fact: 'metrics' }] };
    case 'process': {
      const value = parseJson(payload) as { event?: string; pid?: number; exitCode?: number } | undefined;
      if (value === undefined) return { facts: [], problem: 'a process record is not JSON' };
      const event = value.event === 'exited' ? 'exited' : 'started';
      return { facts: [{ ...base, fact: 'process', event, pid: value.pid, exitCode: value.exitCode }] };
    }
    default:
      return { facts: [{ ...base, fact: 'other', kind: head.kind }] };
  }
}

/**
 * The facts of a record that was decoded when it came, made again: the same, in a fraction of the time where the record is
 * an object.
 */
export function decodeAgain(head: RecordHead, payload: string): readonly Fact[] {
  const skimmed = head.kind === 'object' ? skimObject(payload) : undefined;
  return decodeRecord(head, skimmed ?? payload).facts;
}

function decodeObject(head: RecordHead, payload: string, parsed: KubeObject | undefined): Decoded {
  const object = parsed ?? parseJson(payload);
  if (!isKubeObject(object))
    return { facts: [], problem: 'an object without apiVersion, kind or metadata.name' };
  return { facts: [objectFact(head, object)], object };
}

function objectFact(head: RecordHead, object: KubeObject): ObjectFact {
  const { managedFields, ...meta } = object.metadata;
  // A PartialObjectMetadata says nothing of its kind: the record's own key does.
  const named = head.object === undefined ? undefined : partsOfKey(head.object);
  const group = named?.group ?? groupOf(object.apiVersion);
  const kind = named?.kind ?? object.kind;
  const namespace = meta.namespace ?? '';
  const status = asRecord(object.status);
  return {
    fact: 'object',
    seq: head.seq,
    at: head.at,
    receivedAt: head.receivedAt,
    source: head.source,
    op: head.op ?? 'listed',
    key: head.object ?? objectKey({ group, kind, namespace, name: meta.name }),
    group: shared(group),
    apiVersion: shared(object.apiVersion),
    kind: shared(kind),
    namespace: shared(namespace),
    name: meta.name,
    uid: meta.uid ?? '',
    resourceVersion: resourceVersion(meta.resourceVersion ?? ''),
    meta,
    writers: (managedFields ?? []).map(writerOf),
    conditions: conditionsOf(status),
    observedGeneration:
      typeof status?.observedGeneration === 'number' ? status.observedGeneration : undefined,
    metadataOnly: head.metadataOnly,
    initial: head.initial,
  };
}

function writerOf(entry: ManagedFieldsEntry): Writer {
  const manager = shared(entry.manager);
  const operation = shared(entry.operation);
  const subresource = entry.subresource === undefined ? '' : shared(entry.subresource);
  const time = entry.time === undefined ? undefined : shared(entry.time);
  // Each shape in one piece: put together from parts it would take several times as long, and more memory.
  if (time === undefined)
    return subresource === '' ? { manager, operation } : { manager, operation, subresource };
  return subresource === '' ? { manager, operation, time } : { manager, operation, subresource, time };
}

/**
 * Words that many facts have in common (kinds, managers, reasons, seconds) are kept once: a parser makes each anew, and
 * the newest fact of every object stays in memory. Forgotten as a whole when there are too many; that costs only space.
 */
const words = new Map<string, string>();
const mostWords = 10_000;

function shared<T extends string>(word: T): T {
  const known = words.get(word);
  if (known !== undefined) return known as T;
  if (words.size >= mostWords) words.clear();
  words.set(word, word);
  return word;
}

function conditionsOf(status: Record<string, unknown> | undefined): ConditionHead[] {
  const list = status?.conditions;
  if (!Array.isArray(list)) return [];
  const heads: ConditionHead[] = [];
  for (const item of list) {
    const one = asRecord(item);
    if (typeof one?.type !== 'string') continue;
    heads.push({
      type: shared(one.type),
      status: shared(asText(one.status)),
      reason: shared(asText(one.reason)),
      lastTransitionTime: shared(asText(one.lastTransitionTime)),
    });
  }
  return heads;
}

function isKubeObject(value: unknown): value is KubeObject {
  const object = asRecord(value);
  const meta = asRecord(object?.metadata);
  return (
    typeof object?.apiVersion === 'string' &&
    typeof object.kind === 'string' &&
    typeof meta?.name === 'string'
  );
}
