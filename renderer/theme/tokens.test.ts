import { describe, expect, it } from 'vitest';
import { readSource } from '../testing/readSource.ts';
import { contrastRatio, readTokens } from './contrast.ts';

const css = readSource('./tokens.css', import.meta.url);

const states = ['accent', 'ok', 'progressing', 'degraded', 'failed', 'unknown', 'gap'];
const surfaces = ['surface-chrome', 'surface-panel', 'surface-raised', 'surface-hover'];

describe.each(['dark', 'light'])('tokens, %s', (theme) => {
  const tokens = readTokens(css, `[data-theme='${theme}']`);
  function ratio(a: string, b: string): number {
    const [x, y] = [tokens.get(a), tokens.get(b)];
    if (x === undefined || y === undefined) throw new Error(`no token ${x === undefined ? a : b}`);
    return contrastRatio(x, y);
  }
  it('holds 4.8 : 1 for every ink and state colour on every surface', () => {
    const low = surfaces.flatMap((surface) =>
      ['ink-primary', 'ink-secondary', 'ink-tertiary', ...states]
        .map((ink) => ({ ink, surface, ratio: Number(ratio(ink, surface).toFixed(2)) }))
        .filter((pair) => pair.ratio < 4.8),
    );
    expect(low).toEqual([]);
  });
  it('holds 4.5 : 1 for every state colour on its own tint', () => {
    const low = states
      .map((state) => ({ state, ratio: Number(ratio(state, `${state}-tint`).toFixed(2)) }))
      .filter((pair) => pair.ratio < 4.5);
    expect(low).toEqual([]);
  });
  it('holds 4.5 : 1 for primary ink on the pressed surface and on every tint', () => {
    const grounds = ['surface-active', ...states.map((state) => `${state}-tint`)];
    expect(grounds.filter((ground) => ratio('ink-primary', ground) < 4.5)).toEqual([]);
  });
  it('holds 4.5 : 1 for text on accent and failed fills', () => {
    expect(ratio('on-fill', 'accent')).toBeGreaterThanOrEqual(4.5);
    expect(ratio('on-fill', 'accent-hover')).toBeGreaterThanOrEqual(4.5);
    expect(ratio('on-fill', 'failed')).toBeGreaterThanOrEqual(4.5);
  });
});

describe('contrastRatio', () => {
  it('is 21 for black on white and 1 for a colour on itself', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrastRatio('#3f4ecf', '#3f4ecf')).toBe(1);
    expect(() => contrastRatio('red', '#ffffff')).toThrow('not a #rrggbb colour');
  });
});
