import { describe, expect, it } from 'vitest';
import { entries } from './entries/index.ts';
import { forcedSelector } from './forceStates.ts';

/** Exported components of a module: functions with the name of one. Contexts and types are none. */
function componentsOf(module: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(module).filter((name) => /^[A-Z]/.test(name) && typeof module[name] === 'function');
}

describe('the gallery', () => {
  const modules = import.meta.glob<Readonly<Record<string, unknown>>>('../widgets/*.tsx', { eager: true });
  it('shows every widget that there is, and none that is gone', () => {
    const exported = Object.entries(modules)
      .filter(([path]) => !path.endsWith('.test.tsx'))
      .flatMap(([, module]) => componentsOf(module));
    expect(exported.length).toBeGreaterThan(25);
    const shown = entries.flatMap((entry) => entry.shows);
    expect(
      exported.filter((name) => !shown.includes(name)),
      'widgets without an entry',
    ).toEqual([]);
    expect(
      shown.filter((name) => !exported.includes(name)),
      'entries without a widget',
    ).toEqual([]);
  });
  it('has an anchor, props and states for each, each once', () => {
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const { id, props, samples } of entries) {
      expect(id).toMatch(/^[a-z-]+$/);
      expect(props, id).not.toBe('');
      expect(samples.length, id).toBeGreaterThan(0);
      expect(new Set(samples.map(({ state }) => state)).size, id).toBe(samples.length);
    }
  });
});

describe('forcedSelector', () => {
  it('says the rules of a state for its class, and leaves the others', () => {
    expect(forcedSelector('.button:hover')).toBe('.button.asHover');
    expect(forcedSelector('.field:focus-within')).toBe('.field:has(.asFocus)');
    expect(forcedSelector('.a:focus .b, .c:focus-visible')).toBe('.a.asFocus .b, .c.asFocus');
    expect(forcedSelector('.button:active')).toBe('.button.asActive');
    expect(forcedSelector('.button')).toBeUndefined();
  });
});
