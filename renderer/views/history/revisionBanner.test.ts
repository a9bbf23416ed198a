import { describe, expect, it } from 'vitest';
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
