import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { type GlyphState, StateGlyph } from './StateGlyph.tsx';

const states: readonly GlyphState[] = ['ok', 'progressing', 'degraded', 'failed', 'unknown', 'none', 'gap'];

it('no two states share an outline: colour is never the only difference', () => {
  const shapes = states.map((state) =>
    renderToStaticMarkup(<StateGlyph state={state} />).replace(/class="glyph glyph-[a-z]+"/, ''),
  );
  expect(new Set(shapes).size).toBe(states.length);
});

it('is named when it stands alone and hidden beside its word', () => {
  expect(renderToStaticMarkup(<StateGlyph state="failed" label="refused" />)).toContain(
    'aria-label="refused"',
  );
  expect(renderToStaticMarkup(<StateGlyph state="failed" />)).toContain('aria-hidden="true"');
});
