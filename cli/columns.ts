/** Columns of text for a terminal: aligned, cut to its width, times and durations said as exactly as they are known. */
import type { Basis } from '../shared/model/basis.ts';
import type { Within } from '../shared/model/trace.ts';
import { clean } from './output.ts';

export interface Column {
  readonly title: string;
  /** Figures stand to the right. */
  readonly right?: boolean;
  /** Characters it may be cut to where the terminal is too narrow; absent: never cut. */
  readonly least?: number;
}

/**
 * Lines with a head. `width`: characters of the terminal; undefined: nothing is cut. Columns give up space in the order of
 * how much they have beyond their least.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width?: number,
): readonly string[] {
  const all = [columns.map(({ title }) => title), ...rows.map((cells) => cells.map(clean))];
  const widths = columns.map((_, index) => Math.max(...all.map((cells) => lengthOf(cells[index] ?? ''))));
  if (width !== undefined) shrink(widths, columns, width);
  return all.map((cells) =>
    columns
      .map(({ right }, index) => pad(cut(cells[index] ?? '', widths[index] ?? 0), widths[index] ?? 0, right))
      .join(gap)
      .trimEnd(),
  );
}

const gap = '  ';

function shrink(widths: number[], columns: readonly Column[], width: number): void {
  const total = () => widths.reduce((sum, one) => sum + one, 0) + gap.length * (widths.length - 1);
  while (total() > width) {
    let widest: number | undefined;
    let most = 0;
    for (const [index, { least }] of columns.entries()) {
      const spare = least === undefined ? 0 : (widths[index] ?? 0) - least;
      if (spare <= most) continue;
      most = spare;
      widest = index;
    }
    if (widest === undefined) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

function pad(text: string, width: number, right: boolean | undefined): string {
  const space = ' '.repeat(Math.max(0, width - lengthOf(text)));
  return right === true ? space + text : text + space;
}

/** At most `longest` characters, with a sign where something is missing. */
export function cut(text: string, longest: number): string {
  const chars = [...text];
  return chars.length > longest ? `${chars.slice(0, Math.max(0, longest - 1)).join('')}…` : text;
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** The three ways of knowing, as the window draws them: full, half, dashed. */
export function basisMark({ kind }: Basis): string {
  switch (kind) {
    case 'observed':
      return '●';
    case 'reported':
      return '◐';
    case 'inferred':
      return '◌';
  }
}

export const basisLegend =
  '● observed: the API server said it  ◐ reported: the operator said it  ◌ inferred: concluded';

/** `inferred (because …)`, `reported (log)`. */
export function basisWords(basis: Basis): string {
  return basis.kind === 'inferred' ? `inferred (${basis.by})` : `${basis.kind} (${basis.from})`;
}

/** `09:12:03.120` UTC; `09:12:03` where only the second is known, `~09:12:03.120` where even less is. */
export function momentText({ lo, hi }: Within): string {
  const text = clockText(lo);
  const width = hi - lo;
  if (width <= 1) return text;
  return width < 1000 && Math.round(lo) % 1000 === 0 ? text.slice(0, 8) : `~${text}`;
}

/** Both ends of an interval, or its one moment. */
export function withinText({ lo, hi }: Within): string {
  return hi - lo <= 1 ? clockText(lo) : `${clockText(lo)} – ${clockText(hi)}`;
}

export function clockText(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

/** `31 ms`, `1.28 s`, `2m 05s`, `3h 12m`. */
export function durationText(ms: number): string {
  if (ms < 10 && !Number.isInteger(ms)) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, '0')}s`;
  return `${Math.floor(whole / 3600)}h ${String(Math.floor(whole / 60) % 60).padStart(2, '0')}m`;
}

/** A duration known within bounds: `31 ms`, `≤ 999 ms`, `0.2 s … 1.1 s`. */
export function durationWithin(within: Within | undefined): string {
  if (within === undefined) return '–';
  const { lo, hi } = within;
  if (hi - lo <= 1) return durationText(Math.max(0, hi));
  return lo <= 0 ? `≤ ${durationText(hi)}` : `${durationText(lo)} … ${durationText(hi)}`;
}
