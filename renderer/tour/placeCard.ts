/** Where the card of a tour goes: beside what it speaks of, never over it where the window has any room. Pure. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Placement {
  readonly left: number;
  readonly top: number;
  /** Which side of the anchor the card is at; `corner`: nowhere beside it is room, or there is no anchor. */
  readonly side: 'right' | 'left' | 'below' | 'above' | 'corner';
}

/** Between the ring and the card, and to the edge of the window, px. The ring lies 6 px around the anchor. */
const distance = 14;
const margin = 12;
/** Height of the playback bar at the bottom, px: what it offers stays in reach while the card points at nothing. */
const bar = 68;

/**
 * Beside the anchor first (lines of text are wide, and stay readable), then below or above. Where no side has room, the
 * corner of the window that hides least of the anchor. px of the viewport.
 */
export function placeCard(anchor: Box | undefined, card: Size, viewport: Size): Placement {
  const maxLeft = Math.max(margin, viewport.width - card.width - margin);
  const maxTop = Math.max(margin, viewport.height - card.height - margin);
  const clampLeft = (left: number) => Math.min(Math.max(margin, left), maxLeft);
  const clampTop = (top: number) => Math.min(Math.max(margin, top), maxTop);
  if (anchor === undefined) return { left: maxLeft, top: clampTop(maxTop - bar), side: 'corner' };
  const right = anchor.left + anchor.width;
  const bottom = anchor.top + anchor.height;
  // Lists and sentences begin at the left: below or above something wide the card keeps to its end.
  const along = anchor.width > card.width ? right - card.width : anchor.left;
  const sides: readonly Placement[] = [
    { side: 'right', left: right + distance, top: clampTop(anchor.top) },
    // Left of the inspector lies the view, whose first lines are read first: the card keeps to the anchor's lower end.
    {
      side: 'left',
      left: anchor.left - distance - card.width,
      top: clampTop(Math.max(anchor.top, bottom - card.height)),
    },
    { side: 'below', left: clampLeft(along), top: bottom + distance },
    { side: 'above', left: clampLeft(along), top: anchor.top - distance - card.height },
  ];
  const fits = sides.find(
    ({ left, top }) => left >= margin && left <= maxLeft && top >= margin && top <= maxTop,
  );
  if (fits !== undefined) return fits;
  const corners = [maxTop, margin].flatMap((top) =>
    [maxLeft, margin].map((left): Placement => ({ left, top, side: 'corner' })),
  );
  const hidden = (at: Placement) => overlap(anchor, { ...at, ...card });
  return corners.reduce((best, corner) => (hidden(corner) < hidden(best) ? corner : best));
}

/** Area that two boxes share, px². */
export function overlap(a: Box, b: Box): number {
  const part = commonPart(a, b);
  return part === undefined ? 0 : part.width * part.height;
}

/** What two boxes share; undefined: nothing. */
export function commonPart(a: Box, b: Box): Box | undefined {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  const width = Math.min(a.left + a.width, b.left + b.width) - left;
  const height = Math.min(a.top + a.height, b.top + b.height) - top;
  return width > 0 && height > 0 ? { left, top, width, height } : undefined;
}
