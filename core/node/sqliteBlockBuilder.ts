/**
 * The block being filled: payload bytes one after another, heads and facts beside them. It becomes a sealed block when
 * the next record does not fit; until then each commit writes what came since the last one as a row of the tail.
 */
import { assert } from '../../shared/base/assert.ts';
import { type NumberedHead, packHeads } from '../session/blocks.ts';
import { packFacts, type UnpackedFacts } from '../session/blocksFacts.ts';
import type { RecordHead } from '../session/record.ts';

/** What a block or a part of it holds, nothing compressed. */
export interface BlockParts {
  readonly first: number;
  readonly count: number;
  readonly heads: Uint8Array;
  /** undefined when no record has facts. */
  readonly facts: string | undefined;
  /** A view that the next append may overwrite. */
  readonly payload: Uint8Array;
}

export class BlockBuilder {
  /** Number of the first record. */
  first: number;
  private readonly capacity: number;
  private buffer: Buffer;
  private used = 0;
  private readonly rows: NumberedHead[] = [];
  private readonly starts: number[] = [];
  private readonly facts: UnpackedFacts[] = [];

  /** `capacity`: bytes of payload a block holds; one larger record makes a block of its own. */
  constructor(first: number, capacity: number) {
    this.first = first;
    this.capacity = capacity;
    this.buffer = Buffer.allocUnsafeSlow(capacity);
  }

  get count(): number {
    return this.rows.length;
  }

  /** Bytes of payload so far. */
  get bytes(): number {
    return this.used;
  }

  /** Whether `payload` still goes into this block. An empty block takes anything. */
  fits(payload: string): boolean {
    if (this.rows.length === 0) return true;
    const room = this.capacity - this.used;
    // At most three bytes a UTF-16 unit: exact counting only near the end.
    return payload.length * 3 <= room || Buffer.byteLength(payload) <= room;
  }

  add(head: RecordHead, source: number, object: number, payload: string): void {
    if (this.used + payload.length * 3 > this.buffer.length) this.grow(Buffer.byteLength(payload));
    const bytes = this.buffer.write(payload, this.used);
    this.starts.push(this.used);
    this.used += bytes;
    this.rows.push({ head, source, object, bytes });
    this.facts.push(undefined);
  }

  /** `notKept`: of a record that is copied from a block without its facts. */
  setFacts(seq: number, facts: UnpackedFacts): void {
    const index = seq - this.first;
    assert(index >= 0 && index < this.count, 'facts of a record in the block being filled');
    this.facts[index] = facts;
  }

  head(seq: number): RecordHead | undefined {
    // A place below 0 would be looked for among the names of the array.
    return seq < this.first ? undefined : this.rows[seq - this.first]?.head;
  }

  factsOf(seq: number): UnpackedFacts {
    return seq < this.first ? undefined : this.facts[seq - this.first];
  }

  payload(seq: number): string | undefined {
    const index = seq - this.first;
    const start = this.starts[index];
    if (start === undefined) return undefined;
    return this.buffer.toString('utf8', start, this.starts[index + 1] ?? this.used);
  }

  /** Everything from record `from` on; of facts only that they were there, unless `keepFacts`. */
  parts(from: number, keepFacts: boolean): BlockParts {
    const skip = from - this.first;
    const rows = skip === 0 ? this.rows : this.rows.slice(skip);
    const facts = skip === 0 ? this.facts : this.facts.slice(skip);
    return {
      first: from,
      count: rows.length,
      heads: packHeads(rows),
      facts: packFacts(rows, facts, keepFacts),
      payload: this.buffer.subarray(this.starts[skip] ?? this.used, this.used),
    };
  }

  /** Starts the next block; memory is used again. */
  clear(): void {
    this.first += this.count;
    this.used = 0;
    this.rows.length = 0;
    this.starts.length = 0;
    this.facts.length = 0;
    if (this.buffer.length > this.capacity) this.buffer = Buffer.allocUnsafeSlow(this.capacity);
  }

  private grow(needed: number): void {
    if (this.used + needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(this.used + needed);
    this.buffer.copy(larger, 0, 0, this.used);
    this.buffer = larger;
  }
}
