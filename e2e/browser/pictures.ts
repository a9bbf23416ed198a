/** Pictures that are kept, and what of the layout can be measured. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { repositoryRoot } from '../testbed/paths.ts';

export const themes = ['dark', 'light'] as const;
const folder = join(repositoryRoot, 'test-results', 'screens');

/** The theme of the system, which the window follows unless told otherwise. */
export async function themed(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme="${theme}"]`).waitFor();
}

/** Keeps `name-dark.png` and `name-light.png` in test-results/screens. */
export async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  mkdirSync(folder, { recursive: true });
  for (const theme of themes) {
    await themed(page, theme);
    const path = join(folder, `${name}-${theme}.png`);
    await page.screenshot({ path });
    expect(statSync(path).size, `bytes of ${path}`).toBeGreaterThan(10_000);
  }
}

/** Text that does not fit and has no tooltip, tables wider than their place, a page that scrolls sideways; a line each. */
export function misfits(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const lines: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) lines.push(`the page is ${scrollWidth - clientWidth} px too wide`);
    for (const grid of document.querySelectorAll('[role="grid"]')) {
      const over = grid.scrollWidth - grid.clientWidth;
      if (over > 0)
        lines.push(`the table ${grid.getAttribute('aria-label')} is ${over} px wider than its place`);
    }
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      if (!hasText || element.closest('[title], [data-tip], .visuallyHidden') !== null) continue;
      for (let box: HTMLElement | null = element; box !== null; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.overflowX === 'hidden' && box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 1) {
          lines.push(
            `cut without a tooltip: "${element.textContent?.trim().slice(0, 60)}" in .${box.className}`,
          );
          break;
        }
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') break;
      }
    }
    return [...new Set(lines)];
  });
}
