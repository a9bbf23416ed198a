/**
 * A seeded random walk over a SessionLog: what a session might see in an hour, in a few thousand steps. The same seed
 * gives the same walk on any log, so that two logs can be compared, and a seed that failed can stay as a test.
 */
import { objectKey, recordSeq, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import type { ObjectOp, RecordInput, RecordKind, RecordQuery, SessionLog } from '../session/record.ts';

/** Numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const kinds: readonly RecordKind[] = ['object', 'log', 'metrics', 'gap', 'prediction', 'finding'];
const ops: readonly ObjectOp[] = ['listed', 'added', 'modified', 'deleted', 'relisted', 'vanished'];
const texts = ['', 'x', 'Überlänge', '🧨 tail', 'line one\nline two', '"quoted"'];

export interface Walk {
  /** Does one step on every log: mostly appends, some facts, intervals, source states, flushes. */
  step(logs: readonly SessionLog[]): void;
  query(): RecordQuery;
}

/** `start`: ms; times of records lie around it. */
export function createWalk(seed: number, start: number): Walk {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(items: readonly [T, ...T[]] | readonly T[]): T => items[below(items.length)] as T;
  let now = start;
  let records = 0;
  let version = 100;

  const sources = ['watch:/v1/pods', 'watch:apps/v1/deployments', 'log:1', 'metrics:1'].map(sourceId);
  const object = () =>
    objectKey({ group: pick(['', 'apps']), kind: 'Pod', namespace: 'ns', name: `o-${below(12)}` });

  function record(): RecordInput {
    now += below(20);
    records++;
    version += below(5);
    const kind = pick(kinds);
    // Some sources lie far behind, some times have fractions or a second of resolution.
    const lo = now - (below(8) === 0 ? below(9000) : 0) + (below(30) === 0 ? 0.25 : 0);
    const about = kind === 'object' || below(4) === 0;
    return {
      kind,
      source: pick(sources),
      at: { lo, hi: lo + (below(6) === 0 ? 999 : 0) },
      receivedAt: now + below(3),
      ...(about ? { object: object() } : {}),
      ...(about && below(8) > 0 ? { uid: `6f1c02f4-98a1-4a0e-8d1c-00000000000${below(3)}` } : {}),
      ...(about ? { resourceVersion: resourceVersion(below(20) === 0 ? 'v-0x7f' : String(version)) } : {}),
      ...(about && below(3) > 0 ? { op: pick(ops) } : {}),
      ...(below(5) === 0 ? { metadataOnly: true } : {}),
      ...(below(5) === 0 ? { initial: true } : {}),
      payload: pick(texts).repeat(below(below(40) === 0 ? 400 : 12)),
    };
  }

  function step(logs: readonly SessionLog[]): void {
    const dice = below(100);
    if (dice < 70 || records === 0) {
      const input = record();
      for (const log of logs) log.append(input);
    } else if (dice < 80) {
      const seq = recordSeq(Math.max(1, records - (below(4) === 0 ? below(records) : 0)));
      const facts = Array.from({ length: below(3) }, () => ({
        fact: 'x',
        n: below(1000),
        text: pick(texts),
      }));
      for (const log of logs) log.putFacts(seq, facts);
    } else if (dice < 92) {
      const subject = `s${below(4)}`;
      const pos = now - (below(5) === 0 ? below(500) : 0);
      const value = below(100);
      const close = below(4) === 0;
      for (const { intervals } of logs) {
        if (close) intervals.close('state', subject, pos);
        else intervals.open('state', subject, pos, { value });
      }
    } else if (dice < 97) {
      const [source, live] = [pick(sources), below(4) > 0];
      for (const log of logs) log.sourceState(source, live);
    } else {
      for (const log of logs) log.flush();
    }
  }

  function query(): RecordQuery {
    const from = 1 + below(records);
    return {
      ...(below(2) === 0 ? { from: recordSeq(from), to: recordSeq(from + below(60)) } : {}),
      ...(below(3) === 0 ? { kinds: [pick(kinds), pick(kinds)] } : {}),
      ...(below(3) === 0 ? { object: object() } : {}),
      ...(below(4) === 0 ? { source: pick(sources) } : {}),
      ...(below(2) === 0 ? { reverse: true } : {}),
      ...(below(3) === 0 ? { limit: below(20) } : {}),
    };
  }

  return { step, query };
}

/** Everything a log says, as one value to compare. */
export function logContents(log: SessionLog): unknown {
  const heads = [...log.heads({})];
  const objects = new Set(heads.flatMap((head) => head.object ?? []));
  return {
    records: heads.map((head) => ({
      head,
      payload: log.payload(head.seq),
      payloadLength: log.payloadLength(head.seq),
      facts: log.facts(head.seq),
    })),
    histories: [...objects].map((key) => [key, log.historyOf(key)]),
    intervals: ['s0', 's1', 's2', 's3'].map((subject) => log.intervals.of('state', subject)),
    late: log.stats().late,
  };
}
