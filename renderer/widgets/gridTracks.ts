/** Widths of a table's columns: pure arithmetic over CSS grid tracks. */

const gap = 12;
const padding = 32;
/** A column never gets narrower than this by the user's hand. */
export const minColumn = 40;

export interface Track {
  readonly id: string;
  /** `120px`, `minmax(160px, 2fr)`. */
  readonly track: string;
}

/** The pixels a track needs at least. */
export function minOf(track: string): number {
  const match = /^(?:minmax\()?(\d+(?:\.\d+)?)px/.exec(track.trim());
  return match === null ? minColumn : Number(match[1]);
}

/** Pixels that all tracks need together, with the gaps between and the padding around them. */
function needed(tracks: readonly string[]): number {
  return tracks.reduce((sum, track) => sum + minOf(track), padding + gap * Math.max(0, tracks.length - 1));
}

/** The tracks with the user's widths; when those no longer fit into `width`, as the view gave them. */
export function tracksOf(
  columns: readonly Track[],
  widths: Readonly<Record<string, number>>,
  width: number,
): string {
  const given = columns.map(({ track }) => track);
  const wanted = columns.map(({ id, track }) => (widths[id] === undefined ? track : `${widths[id]}px`));
  return (needed(wanted) <= width ? wanted : given).join(' ');
}

/** How wide the column `id` may become so that all others keep what they need at least. */
export function maxColumn(
  columns: readonly Track[],
  widths: Readonly<Record<string, number>>,
  id: string,
  width: number,
): number {
  const others = columns
    .filter((column) => column.id !== id)
    .map((column) => (widths[column.id] === undefined ? column.track : `${widths[column.id]}px`));
  return Math.max(minColumn, Math.floor(width - needed([...others, '0px'])));
}
