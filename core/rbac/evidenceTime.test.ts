import { describe, expect, it } from 'vitest';
import { earliest, latest, newestFirst } from './evidenceTime.ts';

const whole = '2026-03-10T14:03:52Z';
const precise = '2026-03-10T14:03:52.447Z';
const later = '2026-03-10T14:03:52.900Z';
const next = '2026-03-10T14:03:53Z';

describe('times of evidence', () => {
  it('prefers decimals inside of one second, at both ends', () => {
    expect(earliest([whole, later, precise])).toBe(precise);
    expect(latest([precise, whole])).toBe(precise);
    expect(latest([precise, later, whole])).toBe(later);
  });

  it('compares across seconds and zones by time', () => {
    expect(latest([later, next])).toBe(next);
    expect(earliest([next, '2026-03-10T16:03:52+02:00'])).toBe('2026-03-10T16:03:52+02:00');
    expect(earliest([])).toBeUndefined();
    expect(latest([undefined])).toBeUndefined();
  });

  it('sorts newest first, undated last', () => {
    expect([undefined, whole, next, precise].sort(newestFirst)).toEqual([next, precise, whole, undefined]);
    const dated = [{ at: undefined }, { at: whole }, { at: next }].sort((a, b) => newestFirst(a.at, b.at));
    expect(dated.map(({ at }) => at)).toEqual([next, whole, undefined]);
  });
});
