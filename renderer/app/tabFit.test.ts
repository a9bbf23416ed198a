import { describe, expect, it } from 'vitest';
import { tabs } from '../state/windowState.ts';
import { shownTabs } from './tabFit.ts';

const widths = tabs.map(() => 80);

describe('shownTabs', () => {
  it('shows all while they fit, to the pixel', () => {
    expect(shownTabs(widths, 9 * 80 + 19, 'queue')).toEqual(tabs);
    expect(shownTabs(widths, 9 * 80 + 18, 'queue')).not.toContain('events');
  });
  it('puts Events away first, then Informers, and keeps the order of the rest', () => {
    expect(shownTabs(widths, 7 * 80 + 19 + 78, 'why')).toEqual([
      'why',
      'timeline',
      'conditions',
      'ownership',
      'queue',
      'rbac',
      'findings',
    ]);
  });
  it('never puts the current tab away, however narrow', () => {
    for (const tab of tabs) expect(shownTabs(widths, 10, tab)).toEqual([tab]);
  });
});
