import { describe, expect, it } from 'vitest';
import { checkLimiter, freshLimiter, parseList, parseWatches, printWatches } from './profileText.ts';

it('parseList splits at spaces, commas and lines and keeps each name once', () => {
  expect(parseList(' pods,  services\nsecrets pods ')).toEqual(['pods', 'services', 'secrets']);
  expect(parseList('')).toEqual([]);
});

describe('parseWatches', () => {
  it('reads back what it printed', () => {
    const watches = [
      { resource: 'backups.db.example.com', maps: 'label db.example.com/database' },
      { resource: 'secrets', maps: 'owner' },
    ];
    expect(parseWatches(printWatches(watches))).toEqual({ ok: true, value: watches });
  });
  it('names the line it does not understand', () => {
    expect(parseWatches('pods self\nsecrets sometimes')).toEqual({
      ok: false,
      error: '2: secrets sometimes',
    });
  });
});

describe('limiters', () => {
  it.each(['exp', 'fastslow', 'bucket', 'maxof', 'maxwait', 'default', 'defaultItemBased'] as const)(
    'a fresh %s is valid',
    (type) => {
      expect(checkLimiter(freshLimiter(type))).toEqual({ ok: true, value: freshLimiter(type) });
    },
  );
  it('names the field that is wrong, also inside', () => {
    expect(checkLimiter({ type: 'exp', base: 'soon', max: '1s' })).toMatchObject({
      ok: false,
      error: { field: 'base' },
    });
    const nested = { type: 'maxof', limiters: [{ type: 'bucket', qps: -1, burst: 1 }] };
    expect(checkLimiter(nested)).toMatchObject({ ok: false, error: { field: 'limiters.0.qps' } });
  });
});
