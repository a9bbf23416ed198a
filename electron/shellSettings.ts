/**
 * What the shell itself remembers, in a small file of its own: windows' places and the answer about quitting. A file that
 * is not there or not ours to read counts as empty; one that cannot be written costs the memory and nothing else.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { WindowPlace, WindowPlaces } from './windowState.ts';

export interface ShellSettings {
  readonly places: WindowPlaces;
  /** Quitting ends a running recording without a question. */
  readonly quitWithoutAsking: boolean;
}

export interface SettingsFile {
  get(): ShellSettings;
  set(change: Partial<ShellSettings>): void;
}

const empty: ShellSettings = { places: {}, quitWithoutAsking: false };

export function openShellSettings(path: string, log: (line: string) => void): SettingsFile {
  let settings = read(path);
  return {
    get: () => settings,
    set(change) {
      settings = { ...settings, ...change };
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(`${path}.new`, `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600 });
        renameSync(`${path}.new`, path);
      } catch (error) {
        log(
          `the window's place is not remembered: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    },
  };
}

function read(path: string): ShellSettings {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return empty;
  }
  if (typeof data !== 'object' || data === null) return empty;
  const places = 'places' in data && typeof data.places === 'object' ? (data.places ?? {}) : {};
  return {
    places: Object.fromEntries(Object.entries(places).filter((entry) => isPlace(entry[1]))),
    quitWithoutAsking: 'quitWithoutAsking' in data && data.quitWithoutAsking === true,
  };
}

function isPlace(value: unknown): value is WindowPlace {
  if (typeof value !== 'object' || value === null || !('bounds' in value)) return false;
  const { bounds } = value as { bounds: unknown };
  if (typeof bounds !== 'object' || bounds === null) return false;
  const numbers = bounds as Record<string, unknown>;
  return ['x', 'y', 'width', 'height'].every((name) => Number.isSafeInteger(numbers[name]));
}
