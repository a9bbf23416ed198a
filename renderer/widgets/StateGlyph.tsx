import type { ReactNode } from 'react';
import './stateGlyph.css';

export type GlyphState =
  | 'ok'
  | 'progressing'
  | 'degraded'
  | 'failed'
  | 'unknown'
  | 'deleting'
  | 'none'
  | 'gap';

export interface StateGlyphProps {
  readonly state: GlyphState;
  /** 12 in rows, 16 in heads. */
  readonly size?: number;
  /** `dot`: the 6-px form of ok in long lists. */
  readonly form?: 'full' | 'dot';
  /** A name for assistive technology; without it the glyph is decoration beside a word. */
  readonly label?: string;
}

/** State by shape first, colour second (ui.md, "Colour"): no two states share an outline. */
export function StateGlyph({ state, size = 12, form = 'full', label }: StateGlyphProps): ReactNode {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden beside its word
    <svg className={`glyph glyph-${state}`} width={size} height={size} viewBox="0 0 16 16" {...named}>
      {form === 'dot' && state === 'ok' ? <circle cx="8" cy="8" r="4" fill="currentColor" /> : shape(state)}
    </svg>
  );
}

function shape(state: GlyphState): ReactNode {
  switch (state) {
    case 'ok':
      return (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path className="glyphMark" d="M4.8 8.3 7.1 10.6 11.3 5.7" />
        </>
      );
    case 'progressing':
      return (
        <>
          <circle cx="8" cy="8" r="6.1" fill="none" stroke="currentColor" strokeWidth="1.8" />
          <path d="M8 4.2a3.8 3.8 0 0 1 0 7.6z" fill="currentColor" />
        </>
      );
    case 'degraded':
      return (
        <>
          <path d="M8 1.2 15.4 14.4H.6z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
          <path className="glyphMark" d="M8 6v3.6M8 11.9v.3" />
        </>
      );
    case 'failed':
      return (
        <>
          <rect x="1" y="1" width="14" height="14" rx="3" fill="currentColor" />
          <path className="glyphMark" d="M5.2 5.2 10.8 10.8M10.8 5.2 5.2 10.8" />
        </>
      );
    case 'unknown':
    case 'deleting':
      return (
        <>
          <circle
            cx="8"
            cy="8"
            r="6.2"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.7"
            strokeDasharray="2.6 2.27"
          />
          <circle cx="8" cy="8" r="1.8" fill="currentColor" />
        </>
      );
    case 'none':
      return <path d="M3.5 8h9" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />;
    case 'gap':
      return (
        <>
          <rect x="1.5" y="1.5" width="13" height="13" fill="none" stroke="currentColor" strokeWidth="1.4" />
          <path d="M1.5 9 9 1.5M1.5 14.5l13-13M7 14.5 14.5 7" stroke="currentColor" strokeWidth="1.4" />
        </>
      );
  }
}
