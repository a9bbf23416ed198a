/**
 * Objects of a session under small numbers, and which records of a segment are about which object. Both are part of the
 * session file's format. An identity is a key with a uid: an object that is deleted and made again is another one, and
 * the history of a key covers both. Spec: docs/spec/session.md (SES22–SES24).
 */
import type { ObjectKey } from '../../shared/model/ids.ts';
import { ByteReader, ByteWriter } from './columns.ts';

export interface ObjectIdentity {
  readonly key: ObjectKey | undefined;
  readonly uid: string | undefined;
}

interface Entry extends ObjectIdentity {
  readonly id: number;
  /** An older identity of the same key. */
  readonly older: Entry | undefined;
}

/** Numbers identities from 1 in order of first use. */
export class ObjectDictionary {
  private readonly newestByKey = new Map<ObjectKey | undefined, Entry>();
  private readonly entries: Entry[] = [];

  /** How many there are; the next one gets this number plus one. */
  get size(): number {
    return this.entries.length;
  }

  /** The number of an identity, given now if it is new. */
  idOf(key: ObjectKey | undefined, uid: string | undefined): number {
    const newest = this.newestByKey.get(key);
    for (let entry = newest; entry !== undefined; entry = entry.older) {
      if (entry.uid === uid) return entry.id;
    }
    const entry: Entry = { id: this.entries.length + 1, key, uid, older: newest };
    this.entries.push(entry);
    this.newestByKey.set(key, entry);
    return entry.id;
  }

  /** The identity with this number; undefined for 0, which stands for none. */
  identity(id: number): ObjectIdentity | undefined {
    return this.entries[id - 1];
  }

  /** Numbers of every identity a key ever had, newest first. */
  idsOf(key: ObjectKey): readonly number[] {
    const ids: number[] = [];
    for (let entry = this.newestByKey.get(key); entry !== undefined; entry = entry.older) ids.push(entry.id);
    return ids;
  }

  /** The identities after number `after`, for the file. */
  packAfter(after: number): Uint8Array<ArrayBuffer> {
    const writer = new ByteWriter();
    const added = this.entries.slice(after);
    writer.varint(added.length);
    let before = '';
    for (const { key } of added) {
      const text: string = key ?? '';
      const shared = sharedPrefix(before, text);
      writer.varint(shared);
      writer.text(text.slice(shared));
      before = text;
    }
    for (const { uid } of added) packUid(writer, uid);
    return writer.finish();
  }

  /** Adds identities that packAfter() packed; their numbers follow on. */
  unpack(bytes: Uint8Array): void {
    const reader = new ByteReader(bytes);
    const keys: string[] = [];
    let before = '';
    for (let left = reader.varint(); left > 0; left--) {
      before = before.slice(0, reader.varint()) + reader.text();
      keys.push(before);
    }
    for (const key of keys) this.idOf(key === '' ? undefined : (key as ObjectKey), unpackUid(reader));
  }
}

function sharedPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < end && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  // Never between the halves of a surrogate pair: the rest is encoded by itself.
  const last = shared > 0 ? a.charCodeAt(shared - 1) : 0;
  return last >= 0xd800 && last < 0xdc00 ? shared - 1 : shared;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A uuid takes 17 bytes, any other text its length, none 1. */
function packUid(writer: ByteWriter, uid: string | undefined): void {
  if (uid === undefined) {
    writer.byte(0);
  } else if (uuidPattern.test(uid)) {
    writer.byte(1);
    const digits = uid.replaceAll('-', '');
    for (let index = 0; index < 32; index += 2)
      writer.byte(Number.parseInt(digits.slice(index, index + 2), 16));
  } else {
    writer.byte(2);
    writer.text(uid);
  }
}

function unpackUid(reader: ByteReader): string | undefined {
  const tag = reader.byte();
  if (tag === 0) return undefined;
  if (tag === 2) return reader.text();
  const digits = [...reader.raw(16)].map((value) => value.toString(16).padStart(2, '0')).join('');
  return [0, 8, 12, 16, 20].map((from, index, starts) => digits.slice(from, starts[index + 1])).join('-');
}

/** Which records of one segment are about which object. */
export interface ObjectIndex {
  /** Offsets in the segment of the records about the object with this number, ascending. */
  offsetsOf(id: number): readonly number[];
}

/** `ids`: for each record of the segment, the number of its object or 0. */
export function packObjectIndex(ids: readonly number[]): Uint8Array<ArrayBuffer> {
  // Sorted by id, then offset, as one number each: a segment has a few thousand records, so both together are exact.
  const pairs = new Float64Array(ids.length);
  let used = 0;
  ids.forEach((id, offset) => {
    if (id !== 0) pairs[used++] = id * ids.length + offset;
  });
  const sorted = pairs.subarray(0, used).sort();
  const idAt = (index: number) => Math.floor((sorted[index] ?? 0) / ids.length);
  let different = 0;
  for (let index = 0; index < used; index++) if (index === 0 || idAt(index) !== idAt(index - 1)) different++;
  const writer = new ByteWriter();
  writer.varint(different);
  let idBefore = 0;
  for (let index = 0; index < used; ) {
    const id = idAt(index);
    let end = index + 1;
    while (end < used && idAt(end) === id) end++;
    writer.varint(id - idBefore);
    writer.varint(end - index);
    idBefore = id;
    let placeBefore = 0;
    for (; index < end; index++) {
      const place = (sorted[index] ?? 0) - id * ids.length;
      writer.varint(place - placeBefore);
      placeBefore = place;
    }
  }
  return writer.finish();
}

/** Reads the packed index anew for each object: of many segments one asks for few, and bytes take little memory. */
export function unpackObjectIndex(bytes: Uint8Array): ObjectIndex {
  return {
    offsetsOf(wanted) {
      const reader = new ByteReader(bytes);
      let id = 0;
      for (let left = reader.varint(); left > 0 && id < wanted; left--) {
        id += reader.varint();
        let place = 0;
        const places: number[] = [];
        for (let count = reader.varint(); count > 0; count--) {
          place += reader.varint();
          if (id === wanted) places.push(place);
        }
        if (id === wanted) return places;
      }
      return [];
    },
  };
}
