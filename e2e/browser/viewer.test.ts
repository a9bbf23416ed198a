/** A person with almost no rights: the window is usable, and says what it may not judge and what would allow it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyManifests } from '../testbed/kubeClient.ts';
import { installOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { browserBedOrSkip } from './chromium.ts';
import { faultsOf } from './inspect.ts';
import { type HostProcess, startHost } from './webHost.ts';
import {
  connected,
  gone,
  openPage,
  openTab,
  see,
  textOf,
  type WindowPage,
  watchForRow,
} from './windowPage.ts';

const operatorUser = 'system:serviceaccount:dbops-system:database-operator';

describe('a viewer in a browser', { timeout: 60_000 }, async () => {
  const bed = await browserBedOrSkip();
  if (bed === undefined) return;
  const { cluster, browser } = bed;
  const admin = cluster.client('admin');
  let host: HostProcess;
  let window: WindowPage;

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [testbedManifest('viewer.yaml'), operatorManifest('samples.yaml')]);
    host = await startHost({ dir: cluster.dir, args: ['--kubeconfig', cluster.kubeconfigPath('viewer')] });
    window = await openPage(browser, host);
  });

  afterAll(async () => {
    window.assertClean();
    await window.close();
    await host.stop();
    admin.close();
    await bed.stop();
  });

  const informers = () => window.page.getByRole('grid', { name: 'Informers' });

  test('Informers: what may not be read is not evaluated, with the missing permission to copy', async () => {
    const { page } = window;
    await page.getByRole('textbox', { name: 'Namespaces' }).fill('team-a');
    await page.getByRole('button', { name: 'Connect to testbed', exact: true }).click();
    await connected(page);
    await openTab(page, 'Informers');
    await see(
      page.getByRole('heading', { name: /^You may not read \d+ of \d+ resources\.$/ }),
      'how much is missing',
    );
    const roles = informers()
      .getByRole('row')
      .filter({ hasText: /ClusterRoles rbac/ });
    await see(roles.getByText('Not evaluated'), 'what may not be read');
    await roles.click();
    await see(
      page.getByText(/You may not .* clusterroles\.rbac\.authorization\.k8s\.io in the cluster\./),
      'the sentence',
    );
    const rule = page.getByRole('region', { name: 'What would allow it' });
    expect(await textOf(rule)).toMatch(/clusterroles[\s\S]*list/);
    expect(await faultsOf(page, 'viewer-informers')).toEqual([]);
    await page.getByRole('button', { name: 'Copy rule for your user' }).click();
    await see(page.getByRole('button', { name: 'Copied' }), 'that it was copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('clusterroles');
  });

  test('an operator named by hand: its kind is followed in the one namespace that may be read', async () => {
    const { page } = window;
    await page.getByRole('button', { name: /^Operator/ }).click();
    await page.getByRole('menuitem', { name: 'An operator I run locally…' }).click();
    const dialog = page.getByRole('dialog', { name: 'An operator I run locally' });
    await dialog.getByRole('textbox', { name: 'User or ServiceAccount' }).fill(operatorUser);
    await dialog.getByRole('textbox', { name: 'Kinds it reconciles' }).fill('databases.db.example.com');
    await dialog.getByRole('button', { name: 'Use this identity' }).click();
    await gone(dialog, 'the dialog');
    // What may be read stands first; the rest is one line until somebody asks.
    const fold = page.getByRole('button', {
      name: /^\d+ resources are not evaluated: you may not read them\.$/,
    });
    await see(fold, 'how much is folded');
    if ((await fold.getAttribute('aria-expanded')) === 'true') await fold.press('Enter');
    expect(await informers().getByText('Not evaluated').count()).toBe(0);
    await see(
      informers()
        .getByRole('row')
        .filter({ hasText: 'Databases' })
        .filter({ hasText: 'team-a' })
        .getByText('Live'),
      'the kind that may be read',
    );
    await see(page.getByRole('option').filter({ hasText: 'orders' }), 'its keys');
    await openTab(page, 'Events');
    const shown = await watchForRow(page, ['modified', 'Database', 'team-a/orders']);
    await admin.patch(
      { apiVersion: 'db.example.com/v1', kind: 'Database', namespace: 'team-a', name: 'orders' },
      { spec: { replicas: 4 } },
    );
    expect(await shown()).toBeGreaterThan(0);
  });

  test('Findings and RBAC: not evaluated, never "nothing is wrong"', async () => {
    const { page } = window;
    await openTab(page, 'Findings');
    await see(page.getByRole('heading', { name: 'Not evaluated' }), 'the part that was not judged');
    const rules = page
      .getByRole('table')
      .getByRole('row')
      .filter({ hasText: 'rbac/missing-status-subresource' });
    await see(rules, 'the rule that could not be judged');
    expect(await textOf(rules)).toMatch(/list|get/);
    expect(await page.getByText('No finding is open').count()).toBe(0);
    await see(page.getByRole('heading', { name: /rules? could not be judged/ }), 'the headline');
    expect(await faultsOf(page, 'viewer-findings')).toEqual([]);
    await openTab(page, 'RBAC');
    await see(
      page.getByRole('heading', {
        name: /^Grants of .* are not evaluated: you may not read roles and bindings\.$/,
      }),
      'that grants are not evaluated',
    );
    const rule = page.getByRole('region', { name: 'What would allow it' });
    expect(await textOf(rule)).toMatch(/rolebindings/);
  });
});
