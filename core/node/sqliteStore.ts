/**
 * What is written of a session and when: sealed blocks, the tail, sources, facts that came later, intervals. One
 * transaction a commit. Where nothing can be written (disk full), recording pauses: what came waits in memory up to a
 * bound, is tried again, and past the bound payloads are given up oldest first; heads never are.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SourcePosition } from '../session/logWatermark.ts';
import type { BlockParts } from './sqliteBlockBuilder.ts';
import type { SealedBlocks } from './sqliteBlocks.ts';
import type { SqliteIntervals } from './sqliteIntervals.ts';
import { isDiskFull, isSqliteError, pragmaNumber, type SqliteError } from './sqliteSchema.ts';

/** Bytes of sealed blocks in one transaction: bounds how long a commit holds the loop. */
const commitBytes = 4 * 1024 * 1024;

/** A part of the tail: what came since the last commit. */
export interface TailPart extends BlockParts {
  /** Identities first used in it, packed. */
  readonly objects: Uint8Array | undefined;
}

/** What one commit has to write beside sealed blocks. */
export interface CommitInput {
  readonly sources: readonly (SourcePosition & { readonly id: number })[];
  readonly lateFacts: ReadonlyMap<number, readonly unknown[]>;
  readonly tail: TailPart | undefined;
}

export class SessionStore {
  private readonly database: DatabaseSync;
  private readonly blocks: SealedBlocks;
  private readonly intervals: SqliteIntervals;
  private readonly putSource: StatementSync;
  private readonly putTail: StatementSync;
  private readonly dropTail: StatementSync;
  private readonly putFacts: StatementSync;
  private readonly pageSize: number;
  private givenUp = 0;
  private size = 0;

  /** What to tell the user while nothing can be written. */
  paused: string | undefined;

  constructor(database: DatabaseSync, blocks: SealedBlocks, intervals: SqliteIntervals) {
    this.database = database;
    this.blocks = blocks;
    this.intervals = intervals;
    this.putSource = database.prepare(
      'INSERT OR REPLACE INTO source (id, name, newest, lastLo, lastHi, lastTie) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.putTail = database.prepare(
      'INSERT INTO tail (first, count, objects, heads, facts, payload) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.dropTail = database.prepare('DELETE FROM tail WHERE first < ?');
    this.putFacts = database.prepare('INSERT OR REPLACE INTO fact (seq, facts) VALUES (?, ?)');
    this.pageSize = pragmaNumber(database, 'page_size');
    this.measure();
  }

  /** Bytes of the file after the last commit. */
  get bytes(): number {
    return this.size;
  }

  /** Records whose payload could not be kept. */
  get lostPayloads(): number {
    return this.givenUp;
  }

  /** Writes all of it. False: nothing can be written now, see `paused`; what was not written is still held. */
  commit(input: CommitInput): boolean {
    try {
      for (;;) {
        const batch = this.nextBatch();
        const rest = this.blocks.unwritten().length === batch.length;
        this.database.exec('BEGIN IMMEDIATE');
        for (const source of input.sources) this.writeSource(source);
        for (const { unwritten } of batch) {
          if (unwritten !== undefined) this.blocks.write(unwritten);
        }
        const lastOfBatch = batch.at(-1);
        if (lastOfBatch !== undefined) this.dropTail.run(lastOfBatch.first + lastOfBatch.count);
        if (rest) this.writeRest(input);
        this.database.exec('COMMIT');
        this.blocks.written(batch);
        if (rest) break;
      }
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      this.paused = pauseSentence(error);
      return false;
    }
    this.intervals.written();
    this.paused = undefined;
    this.measure();
    return true;
  }

  /** Gives up payloads and facts of waiting blocks, oldest first, until they take at most `bytes` of memory. */
  boundWaiting(bytes: number): void {
    let held = this.waitingBytes();
    for (const { unwritten } of this.blocks.unwritten()) {
      if (held <= bytes) return;
      if (unwritten?.payload === undefined) continue;
      held -= unwritten.payload.length;
      unwritten.payload = undefined;
      this.givenUp += unwritten.count;
    }
  }

  /** Bytes of sealed blocks that wait to be written. */
  waitingBytes(): number {
    return this.blocks.unwritten().reduce((sum, { unwritten }) => sum + (unwritten?.payload?.length ?? 0), 0);
  }

  private nextBatch() {
    const waiting = this.blocks.unwritten();
    let bytes = 0;
    const end = waiting.findIndex(({ unwritten }) => {
      bytes += unwritten?.payload?.length ?? 0;
      return bytes > commitBytes;
    });
    return end < 0 ? waiting : waiting.slice(0, Math.max(1, end));
  }

  private writeSource(source: CommitInput['sources'][number]): void {
    const { id, source: name, newest, lastLo, lastHi, lastTie } = source;
    this.putSource.run(id, name, newest, lastLo, lastHi, lastTie);
  }

  private writeRest({ tail, lateFacts }: CommitInput): void {
    if (tail !== undefined && tail.count > 0) {
      this.putTail.run(
        tail.first,
        tail.count,
        tail.objects ?? null,
        tail.heads,
        tail.facts ?? null,
        tail.payload,
      );
    }
    for (const [seq, facts] of lateFacts) this.putFacts.run(seq, JSON.stringify(facts));
    this.intervals.write();
  }

  private measure(): void {
    this.size = pragmaNumber(this.database, 'page_count') * this.pageSize;
  }
}

function pauseSentence(error: SqliteError): string {
  return isDiskFull(error)
    ? 'Recording is paused: the disk is full. Free some space and it goes on by itself; what is shown stays live.'
    : `Recording is paused: the session file cannot be written (${error.message}). It is tried again; what is shown stays live.`;
}
