import { describe, expect, it } from 'vitest';
import { dropKindOf, judgeDrop } from './dropKind.ts';
import { stripShare } from './MomentStrip.tsx';
import { momentAtX, momentOfKey } from './scrub.ts';

const range = { from: 100_000, to: 160_000 };

describe('scrubber', () => {
  it('gives the moment under the pointer, never outside', () => {
    expect([0, 300, 600].map((x) => momentAtX(range, x, 600))).toEqual([100_000, 130_000, 160_000]);
    expect([-5, 700].map((x) => momentAtX(range, x, 600))).toEqual([100_000, 160_000]);
    expect(momentAtX(range, 10, 0)).toBe(100_000);
  });
  it('puts each moment back to where it was pressed', () => {
    for (const x of [0, 1, 77, 333, 599, 600])
      expect((stripShare(range, momentAtX(range, x, 600)) / 100) * 600).toBeCloseTo(x, 1);
  });
  it('moves by 1 s and 10 s, to the ends, and stops there', () => {
    const to = (key: string, shift = false, at = 130_000) => momentOfKey(range, at, key, shift);
    expect([to('ArrowRight'), to('ArrowLeft'), to('ArrowRight', true), to('ArrowLeft', true)]).toEqual([
      131_000, 129_000, 140_000, 120_000,
    ]);
    expect([to('ArrowUp'), to('PageDown'), to('Home'), to('End')]).toEqual([
      140_000, 120_000, 100_000, 160_000,
    ]);
    expect([to('ArrowRight', true, 155_000), to('ArrowLeft', false, 100_200)]).toEqual([160_000, 100_000]);
    expect([to('a'), to('Enter')]).toEqual([undefined, undefined]);
  });
  it('has a share for a stretch without length', () => {
    expect([stripShare({ from: 5, to: 5 }, 5), stripShare({ from: 5, to: 5 }, 9)]).toEqual([0, 100]);
  });
});

describe('drop', () => {
  it('knows files by their ending, whatever its case', () => {
    expect(
      ['a.loopscope', 'B.LOOPSCOPE', 'op.log', 'audit.jsonl', 'loopscope.yaml', 'x.yml'].map(dropKindOf),
    ).toEqual(['session', 'session', 'log', 'log', 'profile', 'profile']);
    expect(['loopscope', 'a.tar.gz', 'a.loopscope.zip', ''].map(dropKindOf)).toEqual(Array(4).fill('other'));
  });
  it('opens a session anywhere, and offers the rest to a connection only', () => {
    expect(judgeDrop(['a.loopscope'], false)).toEqual({ kind: 'session' });
    expect(judgeDrop(['op.log'], true)).toEqual({ kind: 'log' });
    expect(judgeDrop(['op.log'], false)).toEqual({ refused: 'disconnected' });
    expect(judgeDrop(['photo.png'], true)).toEqual({ refused: 'kind' });
    expect(judgeDrop(['a.log', 'b.log'], true)).toEqual({ refused: 'many' });
    expect(judgeDrop([], true)).toEqual({ refused: 'nothing' });
  });
});
