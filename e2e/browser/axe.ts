/** The page as axe-core sees it. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { themed, themes } from './pictures.ts';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Every violation in both themes, whatever its impact, a line each. */
export async function violationsOf(page: Page, what: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const theme of themes) {
    await themed(page, theme);
    const { passed, violations } = await runAxe(page);
    expect(passed, `rules that passed for ${what}: axe saw the page`).toBeGreaterThan(15);
    found.push(...violations.map((violation) => `${what}, ${theme}: ${describeViolation(violation)}`));
  }
  return found;
}

/** One run of axe over the page as it is. */
export interface AxeRun {
  readonly passed: number;
  readonly violations: readonly Violation[];
}

export async function runAxe(page: Page): Promise<AxeRun> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run(document).then(({ passes, violations }) => ({ passed: passes.length, violations }))`,
  );
}

export function describeViolation({ id, impact, help, nodes }: Violation): string {
  const first = nodes
    .slice(0, 3)
    .map(
      ({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.replace(/\s+/g, ' ') ?? ''})`,
    );
  return `${impact ?? 'no impact'} ${id}: ${help}; ${nodes.length} times, such as ${first.join(' | ')}`;
}
