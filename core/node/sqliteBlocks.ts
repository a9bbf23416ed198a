/**
 * Sealed blocks: the directory of all of them in memory (a few numbers each), their contents in the file, or in memory
 * until a commit is through. Decompressed blocks are cached, most recently used first.
 */
import { isAscii } from 'node:buffer';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assert } from '../../shared/base/assert.ts';
import { type BlockHeads, type BlockNames, unpackHeads } from '../session/blocks.ts';
import { LruCache } from '../session/blocksCache.ts';
import { type UnpackedFacts, unpackFacts } from '../session/blocksFacts.ts';
import { type ObjectIndex, unpackObjectIndex } from '../session/blocksObjects.ts';
import { DamagedLog } from '../session/damagedLog.ts';
import type { Codec } from './sqliteCodec.ts';

/** A block as it is written. Every blob is packed by the codec. */
export interface SealedBlock {
  readonly first: number;
  readonly count: number;
  readonly kinds: number;
  /** Of payload, not compressed. */
  readonly bytes: number;
  /** Identities first used in this block. */
  readonly objects: Uint8Array | undefined;
  readonly heads: Uint8Array;
  /** Payloads, then the facts as text. undefined: given up while nothing could be written. */
  payload: Uint8Array | undefined;
}

/** Which records of a segment are about which object, as it is written. */
export interface SealedSegment {
  readonly first: number;
  readonly count: number;
  readonly watermark: number;
  readonly late: number;
  readonly objects: Uint8Array;
}

/** Place of a block in the log. */
export interface BlockEntry {
  readonly first: number;
  readonly count: number;
  readonly kinds: number;
  /** Set until it is in the file. */
  unwritten: SealedBlock | undefined;
}

const payloadCacheBytes = 16 * 1024 * 1024;
const headsCacheRecords = 8_192;
/** Read in a row, by whoever derives from them; what stays longer only costs the collector. */
const factsCacheRecords = 1_024;
const segmentCacheSize = 256;

type BlobColumn = 'heads' | 'payload';

export class SealedBlocks {
  private readonly codec: Codec;
  private readonly names: BlockNames;
  private readonly entries: BlockEntry[] = [];
  private readonly selects: Readonly<Record<BlobColumn, StatementSync>>;
  private readonly insertBlock: StatementSync;
  private readonly insertSegment: StatementSync;
  private readonly selectSegment: StatementSync;
  private readonly payloads = new LruCache<number, Buffer>(payloadCacheBytes);
  private readonly heads = new LruCache<number, BlockHeads>(headsCacheRecords);
  private readonly facts = new LruCache<number, readonly UnpackedFacts[]>(factsCacheRecords);
  private readonly segments = new LruCache<number, ObjectIndex>(segmentCacheSize);
  private readonly unwrittenSegments = new Map<number, SealedSegment>();

  constructor(database: DatabaseSync, codec: Codec, names: BlockNames) {
    this.codec = codec;
    this.names = names;
    const select = (column: BlobColumn) =>
      database.prepare(`SELECT ${column} AS blob FROM block WHERE first = ?`);
    this.selects = { heads: select('heads'), payload: select('payload') };
    this.insertBlock = database.prepare(
      'INSERT INTO block (first, count, kinds, bytes, objects, heads, payload) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.insertSegment = database.prepare(
      'INSERT INTO segment (first, count, revision, watermark, late, objects) VALUES (?, ?, 1, ?, ?, ?)',
    );
    this.selectSegment = database.prepare('SELECT objects AS blob FROM segment WHERE first = ?');
  }

  /** Number of the last record in a sealed block; 0 when there is none. */
  get last(): number {
    const entry = this.entries.at(-1);
    return entry === undefined ? 0 : entry.first + entry.count - 1;
  }

  /** Adds a block that was just sealed. It must follow on the one before. */
  add(block: SealedBlock): void {
    this.place({ first: block.first, count: block.count, kinds: block.kinds, unwritten: block });
  }

  /** Adds a block that is in the file already. */
  place(entry: BlockEntry): void {
    assert(entry.first === this.last + 1, `block ${entry.first} to follow on record ${this.last}`);
    this.entries.push(entry);
  }

  addSegment(segment: SealedSegment): void {
    this.unwrittenSegments.set(segment.first, segment);
  }

  /** Blocks not in the file yet, oldest first. */
  unwritten(): readonly BlockEntry[] {
    let from = this.entries.length;
    while (from > 0 && this.entries[from - 1]?.unwritten !== undefined) from--;
    return this.entries.slice(from);
  }

  /** Writes one block inside the caller's transaction; written() follows when that is through. */
  write(block: SealedBlock): void {
    this.insertBlock.run(
      block.first,
      block.count,
      block.kinds,
      block.bytes,
      block.objects ?? null,
      block.heads,
      block.payload ?? null,
    );
    const last = block.first + block.count - 1;
    for (const segment of this.unwrittenSegments.values()) {
      if (segment.first + segment.count - 1 !== last) continue;
      this.insertSegment.run(segment.first, segment.count, segment.watermark, segment.late, segment.objects);
    }
  }

  /** The commit of these blocks is through. */
  written(entries: readonly BlockEntry[]): void {
    for (const entry of entries) entry.unwritten = undefined;
    const firstUnwritten = this.unwritten()[0]?.first ?? this.last + 1;
    for (const segment of this.unwrittenSegments.values()) {
      if (segment.first + segment.count <= firstUnwritten) this.unwrittenSegments.delete(segment.first);
    }
  }

  /** The block that holds a record; undefined when none does. */
  entryOf(seq: number): BlockEntry | undefined {
    const { found } = this;
    if (found !== undefined && seq >= found.first && seq < found.first + found.count) return found;
    this.found = this.findEntry(seq);
    return this.found;
  }

  /** What entryOf() found last: records are read in a row. */
  private found: BlockEntry | undefined;

  private findEntry(seq: number): BlockEntry | undefined {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.entries[middle]?.first ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    const entry = this.entries[low - 1];
    return entry !== undefined && seq >= entry.first && seq < entry.first + entry.count ? entry : undefined;
  }

  headsOf(entry: BlockEntry): BlockHeads {
    const cached = this.heads.get(entry.first);
    if (cached !== undefined) return cached;
    return reading(() => {
      const blob = this.blob(entry, 'heads');
      assert(blob !== undefined, `block ${entry.first} to have heads`);
      const heads = unpackHeads(this.codec.unpack(blob), entry.first, this.names);
      assert(heads.heads.length === entry.count, `block ${entry.first} to have ${entry.count} heads`);
      this.heads.set(entry.first, heads, entry.count);
      return heads;
    });
  }

  factsOf(entry: BlockEntry, seq: number): UnpackedFacts {
    let facts = this.facts.get(entry.first);
    if (facts === undefined) {
      const { heads, offsets } = this.headsOf(entry);
      const text = this.payloadBytes(entry)?.toString('utf8', offsets.at(-1)) ?? '';
      facts = text === '' ? [] : reading(() => unpackFacts(heads, text));
      this.facts.set(entry.first, facts, entry.count);
    }
    return facts[seq - entry.first];
  }

  payload(entry: BlockEntry, seq: number): string | undefined {
    const { offsets } = this.headsOf(entry);
    const index = seq - entry.first;
    return this.payloadBytes(entry)?.toString('utf8', offsets[index], offsets[index + 1]);
  }

  /** UTF-16 units of it. Where a block holds nothing but ASCII, and most do, no text is made to count them. */
  payloadLength(entry: BlockEntry, seq: number): number | undefined {
    const payload = this.payloadBytes(entry);
    if (payload === undefined) return undefined;
    if (payload !== this.judged) {
      this.judged = payload;
      this.isPlain = isAscii(payload);
    }
    const { offsets } = this.headsOf(entry);
    const index = seq - entry.first;
    const [from = 0, to = 0] = [offsets[index], offsets[index + 1]];
    return this.isPlain ? to - from : payload.toString('utf8', from, to).length;
  }

  /** Whether the payloads that payloadLength() looked at last are all ASCII. */
  private judged: Buffer | undefined;
  private isPlain = false;

  private payloadBytes(entry: BlockEntry): Buffer | undefined {
    const cached = this.payloads.get(entry.first);
    if (cached !== undefined) return cached;
    return reading(() => {
      const blob = this.blob(entry, 'payload');
      if (blob === undefined) return undefined;
      const bytes = asBuffer(this.codec.unpack(blob));
      this.payloads.set(entry.first, bytes, bytes.length);
      return bytes;
    });
  }

  /** The object index of the sealed segment that begins with record `first`. */
  segment(first: number): ObjectIndex {
    let index = this.segments.get(first);
    if (index === undefined) {
      index = reading(() => {
        const blob = this.unwrittenSegments.get(first)?.objects ?? readBlob(this.selectSegment, first);
        assert(blob !== undefined, `segment ${first} to have an object index`);
        return unpackObjectIndex(this.codec.unpack(blob));
      });
      this.segments.set(first, index);
    }
    return index;
  }

  private blob(entry: BlockEntry, column: BlobColumn): Uint8Array | undefined {
    const { unwritten } = entry;
    return unwritten === undefined ? readBlob(this.selects[column], entry.first) : unwritten[column];
  }
}

/** Whatever goes wrong while bytes are read is their fault; only a log that was closed meanwhile is not damaged. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_INVALID_STATE') throw error;
    throw error instanceof DamagedLog ? error : new DamagedLog(error);
  }
}

function readBlob(select: StatementSync, first: number): Uint8Array | undefined {
  const blob = select.get(first)?.blob;
  return blob instanceof Uint8Array ? blob : undefined;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
