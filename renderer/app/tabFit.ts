/** Which tabs a bar has room for. Pure. */
import { type Tab, tabs } from '../state/windowState.ts';

/** First to go first: what says least by itself. Findings and RBAC carry badges, Why and Timeline are where one lands. */
const dropOrder: readonly Tab[] = [
  'events',
  'informers',
  'ownership',
  'conditions',
  'rbac',
  'queue',
  'findings',
  'timeline',
  'why',
];
/** The divider, and the button More with its padding. */
const divider = 19;
const more = 78;

/** `widths` in the order of `tabs`. The current tab is never put away, and the order on screen stays. */
export function shownTabs(widths: readonly number[], room: number, current: Tab): readonly Tab[] {
  const shown = new Set<Tab>(tabs);
  const width = () =>
    tabs.reduce((sum, tab, at) => (shown.has(tab) ? sum + (widths[at] ?? 0) : sum), divider);
  if (width() <= room) return tabs;
  for (const tab of dropOrder) {
    if (tab === current) continue;
    shown.delete(tab);
    if (width() + more <= room) break;
  }
  return tabs.filter((tab) => shown.has(tab));
}
