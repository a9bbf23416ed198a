/** Reads back what a session file holds besides its sealed blocks: names, the block directory, the tail. */
import type { DatabaseSync } from 'node:sqlite';
import { assert } from '../../shared/base/assert.ts';
import { type SourceId, sourceId } from '../../shared/model/ids.ts';
import { unpackHeads } from '../session/blocks.ts';
import { notKept, unpackFacts } from '../session/blocksFacts.ts';
import type { ObjectDictionary } from '../session/blocksObjects.ts';
import type { SourcePosition } from '../session/logWatermark.ts';
import type { RecordHead } from '../session/record.ts';
import type { BlockBuilder } from './sqliteBlockBuilder.ts';
import type { SealedBlocks } from './sqliteBlocks.ts';
import type { Codec } from './sqliteCodec.ts';

/** Facts of a record, from its payload. */
export type FactsDecoder = (head: RecordHead, payload: string) => readonly unknown[];

export interface LoadedSession {
  /** In order of their numbers, from 1. */
  readonly sources: readonly SourcePosition[];
  /** Late records in sealed segments. */
  readonly late: number;
  /** How many identities the sealed blocks name. */
  readonly sealedObjects: number;
  /** Puts the tail into the block being filled; `note` is called for each record. */
  fillTail(
    builder: BlockBuilder,
    sources: readonly SourceId[],
    note: (head: RecordHead, object: number) => void,
  ): void;
}

/** Fills `objects` and the directory of `blocks` from the file. */
export function loadSession(
  database: DatabaseSync,
  codec: Codec,
  objects: ObjectDictionary,
  blocks: SealedBlocks,
  decode: FactsDecoder,
): LoadedSession {
  const sources = database.prepare('SELECT * FROM source ORDER BY id').all().map(readSource);
  for (const row of database
    .prepare('SELECT first, count, kinds, objects FROM block ORDER BY first')
    .iterate()) {
    const { objects: names } = row;
    if (names instanceof Uint8Array) objects.unpack(codec.unpack(names));
    blocks.place({
      first: Number(row.first),
      count: Number(row.count),
      kinds: Number(row.kinds),
      unwritten: undefined,
    });
  }
  const sealedObjects = objects.size;
  const tail = database.prepare('SELECT * FROM tail ORDER BY first').all();
  for (const { objects: names } of tail) {
    if (names instanceof Uint8Array) objects.unpack(names);
  }
  const late = Number(database.prepare('SELECT total(late) AS late FROM segment').get()?.late);
  return {
    sources,
    late,
    sealedObjects,
    fillTail(builder, names, note) {
      for (const row of tail) {
        const { first, heads: packed, facts, payload } = row;
        assert(
          Number(first) === builder.first + builder.count,
          `tail ${first} to follow on the record before`,
        );
        assert(
          packed instanceof Uint8Array && payload instanceof Uint8Array,
          'a row of the tail to be complete',
        );
        const unpacked = unpackHeads(packed, Number(first), {
          source: (id) => names[id - 1],
          object: (id) => objects.identity(id),
        });
        const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
        const factsOf = typeof facts === 'string' ? unpackFacts(unpacked.heads, facts) : [];
        unpacked.heads.forEach((head, index) => {
          const object = unpacked.objects[index] ?? 0;
          const { offsets } = unpacked;
          const source = names.indexOf(head.source) + 1;
          const payloadText = text.toString('utf8', offsets[index], offsets[index + 1]);
          builder.add(head, source, object, payloadText);
          const values = factsOf[index];
          if (values === notKept) builder.setFacts(head.seq, decode(head, payloadText));
          else if (values !== undefined) builder.setFacts(head.seq, values);
          note(head, object);
        });
      }
      for (const row of database.prepare('SELECT seq, facts FROM fact WHERE seq >= ?').all(builder.first)) {
        builder.setFacts(Number(row.seq), JSON.parse(String(row.facts)) as readonly unknown[]);
      }
    },
  };
}

function readSource(row: Record<string, unknown>): SourcePosition {
  return {
    source: sourceId(String(row.name)),
    newest: Number(row.newest),
    lastLo: Number(row.lastLo),
    lastHi: Number(row.lastHi),
    lastTie: Number(row.lastTie),
  };
}
