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
  /** Left out where even the least of all is too wide, the greatest number first; absent: never. */
  readonly drop?: number;
}

/**
 * Lines with a head. `width`: characters of the terminal; undefined: nothing is cut. Columns give up space in the order of
 * how much they have beyond their least; where that is not enough, some are left out.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width?: number,
): readonly string[] {
  const all = [columns.map(({ title }) => title), ...rows.map((cells) => cells.map(clean))];
  let shown = columns.map((_, index) => index);
  const natural = columns.map((_, index) => Math.max(...all.map((cells) => lengthOf(cells[index] ?? ''))));
  const widths = new Map(shown.map((index) => [index, natural[index] ?? 0]));
  while (width !== undefined && !shrink(widths, columns, width)) {
    const leastNeeded = shown
      .filter((index) => columns[index]?.drop !== undefined)
      .sort((a, b) => (columns[b]?.drop ?? 0) - (columns[a]?.drop ?? 0))[0];
    if (leastNeeded === undefined) break;
    shown = shown.filter((index) => index !== leastNeeded);
    widths.clear();
    for (const index of shown) widths.set(index, natural[index] ?? 0);
  }
  return all.map((cells) =>
    shown
      .map((index) => {
        const room = widths.get(index) ?? 0;
        return pad(cut(cells[index] ?? '', room), room, columns[index]?.right);
      })
      .join(gap)
      .trimEnd(),
  );
}

const gap = '  ';

/** Takes space from the columns that have most to spare; false: the least of all is too wide. */
function shrink(widths: Map<number, number>, columns: readonly Column[], width: number): boolean {
  const total = () =>
    [...widths.values()].reduce((sum, one) => sum + one, 0) + gap.length * (widths.size - 1);
  for (let over = total() - width; over > 0; over--) {
    let widest: number | undefined;
    let most = 0;
    for (const [index, room] of widths) {
      const least = columns[index]?.least;
      if (least === undefined || room - least <= most) continue;
      most = room - least;
      widest = index;
    }
    if (widest === undefined) return false;
    widths.set(widest, (widths.get(widest) ?? 0) - 1);
  }
  return true;
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

/**
 * `09:12:03.120` UTC; `09:12:03` where only the second is known; the middle of any other interval, as exact as it is:
 * `~09:12:03.120`, `~09:12:03` for one of a second and more.
 */
export function momentText({ lo, hi }: Within): string {
  const width = hi - lo;
  if (width <= 1) return clockText(lo);
  if (width < 1000 && Math.round(lo) % 1000 === 0) return clockText(lo).slice(0, 8);
  const about = `~${clockText((lo + hi) / 2)}`;
  return width < 1000 ? about : about.slice(0, 9);
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
