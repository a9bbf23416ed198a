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

/** Serious and critical violations in both themes, a line each; every violation is printed. */
export async function seriousViolations(page: Page, what: string): Promise<readonly string[]> {
  const serious: string[] = [];
  for (const theme of themes) {
    await themed(page, theme);
    const { passed, violations } = await runAxe(page);
    expect(passed, `rules that passed for ${what}: axe saw the page`).toBeGreaterThan(15);
    for (const violation of violations) {
      const line = `${what}, ${theme}: ${describeViolation(violation)}`;
      console.log(line);
      if (isSerious(violation)) serious.push(line);
    }
  }
  return serious;
}

interface AxeRun {
  readonly passed: number;
  readonly violations: readonly Violation[];
}

async function runAxe(page: Page): Promise<AxeRun> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run(document).then(({ passes, violations }) => ({ passed: passes.length, violations }))`,
  );
}

function isSerious({ impact }: Violation): boolean {
  return impact === 'serious' || impact === 'critical';
}

function describeViolation({ id, impact, help, nodes }: Violation): string {
  const first = nodes
    .slice(0, 3)
    .map(
      ({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.replace(/\s+/g, ' ') ?? ''})`,
    );
  return `${impact ?? 'no impact'} ${id}: ${help}; ${nodes.length} times, such as ${first.join(' | ')}`;
}
