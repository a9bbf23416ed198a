/** All that is asked of a state on screen, for tests that come by one. */
import type { Page } from 'playwright-core';
import { violationsOf } from './axe.ts';
import { misfits, take } from './pictures.ts';

/** Keeps its pictures and returns what is wrong with it: text that is cut, violations of accessibility. */
export async function faultsOf(page: Page, name: string): Promise<readonly string[]> {
  await take(page, `real-${name}`);
  const faults = [...(await misfits(page)), ...(await violationsOf(page, name))];
  return faults.map((fault) => `${name}: ${fault}`);
}
