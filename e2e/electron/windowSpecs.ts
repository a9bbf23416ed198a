/** What the window must do whichever host it runs in. Registered by the suite of each host, on a connected test bed. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { connected, openTab, see, type TabName, textOf } from '../browser/windowPage.ts';

const tabs: readonly TabName[] = ['Events', 'Informers', 'Queue', 'RBAC', 'Findings'];

/** `page`: the window, which shows the contexts of a kubeconfig and is connected to nothing. */
export function windowSpecs(page: () => Page): void {
  test('connects to the chosen context and finds the open error', async () => {
    await see(page().getByRole('option').filter({ hasText: 'testbed' }), 'the context');
    await page().getByRole('button', { name: 'Connect to testbed', exact: true }).click();
    await connected(page());
    await see(page().getByRole('tab', { name: /^Findings.*1 open$/ }), 'the badge of the finding', 45_000);
  });

  test('shows the grant that the operator lacks, as a finding with its evidence', async () => {
    await openTab(page(), 'Findings');
    const finding = page().getByRole('grid', { name: 'Findings' }).getByRole('row').nth(1);
    await see(finding, 'the finding');
    expect(await textOf(finding)).toContain('rbac/missing-status-subresource');
    await finding.click();
    const inspector = page().getByRole('complementary', { name: 'Inspector' });
    await see(
      inspector.getByText(/cannot (get|update|patch) resource/).first(),
      'the refused write as evidence',
    );
  });

  test('copies the patch', async () => {
    await openTab(page(), 'RBAC');
    await page()
      .getByRole('row')
      .filter({ has: page().getByText('databases/status', { exact: true }) })
      .click();
    const inspector = page().getByRole('complementary', { name: 'Inspector' });
    await inspector.getByRole('button', { name: 'Copy', exact: true }).click();
    await see(inspector.getByRole('button', { name: 'Copied' }), 'that it was copied');
  });

  test('opens every tab', async () => {
    for (const tab of tabs) await openTab(page(), tab);
  });

  test('goes somewhere by the palette', async () => {
    await page().keyboard.press('Control+K');
    const palette = page().getByRole('dialog');
    await see(palette, 'the palette');
    await page().keyboard.type('RBAC');
    await page().keyboard.press('Enter');
    await see(page().getByRole('tab', { name: /^RBAC/, selected: true }), 'the RBAC view');
  });

  test('says in its title what it records', async () => {
    expect(await page().title()).toBe('testbed (recording) · Loopscope');
  });
}
