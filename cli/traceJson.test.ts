import { describe, expect, test } from 'vitest';
import type { RecordHead } from '../core/session/record.ts';
import { type ObjectKey, type RecordSeq, resourceVersion, sourceId } from '../shared/model/ids.ts';
import { concluded, failing, running } from './testSpans.ts';
import { traceJson } from './traceJson.ts';

/** Record 6 is the Event. */
function headOf(seq: number): RecordHead | undefined {
  if (seq !== 6) return undefined;
  return {
    seq: seq as RecordSeq,
    kind: 'object',
    source: sourceId('watch:v1/events'),
    at: { lo: 0, hi: 0 },
    tie: 0,
    receivedAt: 0,
    object: '/Event/shop/orders.17' as ObjectKey,
    resourceVersion: resourceVersion('112'),
    metadataOnly: false,
    initial: false,
    late: false,
  };
}

const document = () => JSON.parse(traceJson([running, concluded, failing], headOf)) as { spans: unknown[] };

describe('trace --json', () => {
  test('is one document with the spans oldest first', () => {
    const text = traceJson([running, concluded, failing], headOf);
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toMatchObject({
      format: 1,
      spans: [{ id: failing.id }, { id: concluded.id }, { id: running.id }],
    });
    expect(JSON.parse(traceJson([], headOf))).toEqual({ format: 1, spans: [] });
  });

  test('has every field; what is not known is null; refused requests are no writes, Events are', () => {
    expect(document().spans[0]).toEqual({
      id: failing.id,
      controller: 'database',
      key: 'shop/orders',
      start: '2026-03-10T14:00:01.010Z',
      end: '2026-03-10T14:00:01.041Z',
      basis: 'reported',
      result: 'error',
      reconcileId: failing.id,
      error: 'dial tcp 10.0.0.1:5432: connection refused',
      triggers: [
        { subject: 'Database/shop/orders', type: 'MODIFIED', text: 'Database MODIFIED' },
        { subject: 'StatefulSet/shop/orders', type: 'ADDED', text: 'StatefulSet ADDED' },
      ],
      writes: [
        {
          at: '2026-03-10T14:00:01.020Z',
          subject: 'StatefulSet/shop/orders',
          verb: 'patch',
          subresource: '',
          resourceVersion: '110',
          basis: 'observed',
        },
        {
          at: '2026-03-10T14:00:01.499Z',
          subject: 'Event/shop/orders.17',
          verb: 'patch',
          subresource: '',
          resourceVersion: '112',
          basis: 'reported',
        },
      ],
      next: { predicted: '2026-03-10T14:00:01.046Z', observed: '2026-03-10T14:00:01.049Z' },
    });
    expect(document().spans[2]).toMatchObject({
      end: null,
      result: 'unknown',
      reconcileId: null,
      error: null,
      triggers: [{ subject: null, type: 'retry' }],
      next: { predicted: null, observed: null },
    });
  });

  test('covers where a concluded run can have been; a write that changed nothing keeps its version', () => {
    expect(document().spans[1]).toMatchObject({
      basis: 'inferred',
      start: '2026-03-10T14:01:00.000Z',
      end: '2026-03-10T14:01:00.999Z',
      writes: [
        { at: '2026-03-10T14:01:00.499Z', verb: 'update', subresource: 'status', resourceVersion: '111' },
      ],
    });
  });
});
