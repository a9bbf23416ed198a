import { describe, expect, it } from 'vitest';
import { conflictLine, found, request, type ScriptVersion } from '../testChanges.ts';

const rounds = [40, 30, 20, 10];
const stale = 'conflict/stale-cache-write error Database/shop/orders';
const contended = 'conflict/contended-object warning Database/shop/orders';

describe('[DT4] conflicts again and again', () => {
  it('names the writer’s own earlier write, by the version both were based on', () => {
    const audit = rounds.flatMap((at) => [
      request(at, 200, { basedOn: `v${at}` }),
      request(at - 0.03, 409, { basedOn: `v${at}`, subresource: 'status' }),
      request(at - 0.06, 200, { basedOn: `w${at}`, subresource: 'status' }),
    ]);
    expect(found({ audit })).toEqual([stale]);
  });

  it('names another writer whose version stands in the way', () => {
    const audit = rounds.flatMap((at) => [
      request(at + 0.02, 200, {
        basedOn: `v${at}`,
        user: 'system:serviceaccount:shop:labeler',
        verb: 'patch',
      }),
      request(at, 409, { basedOn: `v${at}`, subresource: 'status' }),
    ]);
    expect(found({ audit })).toEqual([contended]);
  });

  it('finds the same by log and versions, each run once', () => {
    const lines = rounds.flatMap((at) => [conflictLine(at, `r-${at}`), conflictLine(at, `r-${at}`)]);
    const by = (manager: string): readonly ScriptVersion[] =>
      [60, ...rounds].flatMap((at) => [{ at: at + 0.05, by: manager, status: { seen: at } }]);
    expect(found({ log: lines, versions: by('database-operator/status') })).toEqual([stale]);
    expect(found({ log: lines, versions: by('labeler') })).toEqual([contended]);
  });

  it('leaves a few conflicts alone, spread ones, and those of long ago', () => {
    const pair = (at: number) => [
      request(at, 200, { basedOn: `v${at}` }),
      request(at - 0.03, 409, { basedOn: `v${at}`, subresource: 'status' }),
    ];
    expect(found({ audit: [20, 10].flatMap(pair) })).toEqual([]);
    expect(found({ audit: [590, 400, 200, 5].flatMap(pair) })).toEqual([]);
    expect(found({ audit: [400, 390, 380, 370].flatMap(pair) })).toEqual([]);
  });

  it('says nothing of whom it cannot tell', () => {
    expect(found({ log: rounds.map((at) => conflictLine(at, `r-${at}`)) })).toEqual([]);
  });
});
