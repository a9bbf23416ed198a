/**
 * Where a window was, remembered per arrangement of displays: with the monitor of the office another place than on the
 * train. A place that nobody could see or reach any more is not used. All in device-independent pixels.
 */
import type { Rectangle } from 'electron';

export interface WindowPlace {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

export interface Screen {
  readonly bounds: Rectangle;
  /** Without menu bar and task bar. */
  readonly workArea: Rectangle;
}

/** By arrangement; the newest last. */
export type WindowPlaces = Readonly<Record<string, WindowPlace>>;

const firstSize = { width: 1440, height: 900 };
export const smallestSize = { width: 720, height: 480 };
/** So much of the title bar must be on a display for a window to be grabbed. */
const grip = { width: 120, height: 32 };
const arrangementsKept = 8;

/** `screens[0]` is the primary one. The saved place when it can be seen; else the middle of the primary, not larger than it. */
export function placeWindow(places: WindowPlaces, screens: readonly Screen[]): WindowPlace {
  const saved = places[arrangementOf(screens)] ?? Object.values(places).at(-1);
  if (saved !== undefined && isReachable(saved.bounds, screens)) return saved;
  const primary = screens[0]?.workArea ?? { x: 0, y: 0, ...firstSize };
  const wanted = saved?.bounds ?? firstSize;
  const width = Math.min(Math.max(wanted.width, smallestSize.width), primary.width);
  const height = Math.min(Math.max(wanted.height, smallestSize.height), primary.height);
  return {
    bounds: {
      x: primary.x + Math.round((primary.width - width) / 2),
      y: primary.y + Math.round((primary.height - height) / 2),
      width,
      height,
    },
    maximized: saved?.maximized ?? false,
  };
}

export function rememberPlace(
  places: WindowPlaces,
  screens: readonly Screen[],
  place: WindowPlace,
): WindowPlaces {
  const key = arrangementOf(screens);
  const { [key]: _before, ...others } = places;
  return Object.fromEntries([...Object.entries(others), [key, place] as const].slice(-arrangementsKept));
}

/** A further window stands a little beside the one it was opened from. */
export function besides(place: WindowPlace, screens: readonly Screen[]): WindowPlace {
  const bounds = { ...place.bounds, x: place.bounds.x + 28, y: place.bounds.y + 28 };
  return isReachable(bounds, screens) ? { bounds, maximized: false } : { ...place, maximized: false };
}

function arrangementOf(screens: readonly Screen[]): string {
  return screens
    .map(({ bounds: { x, y, width, height } }) => `${x},${y},${width}x${height}`)
    .sort()
    .join(' ');
}

function isReachable(bounds: Rectangle, screens: readonly Screen[]): boolean {
  if (bounds.width < smallestSize.width || bounds.height < smallestSize.height) return false;
  return screens.some(({ workArea }) => {
    const wide =
      Math.min(bounds.x + bounds.width, workArea.x + workArea.width) - Math.max(bounds.x, workArea.x);
    const top = bounds.y >= workArea.y && bounds.y + grip.height <= workArea.y + workArea.height;
    return wide >= grip.width && top;
  });
}
