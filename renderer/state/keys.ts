/**
 * Keys: `Mod+K` (Ctrl, on a Mac Cmd), `Shift+F6`, `?`, `G`. Letters are matched by what they type, signs without their
 * Shift. Single keys are off while typing and can be switched off as a whole.
 */
import { shellBridgeName } from '../../shared/contract/shellBridge.ts';
import type { Command } from '../commands.ts';
import type { Preferences } from './preferences.ts';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** The name of a press in the notation of the command table, or undefined for a bare modifier. */
export function chordOf(press: KeyPress, mac: boolean): string | undefined {
  const { key } = press;
  if (isNoKey(key)) return undefined;
  const letter = /^\p{L}$/u.test(key);
  const sign = key.length === 1 && !letter;
  const name = letter ? key.toUpperCase() : key === ' ' ? 'Space' : key;
  const parts: string[] = [];
  if (mac ? press.metaKey : press.ctrlKey) parts.push('Mod');
  if (mac ? press.ctrlKey : press.metaKey) parts.push(mac ? 'Ctrl' : 'Meta');
  if (press.altKey) parts.push('Alt');
  if (press.shiftKey && !sign) parts.push('Shift');
  return [...parts, name].join('+');
}

/** Modifiers and locks alone, and what an input method or a dead key still turns into a letter. */
function isNoKey(key: string): boolean {
  return /^(Shift|Control|Alt|AltGraph|Meta|Fn|(Caps|Num|Scroll|Fn)Lock|Dead|Process|Unidentified|Compose)$/.test(
    key,
  );
}

/** True for keys that also type something: a letter, digit or sign without Ctrl, Cmd or Alt. */
export function isSingle(chord: string): boolean {
  const keys = chord.split('+');
  const last = chord.endsWith('+') ? '+' : (keys.at(-1) as string);
  const plain = !/^(Mod|Ctrl|Meta|Alt)\+/.test(chord);
  return plain && (last.length === 1 || last === 'Space');
}

export function keysOf(
  command: Command,
  overrides: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return overrides[command.id] ?? command.keys;
}

/** The host of the window: the desktop shell, or a browser that has keys of its own. */
export type Host = 'desktop' | 'browser';

export function hostOf(page: object = globalThis): Host {
  return shellBridgeName in page ? 'desktop' : 'browser';
}

/** What a browser does by itself on these keys: reload, full screen. Left to it unless the user says otherwise. */
export function isBrowserKey(chord: string): boolean {
  return /^(Shift\+|Mod\+)?F(5|11)$/.test(chord);
}

/** What no page ever hears of: a browser opens and closes its windows and tabs itself. */
export function isTabKey(chord: string): boolean {
  return /^Mod\+(Shift\+)?[NTW]$/.test(chord);
}

/** Keys that cannot be bound: they leave, move on or type in every part of the window. */
export function isFixedKey(chord: string): boolean {
  return /^(Shift\+)?(Tab|Escape|Enter|Arrow(Up|Down|Left|Right)|Home|End|PageUp|PageDown)$/.test(chord);
}

/** The keys that do something now: as bound, without those that belong to the browser or are switched off. */
export function activeKeys(command: Command, preferences: Preferences, host: Host): readonly string[] {
  return keysOf(command, preferences.keys).filter(
    (chord) =>
      (preferences.singleKeys || !isSingle(chord)) &&
      (host === 'desktop' || preferences.browserKeys || !isBrowserKey(chord)),
  );
}

/**
 * What a default chord is bound to now: the first key of its command that does something. undefined: none does. What is
 * no command's default (Esc) stays as it is.
 */
export function boundKeys(
  commands: readonly Command[],
  preferences: Preferences,
  host: Host,
): (chord: string) => string | undefined {
  const bound = new Map<string, string | undefined>();
  for (const command of commands) {
    const active = activeKeys(command, preferences, host);
    for (const chord of command.keys) bound.set(chord, active.includes(chord) ? chord : active[0]);
  }
  return (chord) => (bound.has(chord) ? bound.get(chord) : chord);
}

/** Chords that more than one command has, with the commands' ids in table order. */
export function conflictsOf(
  commands: readonly Command[],
  overrides: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const command of commands) {
    for (const chord of keysOf(command, overrides)) {
      owners.set(chord, [...(owners.get(chord) ?? []), command.id]);
    }
  }
  return new Map([...owners].filter(([, ids]) => ids.length > 1));
}

/** The overrides with other keys for one command; the default keys again are no override. */
export function bind(
  overrides: Readonly<Record<string, readonly string[]>>,
  command: Command,
  keys: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const { [command.id]: _, ...rest } = overrides;
  const unique = [...new Set(keys)];
  return unique.join(' ') === command.keys.join(' ') ? rest : { ...rest, [command.id]: unique };
}

/** Where letters and Enter belong to the element that has focus. */
export function isTyping(target: unknown): boolean {
  if (typeof HTMLElement === 'undefined' || !(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Where the space bar presses, chooses or opens what has focus. */
export function ownsSpace(target: unknown): boolean {
  if (typeof HTMLElement === 'undefined' || !(target instanceof HTMLElement)) return false;
  if (isTyping(target) || /^(BUTTON|A|SUMMARY)$/.test(target.tagName)) return true;
  return /^(button|menuitem.*|option|radio|checkbox|switch|tab|treeitem)$/.test(target.role ?? '');
}
