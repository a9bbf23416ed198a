/**
 * WCAG contrast of the tokens, for the test that keeps the table honest.
 * Source: WCAG 2.2, "relative luminance" and "contrast ratio".
 */

/** Ratio 1 … 21 between two `#rrggbb` colours, whichever is lighter. Throws on another notation. */
export function contrastRatio(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Custom properties with a `#rrggbb` value inside the block that `selector` opens. */
export function readTokens(css: string, selector: string): ReadonlyMap<string, string> {
  const start = css.replaceAll('"', "'").indexOf(`${selector} {`);
  if (start < 0) throw new Error(`no block ${selector}`);
  const block = css.slice(start, css.indexOf('}', start));
  const tokens = new Map<string, string>();
  for (const match of block.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6});/g)) {
    tokens.set(match[1] as string, match[2] as string);
  }
  return tokens;
}

function luminance(hex: string): number {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  if (match === null) throw new Error(`not a #rrggbb colour: ${hex}`);
  const [r, g, b] = [match[1], match[2], match[3]].map((part) => {
    const v = Number.parseInt(part as string, 16) / 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
