/** Runs that no line tells: where one ends and the next begins. */
import { expect, it } from 'vitest';
import { type ObjectKey, recordSeq, sourceId } from '../../shared/model/ids.ts';
import { worldKnobs } from './testOperator.ts';
import { assembleTraces } from './traceBook.ts';
import type { Evidence } from './traceTypes.ts';

const T = 1_790_000_000_000;
const object = 'db.example.com/Database/shop/orders' as ObjectKey;

/** The status is written `apart` ms after the write before, five times; each event queues the key again where it `wakes`. */
function statusWrites(apart: number, wakes: boolean): readonly Evidence[] {
  return [0, 1, 2, 3, 4].flatMap((index): Evidence[] => {
    const at = T + index * apart;
    const resourceVersion = String(100 + index);
    const base = {
      seq: recordSeq(index + 1),
      source: sourceId('watch:databases'),
      at: { lo: at, hi: at },
      receivedAt: at,
      ownClock: false,
      controller: 'database',
      key: 'shop/orders',
    };
    const subject = 'Database/shop/orders';
    const written: Evidence = {
      ...base,
      evidence: 'write',
      write: {
        object,
        subject,
        verb: 'update',
        subresource: 'status',
        resourceVersion,
        outcome: 'stored',
        fields: [],
        changes: 1,
      },
      basis: { kind: 'observed', from: 'watch' },
      by: 'self',
    };
    const woken: Evidence = {
      ...base,
      evidence: 'woken',
      trigger: { type: 'MODIFIED', object, subject, text: 'Database MODIFIED' },
      initial: false,
      gone: false,
      resourceVersion,
    };
    return wakes ? [written, woken] : [written];
  });
}

function writesOf(evidence: readonly Evidence[]): readonly number[] {
  const spans = assembleTraces(evidence, worldKnobs(1), T + 60_000).toReversed();
  return spans.map((span) => span.writeList.length).filter((count) => count > 0);
}

it('[TR9] takes each status that is written anew after its own event for one more run: a loop', () => {
  expect(writesOf(statusWrites(200, true))).toEqual([1, 1, 1, 1, 1]);
});

it('[TR9] keeps status writes together that queued nothing, three at most', () => {
  expect(writesOf(statusWrites(200, false))).toEqual([3, 2]);
});
