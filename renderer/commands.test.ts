import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';
import { catalogue } from './i18n/catalogue.ts';
import { chordOf, isSingle, keysOf } from './state/keys.ts';

const press = { key: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe('command table', () => {
  it('has unique ids and a title in the catalogue for each', () => {
    expect(new Set(commands.map((c) => c.id)).size).toBe(commands.length);
    expect(commands.filter((c) => catalogue[c.title] === undefined).map((c) => c.id)).toEqual([]);
  });
  it('gives no key to two commands', () => {
    const seen = new Map<string, string[]>();
    for (const command of commands) {
      for (const key of command.keys) seen.set(key, [...(seen.get(key) ?? []), command.id]);
    }
    expect([...seen].filter(([, ids]) => ids.length > 1)).toEqual([]);
  });
  it('leaves F5 and F11 to the browser and the numbers to the tabs in their order', () => {
    const keys = commands.flatMap((c) => c.keys);
    expect(keys.filter((key) => /F5|F11/.test(key))).toEqual([]);
    expect(commands.filter((c) => /^\d$/.test(c.keys[0] ?? '')).map((c) => c.id)).toEqual([
      'tab.why',
      'tab.timeline',
      'tab.conditions',
      'tab.ownership',
      'tab.queue',
      'tab.rbac',
      'tab.informers',
      'tab.events',
      'tab.findings',
    ]);
  });
  it('lets preferences replace keys', () => {
    const help = commands.find((c) => c.id === 'help');
    if (help === undefined) throw new Error('no help command');
    expect(keysOf(help, {})).toEqual(['?']);
    expect(keysOf(help, { help: ['F1'] })).toEqual(['F1']);
  });
});

describe('keys', () => {
  it('names presses as the table does', () => {
    expect(chordOf({ ...press, key: 'k', ctrlKey: true }, false)).toBe('Mod+K');
    expect(chordOf({ ...press, key: 'k', metaKey: true }, true)).toBe('Mod+K');
    expect(chordOf({ ...press, key: '?', shiftKey: true }, false)).toBe('?');
    expect(chordOf({ ...press, key: 'G', shiftKey: true }, false)).toBe('Shift+G');
    expect(chordOf({ ...press, key: 'F6', shiftKey: true }, false)).toBe('Shift+F6');
    expect(chordOf({ ...press, key: 'Shift', shiftKey: true }, false)).toBeUndefined();
  });
  it('knows which of them also type', () => {
    expect(['?', 'G', 'Shift+G', '/', 'Space', '['].map(isSingle)).toEqual(Array(6).fill(true));
    expect(['Mod+K', 'F6', 'Shift+F6', 'Enter', 'Alt+G'].map(isSingle)).toEqual(Array(5).fill(false));
  });
});
