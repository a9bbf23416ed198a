import { describe, expect, it } from 'vitest';
import type { Command } from '../commands.ts';
import {
  activeKeys,
  bind,
  boundKeys,
  chordOf,
  conflictsOf,
  hostOf,
  isBrowserKey,
  isFixedKey,
  isTabKey,
} from './keys.ts';
import { defaultPreferences } from './preferences.ts';

function command(id: string, ...keys: string[]): Command {
  return { id, title: 'command.help', group: 'app', keys, run: () => {} };
}
const help = command('help', '?', 'F1');
const run = command('run', 'F5', 'R');

describe('[W8] keys of a browser', () => {
  it('are left to it until the user takes them; the desktop has no such question', () => {
    expect(activeKeys(run, defaultPreferences, 'browser')).toEqual(['R']);
    expect(activeKeys(run, { ...defaultPreferences, browserKeys: true }, 'browser')).toEqual(['F5', 'R']);
    expect(activeKeys(run, defaultPreferences, 'desktop')).toEqual(['F5', 'R']);
    expect(['F5', 'Shift+F5', 'F11', 'Shift+F11'].every(isBrowserKey)).toBe(true);
    expect(['F6', 'F10', 'F', '5'].some(isBrowserKey)).toBe(false);
  });
  it('include those that no page ever hears of', () => {
    expect(['Mod+W', 'Mod+T', 'Mod+Shift+N'].every(isTabKey)).toBe(true);
    expect(['W', 'Alt+W', 'Mod+K', 'Mod+Shift+K'].some(isTabKey)).toBe(false);
  });
  it('knows the desktop by its bridge', () => {
    expect(hostOf({})).toBe('browser');
    expect(hostOf({ loopscopeShell: {} })).toBe('desktop');
  });
});

describe('[W7] single keys', () => {
  it('are named by what they type; a modifier, a lock or a half-typed letter is none', () => {
    const press = (key: string, held: Partial<Record<'ctrlKey' | 'shiftKey' | 'altKey', true>> = {}) =>
      chordOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }, false);
    expect([press('g'), press('G', { shiftKey: true }), press('?', { shiftKey: true }), press(' ')]).toEqual([
      'G',
      'Shift+G',
      '?',
      'Space',
    ]);
    expect(press('k', { ctrlKey: true })).toBe('Mod+K');
    expect(
      ['Shift', 'AltGraph', 'CapsLock', 'Dead', 'Process', 'Unidentified'].map((key) => press(key)),
    ).toEqual(Array(6).fill(undefined));
  });
  it('are switched off as a whole', () => {
    expect(activeKeys(help, { ...defaultPreferences, singleKeys: false }, 'desktop')).toEqual(['F1']);
  });
});

describe('[W9] rebinding', () => {
  it('keeps what differs from the table and forgets what is the default again', () => {
    const changed = bind({}, help, ['F1']);
    expect(changed).toEqual({ help: ['F1'] });
    expect(bind(changed, help, ['?', 'F1'])).toEqual({});
    expect(bind(changed, run, [])).toEqual({ help: ['F1'], run: [] });
    expect(bind({}, help, ['?', 'F1', 'F1', 'X'])).toEqual({ help: ['?', 'F1', 'X'] });
  });
  it('names every key that two commands have', () => {
    expect(conflictsOf([help, run], {})).toEqual(new Map());
    expect(conflictsOf([help, run], { run: ['?', 'R'] })).toEqual(new Map([['?', ['help', 'run']]]));
  });
  it('is seen in every hint beside a control', () => {
    const shown = (change: object) => boundKeys([help, run], { ...defaultPreferences, ...change }, 'desktop');
    expect(['?', 'R', 'Escape'].map(shown({}))).toEqual(['?', 'R', 'Escape']);
    expect(['?', 'R'].map(shown({ keys: { help: ['F1', 'H'], run: [] } }))).toEqual(['F1', undefined]);
    expect(['?', 'R'].map(shown({ singleKeys: false }))).toEqual(['F1', 'F5']);
  });
  it('leaves the keys that move and leave everywhere', () => {
    expect(['Tab', 'Shift+Tab', 'Escape', 'Enter', 'ArrowUp', 'PageDown'].every(isFixedKey)).toBe(true);
    expect(['Mod+Enter', 'F6', 'G', 'Alt+ArrowUp'].some(isFixedKey)).toBe(false);
  });
});
