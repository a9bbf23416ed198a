/**
 * Keys: `Mod+K` (Ctrl, on a Mac Cmd), `Shift+F6`, `?`, `G`. Letters are matched by what they type, signs without their
 * Shift. Single keys are off while typing and can be switched off as a whole.
 */
import type { Command } from '../commands.ts';

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
  if (key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta') return undefined;
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

/** Where letters and Enter belong to the element that has focus. */
export function isTyping(target: unknown): boolean {
  if (typeof HTMLElement === 'undefined' || !(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
