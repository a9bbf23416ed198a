import { describe, expect, test } from 'vitest';
import type { JsonSpan } from '../../shared/model/traceJson.ts';
import { scoreSpans } from './score.ts';
import type { TrueSpan, TrueWrite, Truth } from './truth.ts';

function trueSpan(reconcileId: string, start: number, end: number, more: Partial<TrueSpan> = {}): TrueSpan {
  return { controller: 'database', key: 'shop/orders', start, end, result: 'success', reconcileId, ...more };
}

function trueWrite(resourceVersion: string, reconcileId: string, at: number): TrueWrite {
  const subject = 'Database/shop/orders';
  const place = { key: 'shop/orders', controller: 'database', reconcileId };
  return { at, subject, verb: 'update', subresource: 'status', resourceVersion, ...place };
}

function truthOf(spans: readonly TrueSpan[], writes: readonly TrueWrite[], more: Partial<Truth> = {}): Truth {
  const empty = { unseen: 0, keyless: 0, errors: [], reconciles: new Map(), queues: new Map() };
  return { run: 'test', window: { from: 0, to: 1_000 }, spans, writes, ...empty, ...more };
}

/** What the product would have to say of a reconcile. */
function told(one: TrueSpan, versions: readonly string[], more: Partial<JsonSpan> = {}): JsonSpan {
  return {
    id: `span ${one.start}`,
    controller: one.controller,
    key: one.key,
    start: time(one.start),
    end: time(one.end),
    basis: 'reported',
    result: 'success',
    reconcileId: one.reconcileId,
    error: null,
    triggers: [],
    writes: versions.map((resourceVersion) => ({
      at: time(one.end),
      subject: 'Database/shop/orders',
      verb: 'update',
      subresource: 'status',
      resourceVersion,
      basis: 'observed',
    })),
    next: { predicted: null, observed: null },
    ...more,
  };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

const first = trueSpan('a', 100, 120);
const second = trueSpan('b', 200, 220);
const truth = truthOf([first, second], [trueWrite('7', 'a', 110), trueWrite('8', 'b', 210)]);

describe('scores of traces', () => {
  test('[SC6] the truth itself is right in every way', () => {
    const score = scoreSpans(truth, [told(first, ['7']), told(second, ['8'])]);
    expect(score).toMatchObject({
      writes: { right: 2, of: 2 },
      writesByKey: { right: 2, of: 2 },
      notItsOwn: { right: 0, of: 2 },
      notHappened: { right: 0, of: 2 },
      found: { right: 2, of: 2 },
      inDoubt: new Set(),
      faults: [],
    });
  });

  test('[SC6] a write in another reconcile of the key is right by key alone', () => {
    const score = scoreSpans(truth, [told(first, ['7', '8']), told(second, [])]);
    expect(score).toMatchObject({ writes: { right: 1, of: 2 }, writesByKey: { right: 2, of: 2 } });
    expect(score.faults).toEqual([expect.stringMatching(/^update .*\/status 8 at .*: in the reconcile a$/)]);
    expect(score.inDoubt).toEqual(new Set(['a', 'b']));
  });

  test('[SC6] a write in two spans, in none, of another key or controller is wrong', () => {
    const elsewhere = told(trueSpan('c', 100, 120, { key: 'shop/billing' }), ['7']);
    const other = told(trueSpan('d', 200, 220, { controller: 'tier' }), ['8']);
    expect(scoreSpans(truth, [elsewhere, other]).writesByKey).toEqual({ right: 0, of: 2 });
    expect(scoreSpans(truth, [told(first, ['7']), told(second, ['7'])]).writesByKey).toEqual({
      right: 0,
      of: 2,
    });
  });

  test('[SC6] without reconcileIDs half of the time must be covered, by the span that covers most', () => {
    const bare = { reconcileId: null };
    const half = told(first, ['7'], { ...bare, start: time(110) });
    const less = told(second, ['8'], { ...bare, start: time(213) });
    const score = scoreSpans(truth, [half, less]);
    expect(score).toMatchObject({
      writes: { right: 1, of: 2 },
      writesByKey: { right: 2, of: 2 },
      notHappened: { right: 1, of: 2 },
    });
    // Two spans for one reconcile: the wider one is it, the other did not happen.
    const twice = scoreSpans(truth, [told(first, ['7'], bare), { ...half, writes: [] }, told(second, ['8'])]);
    expect(twice).toMatchObject({ writes: { right: 2, of: 2 }, notHappened: { right: 1, of: 3 } });
  });

  test('[SC7] a span whose reconcile another one took is matched where the other can be matched elsewhere', () => {
    const bare = { reconcileId: null };
    // Of the two reconciles the wide one covers the second best, which is the only one that the other covers.
    const wide = told(first, [], { ...bare, start: time(110), end: time(230) });
    const narrow = told(second, [], { ...bare, start: time(130), end: time(290) });
    expect(scoreSpans(truth, [wide, narrow]).notHappened).toEqual({ right: 0, of: 2 });
    expect(scoreSpans(truth, [wide, narrow, { ...narrow, id: 'third' }]).notHappened).toEqual({
      right: 1,
      of: 3,
    });
  });

  test('[SC6] a write of somebody else in a span is told', () => {
    const score = scoreSpans(truth, [told(first, ['7', '9']), told(second, ['8'])]);
    expect(score).toMatchObject({ writes: { right: 2, of: 2 }, notItsOwn: { right: 1, of: 3 } });
  });

  test('[SC7] without the truth of reconciles, spans beyond the total did not happen', () => {
    const { spans: _, ...rest } = truth;
    const counted = { ...rest, reconciles: new Map([['database', 1]]) };
    const score = scoreSpans(counted, [told(first, ['7']), told(second, ['8'])]);
    expect(score).toMatchObject({ writes: { right: 2, of: 2 }, notHappened: { right: 1, of: 2 } });
    expect(score).not.toHaveProperty('found');
  });

  test('[SC8] each error takes one failed span of its key and time', () => {
    const errors = [
      { lo: 1_000, hi: 1_999, key: 'shop/orders', controller: 'database' },
      { lo: 1_000, hi: 1_999, key: 'shop/orders', controller: 'database' },
      { lo: 9_000, hi: 9_999, key: 'shop/orders', controller: 'database' },
    ];
    const failed = (end: number) =>
      told(trueSpan(`at ${end}`, end - 5, end), [], { result: 'error', reconcileId: null });
    const spans = [failed(1_400), failed(1_800), failed(3_000), told(trueSpan('e', 8_995, 9_100), [])];
    const score = scoreSpans(truthOf([], [], { errors }), spans);
    expect(score.errors).toEqual({ right: 2, of: 3 });
    const ids = [{ lo: 0, hi: 0, key: 'shop/orders', controller: 'database', reconcileId: 'x' }];
    const one = told(trueSpan('x', 500, 510), [], { result: 'error' });
    expect(scoreSpans(truthOf([], [], { errors: ids }), [one]).errors).toEqual({ right: 1, of: 1 });
  });
});
