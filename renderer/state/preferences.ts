/**
 * What a window remembers between starts: one JSON text that the host keeps. A field that is missing or has another
 * shape falls back to its default, so that an older or newer Loopscope can read the same file.
 */
export interface Preferences {
  readonly theme: 'system' | 'dark' | 'light';
  readonly locale: 'system' | 'en' | 'zh-CN';
  /** Single letters and signs as keys; off while typing whatever this says. */
  readonly singleKeys: boolean;
  /** Keys that replace the default ones of a command. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** In a browser: F5 and F11 act on Loopscope, not on the browser. */
  readonly browserKeys: boolean;
  readonly navWidth: number;
  /** The navigation of a wide window is shown. */
  readonly navShown: boolean;
  readonly inspectorOpen: boolean;
  /** Pixels, per view. */
  readonly inspectorWidth: Readonly<Record<string, number>>;
  readonly informerPane: number;
  /** Widths and order that the user gave to a table, by the table's id. */
  readonly grids: Readonly<Record<string, GridMemory>>;
}

/** `widths` in pixels by column id; `sort` absent: the order the view gives. */
export interface GridMemory {
  readonly widths: Readonly<Record<string, number>>;
  readonly sort?: { readonly column: string; readonly descending: boolean };
}

export const defaultPreferences: Preferences = {
  theme: 'system',
  locale: 'system',
  singleKeys: true,
  keys: {},
  browserKeys: false,
  navWidth: 232,
  navShown: true,
  inspectorOpen: true,
  inspectorWidth: {},
  informerPane: 208,
  grids: {},
};

/** Never throws: text that is not ours gives the defaults. */
export function parsePreferences(json: string): Preferences {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    return defaultPreferences;
  }
  if (!isRecord(raw)) return defaultPreferences;
  const merged: Record<string, unknown> = { ...defaultPreferences };
  for (const [field, accepts] of Object.entries(checks)) {
    if (accepts(raw[field])) merged[field] = raw[field];
  }
  return merged as unknown as Preferences;
}

const checks: Readonly<Record<keyof Preferences, (value: unknown) => boolean>> = {
  theme: (value) => value === 'system' || value === 'dark' || value === 'light',
  locale: (value) => value === 'system' || value === 'en' || value === 'zh-CN',
  singleKeys: (value) => typeof value === 'boolean',
  keys: (value) => isRecord(value) && Object.values(value).every(isTextList),
  browserKeys: (value) => typeof value === 'boolean',
  navWidth: isSize,
  navShown: (value) => typeof value === 'boolean',
  inspectorOpen: (value) => typeof value === 'boolean',
  inspectorWidth: (value) => isRecord(value) && Object.values(value).every(isSize),
  informerPane: isSize,
  grids: (value) => isRecord(value) && Object.values(value).every(isGridMemory),
};

function isGridMemory(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.widths) || !Object.values(value.widths).every(isSize)) return false;
  const { sort } = value;
  return (
    sort === undefined ||
    (isRecord(sort) && typeof sort.column === 'string' && typeof sort.descending === 'boolean')
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isSize(value: unknown): boolean {
  return typeof value === 'number' && value >= 40 && value <= 2000;
}

/** `host` with what this window changed since it read `before`: other windows of this computer write there too. */
export function mergePreferences(host: Preferences, before: Preferences, now: Preferences): Preferences {
  const changed = Object.entries(now).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Preferences]),
  );
  return { ...host, ...Object.fromEntries(changed) };
}

export function printPreferences(preferences: Preferences): string {
  return JSON.stringify(preferences);
}
