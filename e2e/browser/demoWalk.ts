/** Walks through a recorded incident as a new user would: the tour, by keyboard, to its end. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { gone, see, textOf } from './windowPage.ts';

export const demos = [
  { id: 'status-forbidden', title: 'Status write forbidden' },
  { id: 'hot-loop', title: 'Woken by its own write' },
  { id: 'finalizer-orphaned', title: 'Finalizer outlives its operator' },
  { id: 'parked-retry', title: 'Parked at the cap' },
] as const;

export interface Step {
  /** From 1. */
  readonly step: number;
  readonly count: number;
  readonly title: string;
}

export function card(page: Page) {
  return page.locator('[data-region="tour"]');
}

/** Waits until the card tells of a step, and what it points at is on screen. */
export async function seeStep(page: Page, wanted: number): Promise<Step> {
  await see(
    card(page).getByText(new RegExp(`^Step ${wanted} of \\d+$`)),
    `step ${wanted} of the tour`,
    30_000,
  );
  const [, step = '', count = ''] = /Step (\d+) of (\d+)/.exec(await textOf(card(page))) ?? [];
  const title = await textOf(card(page).getByRole('heading', { level: 2 }));
  await see(page.locator('.tourRing'), `what step ${step}, "${title}", points at`, 20_000);
  return { step: Number(step), count: Number(count), title };
}

/**
 * Presses N from step to step until the closing card, calling `at` on each. The focus is never taken: it is where it was.
 */
export async function walkTour(page: Page, at: (step: Step) => Promise<void>): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (let n = 1; ; n += 1) {
    const step = await seeStep(page, n);
    steps.push(step);
    await standing(page, step);
    expect(await whereFocusWent(page), `step ${n} left the focus alone`).toBe('');
    await at(step);
    await page.keyboard.press('n');
    if (n === step.count) break;
  }
  await see(card(page).getByRole('heading', { name: 'The end of this tour' }), 'the closing card');
  return steps;
}

/** The recording stands, the card lies beside what it points at and inside the window. */
async function standing(page: Page, { step, title }: Step): Promise<void> {
  await see(
    page.locator('[data-region="status"]').getByRole('button', { name: 'Play', exact: true }),
    `the recording to stand at step ${step}, "${title}"`,
    60_000,
  );
  // Views that were just opened settle: the ring follows what it is around.
  await page.waitForTimeout(400);
  const [ring, box] = await Promise.all([page.locator('.tourRing').boundingBox(), card(page).boundingBox()]);
  const size = page.viewportSize();
  if (ring === null || box === null || size === null) throw new Error(`step ${step}: no ring or no card`);
  expect(box.x, `step ${step}: the card is inside the window`).toBeGreaterThanOrEqual(0);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(size.width);
  expect(box.y + box.height).toBeLessThanOrEqual(size.height);
  const width = Math.min(ring.x + ring.width, box.x + box.width) - Math.max(ring.x, box.x);
  const height = Math.min(ring.y + ring.height, box.y + box.height) - Math.max(ring.y, box.y);
  expect(width > 0 && height > 0, `step ${step}, "${title}": the card covers what it points at`).toBe(false);
}

/**
 * Empty when the focus is where it was at the call before, or went on because what had it left the page with its view; else
 * what has it now. Never the card.
 */
function whereFocusWent(page: Page): Promise<string> {
  return page.evaluate(() => {
    const holder = window as { heldFocus?: Element | null };
    const [before, now] = [holder.heldFocus, document.activeElement];
    holder.heldFocus = now;
    const isTaken = now?.closest('[data-region="tour"]') !== null;
    if (!isTaken && (before === now || before?.isConnected !== true)) return '';
    return `${now?.tagName} ${now?.getAttribute('aria-label') ?? ''} ${now?.className}`;
  });
}

/** Leaves the tour with Esc; the recording stays. */
export async function leaveTour(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await gone(card(page), 'the card of the tour');
}
