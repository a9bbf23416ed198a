/**
 * Blocks: heads of consecutive records as packed columns, beside their payload bytes. What of a head repeats (source,
 * object, uid) stands there as a number. Part of the session file's format: codes below are only ever added at the end.
 * Spec: docs/spec/session.md (SES19–SES21).
 */
import { assert } from '../../shared/base/assert.ts';
import { recordSeq, resourceVersion, type SourceId } from '../../shared/model/ids.ts';
import type { ObjectIdentity } from './blocksObjects.ts';
import { ByteReader, ByteWriter, isPackable } from './columns.ts';
import type { ObjectOp, RecordHead, RecordKind } from './record.ts';

const kindCodes: readonly RecordKind[] = [
  'object',
  'gap',
  'discovery',
  'access',
  'log',
  'metrics',
  'audit',
  'process',
  'prediction',
  'outcome',
  'profile',
  'connection',
  'request',
  'finding',
];

/** Place 0 stands for no operation. */
const opCodes: readonly (ObjectOp | undefined)[] = [
  undefined,
  'listed',
  'added',
  'modified',
  'deleted',
  'relisted',
  'vanished',
];

const metadataOnlyFlag = 1;
const initialFlag = 2;
const lateFlag = 4;
const versionFlag = 8;
const versionTextFlag = 16;

/** One bit a kind, so that a walk for a rare kind skips whole blocks. */
export function kindMask(kinds: Iterable<RecordKind>): number {
  let mask = 0;
  for (const kind of kinds) mask |= 1 << kindCodes.indexOf(kind);
  return mask;
}

/** A head with the numbers that its names have in this session, and the length of its payload in bytes. */
export interface NumberedHead {
  readonly head: RecordHead;
  readonly source: number;
  /** 0: no object. */
  readonly object: number;
  readonly bytes: number;
}

/** What a block's columns give back: the heads, and where each payload begins in the block's bytes. */
export interface BlockHeads {
  readonly heads: readonly RecordHead[];
  /** One more than there are heads: the last is the end. */
  readonly offsets: readonly number[];
  readonly objects: readonly number[];
}

/** Gives the numbers of a session their names back. */
export interface BlockNames {
  source(id: number): SourceId | undefined;
  object(id: number): ObjectIdentity | undefined;
}

/** Columns of consecutive records, not compressed. */
export function packHeads(rows: readonly NumberedHead[]): Uint8Array<ArrayBuffer> {
  const count = rows.length;
  const column = () => new Array<number>(count);
  const bytes = new Uint8Array(3 * count);
  const [sources, objects, lengths, ties] = [column(), column(), column(), column()];
  const [los, his, received] = [column(), column(), column()];
  const numericVersions: number[] = [];
  const otherVersions: string[] = [];
  // Spans and lags compress better than instants, but only integers can be put together again exactly.
  let whole = true;
  // One pass over the heads: a block is sealed while events wait.
  for (let index = 0; index < count; index++) {
    const row = rows[index];
    assert(row !== undefined, 'rows without holes');
    const { head } = row;
    const { lo, hi } = head.at;
    bytes[index] = kindCodes.indexOf(head.kind);
    bytes[count + index] = opCodes.indexOf(head.op);
    bytes[2 * count + index] = flagsOf(head, numericVersions, otherVersions);
    sources[index] = row.source;
    objects[index] = row.object;
    lengths[index] = row.bytes;
    ties[index] = head.tie;
    los[index] = lo;
    his[index] = hi;
    received[index] = head.receivedAt;
    whole &&= isPackable(lo) && isPackable(hi) && isPackable(head.receivedAt);
  }
  if (whole) {
    for (let index = count - 1; index >= 0; index--) {
      received[index] = (received[index] ?? 0) - (his[index] ?? 0);
      his[index] = (his[index] ?? 0) - (los[index] ?? 0);
    }
  }
  const writer = new ByteWriter();
  writer.varint(count);
  writer.raw(bytes);
  for (const values of [sources, objects, lengths, ties]) writer.numbers(values);
  writer.byte(whole ? 1 : 0);
  for (const values of [los, his, received, numericVersions]) writer.numbers(values);
  for (const version of otherVersions) writer.text(version);
  return writer.finish();
}

/** The heads that packHeads() packed, the first of them with number `first`. */
export function unpackHeads(bytes: Uint8Array, first: number, names: BlockNames): BlockHeads {
  const reader = new ByteReader(bytes);
  const count = reader.varint();
  const kinds = reader.raw(count);
  const ops = reader.raw(count);
  const flags = reader.raw(count);
  const sources = reader.numbers(count);
  const objects = reader.numbers(count);
  const lengths = reader.numbers(count);
  const ties = reader.numbers(count);
  const whole = reader.byte() === 1;
  const los = reader.numbers(count);
  const his = reader.numbers(count);
  const received = reader.numbers(count);
  const numericVersions = reader.numbers(
    flags.reduce((sum, flag) => sum + ((flag & (versionFlag | versionTextFlag)) === versionFlag ? 1 : 0), 0),
  );
  let numericVersion = 0;
  const offsets = [0];
  const heads = lengths.map((length, index): RecordHead => {
    offsets.push((offsets[index] ?? 0) + length);
    const flag = flags[index] ?? 0;
    const kind = kindCodes[kinds[index] ?? -1];
    const source = names.source(sources[index] ?? 0);
    assert(kind !== undefined && source !== undefined, 'codes of a block to be known');
    const op = opCodes[ops[index] ?? 0];
    const identity = names.object(objects[index] ?? 0);
    const lo = los[index] ?? 0;
    const hi = (his[index] ?? 0) + (whole ? lo : 0);
    const version =
      (flag & versionFlag) === 0
        ? undefined
        : (flag & versionTextFlag) === 0
          ? String(numericVersions[numericVersion++])
          : reader.text();
    const seq = recordSeq(first + index);
    const at = { lo, hi };
    const tie = ties[index] ?? 0;
    const receivedAt = (received[index] ?? 0) + (whole ? hi : 0);
    const object = identity?.key;
    const uid = identity?.uid;
    const metadataOnly = (flag & metadataOnlyFlag) !== 0;
    const initial = (flag & initialFlag) !== 0;
    const late = (flag & lateFlag) !== 0;
    // As makeHead() does: nearly every record is a change of an object or has none of these, made in one piece.
    if (object !== undefined && uid !== undefined && version !== undefined && op !== undefined)
      return {
        seq,
        kind,
        source,
        at,
        tie,
        receivedAt,
        object,
        uid,
        resourceVersion: resourceVersion(version),
        op,
        metadataOnly,
        initial,
        late,
      };
    if (identity === undefined && version === undefined && op === undefined)
      return { seq, kind, source, at, tie, receivedAt, metadataOnly, initial, late };
    return {
      ...{ seq, kind, source, at, tie, receivedAt },
      ...(object === undefined ? {} : { object }),
      ...(uid === undefined ? {} : { uid }),
      ...(version === undefined ? {} : { resourceVersion: resourceVersion(version) }),
      ...(op === undefined ? {} : { op }),
      metadataOnly,
      initial,
      late,
    };
  });
  return { heads, offsets, objects };
}

/** Puts the head's version, if it has one, where the flags say that it is. */
function flagsOf(head: RecordHead, numericVersions: number[], otherVersions: string[]): number {
  const { resourceVersion: version } = head;
  const flags =
    (head.metadataOnly ? metadataOnlyFlag : 0) |
    (head.initial ? initialFlag : 0) |
    (head.late ? lateFlag : 0);
  if (version === undefined) return flags;
  const value = Number(version);
  // Text that comes back the same after a turn as a number: `007` and a version of 2^60 stay text.
  if (isPackable(value) && value >= 0 && String(value) === version) {
    numericVersions.push(value);
    return flags | versionFlag;
  }
  otherVersions.push(version);
  return flags | versionFlag | versionTextFlag;
}
