/**
 * Facts of a block as JSON. What a fact repeats of its record's head is left out and put back on reading, which takes a
 * quarter off. Part of the session file's format: the list below is only ever added to at its end.
 * Spec: docs/spec/session.md (SES3, SES47).
 */
import { partsOfKey } from './keyParts.ts';
import type { RecordHead } from './record.ts';

/** Names a fact gives to what its head says; the place is the bit. */
const repeated = [
  'seq',
  'at',
  'receivedAt',
  'source',
  'op',
  'key',
  'uid',
  'resourceVersion',
  'metadataOnly',
  'initial',
  'group',
  'kind',
  'namespace',
  'name',
] as const;

/** What a head says under these names. */
function saidBy(head: RecordHead): Readonly<Record<(typeof repeated)[number], unknown>> {
  const { seq, at, receivedAt, source, op, object, uid, resourceVersion, metadataOnly, initial } = head;
  const parts = object === undefined ? undefined : partsOfKey(object);
  return {
    ...{ seq, at, receivedAt, source, op, key: object, uid, resourceVersion, metadataOnly, initial },
    group: parts?.group,
    kind: parts?.kind,
    namespace: parts?.namespace,
    name: parts?.name,
  };
}

/** One fact: a bit for each repeated name that was left out, and the rest. */
type PackedFact = readonly [mask: number, rest: unknown];

/** Facts longer than this share of their payload are not worth keeping: decoding it again costs hardly more. */
const worthKeeping = 0.5;
/** Facts up to this length are always kept. */
const smallFacts = 200;

/** One record as it goes into a block. */
export interface FactsRow {
  readonly head: RecordHead;
  /** Of its payload. */
  readonly bytes: number;
}

/** Facts that were put but not kept: they have to be decoded again. */
export const notKept = Symbol('not kept');
const notKeptMark = 0;

/**
 * `facts`: for each row its facts or none, or that they were not kept before either. Unless `keep`, only where there were
 * any is noted. undefined when there were none at all.
 */
export function packFacts(
  rows: readonly FactsRow[],
  facts: readonly UnpackedFacts[],
  keep: boolean,
): string | undefined {
  if (facts.every((values) => values === undefined)) return undefined;
  const texts = rows.map(({ head, bytes }, index) => {
    const values = facts[index];
    if (values === undefined) return 'null';
    const kept = keep && values !== notKept;
    const text = kept ? JSON.stringify(values.map((fact) => packFact(head, fact))) : undefined;
    const worth = text !== undefined && text.length <= Math.max(smallFacts, bytes * worthKeeping);
    return worth ? text : String(notKeptMark);
  });
  return `[${texts.join(',')}]`;
}

export type UnpackedFacts = readonly unknown[] | typeof notKept | undefined;

/** What packFacts() was given, as far as it was kept. */
export function unpackFacts(heads: readonly RecordHead[], text: string): readonly UnpackedFacts[] {
  const packed = JSON.parse(text) as readonly (readonly PackedFact[] | null | typeof notKeptMark)[];
  return heads.map((head, index) => {
    const facts = packed[index];
    return facts === notKeptMark ? notKept : facts?.map((fact) => unpackFact(head, fact));
  });
}

function packFact(head: RecordHead, fact: unknown): PackedFact {
  if (typeof fact !== 'object' || fact === null || Array.isArray(fact)) return [0, fact];
  const rest: Record<string, unknown> = { ...fact };
  const said = saidBy(head);
  let mask = 0;
  repeated.forEach((name, bit) => {
    const value = rest[name];
    // By identity: facts take these from the head as they are.
    if (value === undefined || value !== said[name]) return;
    mask |= 1 << bit;
    rest[name] = undefined;
  });
  return [mask, rest];
}

function unpackFact(head: RecordHead, [mask, rest]: PackedFact): unknown {
  if (mask === 0) return rest;
  const { seq, at, receivedAt, source } = head;
  // Nearly every fact is one of these; in one piece they have one shape, and take a fraction of the time.
  if (mask === ofLines) return { ...(rest as object), seq, at, receivedAt, source };
  if (mask === ofObjects && head.object !== undefined) {
    const { op, object: key, uid, resourceVersion, metadataOnly, initial } = head;
    const { group, kind, namespace, name } = partsOfKey(head.object);
    return {
      ...(rest as object),
      seq,
      at,
      receivedAt,
      source,
      op,
      key,
      uid,
      resourceVersion,
      metadataOnly,
      initial,
      group,
      kind,
      namespace,
      name,
    };
  }
  const fact: Record<string, unknown> = { ...(rest as object) };
  const said = saidBy(head);
  repeated.forEach((name, bit) => {
    if ((mask & (1 << bit)) !== 0) fact[name] = said[name];
  });
  return fact;
}

/** Masks of facts that take from their head all it says: those of log lines, and those of objects. */
const ofLines = maskOf(['seq', 'at', 'receivedAt', 'source']);
const ofObjects = maskOf(repeated);

function maskOf(names: readonly (typeof repeated)[number][]): number {
  return names.reduce((mask, name) => mask | (1 << repeated.indexOf(name)), 0);
}
