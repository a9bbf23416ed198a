import { describe, expect, it } from 'vitest';
import { percentDone } from '../traces/spanWords.ts';
import { isOpening } from './RevisionBanner.tsx';

const startedAt = 1_000_000;
const added = { at: startedAt + 3_000, changed: 0, removed: 0 };

describe('[SPG11] a revision while a recording begins', () => {
  it('is no news where it only adds what the log of before tells', () => {
    expect(isOpening(added, startedAt)).toBe(true);
  });
  it('is news where it changed or removed what was on screen', () => {
    expect(isOpening({ ...added, changed: 1 }, startedAt)).toBe(false);
    expect(isOpening({ ...added, removed: 1 }, startedAt)).toBe(false);
  });
  it('is news later: somebody attached a source', () => {
    expect(isOpening({ ...added, at: startedAt + 60_000 }, startedAt)).toBe(false);
    expect(isOpening({ ...added, at: undefined }, startedAt)).toBe(false);
  });
});

describe('[REV11] how far putting the reconciles together is', () => {
  it('is told in whole percent, and is not done before it is', () => {
    expect(percentDone(0, 0)).toBe(0);
    expect(percentDone(59_999, 120_000)).toBe(49);
    expect(percentDone(120_000, 120_000)).toBe(99);
  });
});
