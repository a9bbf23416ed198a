/** The main job in the window: an operator without databases/status, from the badge to the finding that closes itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyManifests } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { browserBedOrSkip } from './chromium.ts';
import { faultsOf } from './inspect.ts';
import { type HostProcess, startHost } from './webHost.ts';
import { connected, gone, openPage, openTab, see, textOf, type WindowPage } from './windowPage.ts';

describe('an operator under debug in a browser', { timeout: 90_000 }, async () => {
  const bed = await browserBedOrSkip('database-operator');
  if (bed === undefined) return;
  const { cluster, browser } = bed;
  const admin = cluster.client('admin');
  let operator: RunningOperator;
  let host: HostProcess;
  let window: WindowPage;

  beforeAll(async () => {
    await installOperator(admin, { role: 'without-status' });
    await applyManifests(admin, [testbedManifest('reader.yaml'), operatorManifest('samples.yaml')]);
    operator = await startOperator(cluster);
    const kubeconfig = cluster.kubeconfigPath('loopscope-user');
    host = await startHost({ dir: cluster.dir, args: ['--kubeconfig', kubeconfig, '--context', 'testbed'] });
    window = await openPage(browser, host);
    await connected(window.page);
  });

  afterAll(async () => {
    window.assertClean();
    await window.close();
    await host.stop();
    await operator.stop();
    admin.close();
    await bed.stop();
  });

  const inspector = () => window.page.getByRole('complementary', { name: 'Inspector' });
  const gapRow = () =>
    window.page.getByRole('row').filter({ has: window.page.getByText('databases/status', { exact: true }) });

  test('the operator is detected and its keys are listed', async () => {
    const { page } = window;
    const nav = page.getByRole('navigation', { name: 'Operator, controllers and keys' });
    await see(nav.getByText('database-operator', { exact: true }), 'the operator');
    const keys = nav.getByRole('listbox', { name: 'Keys of database' });
    await see(keys.getByRole('option').filter({ hasText: 'orders' }), 'a key');
    await see(keys.getByRole('option').filter({ hasText: 'billing' }), 'another key');
  });

  test('a log attached by its path: read, followed, and refused with a sentence when it is not there', async () => {
    const { page } = window;
    await openTab(page, 'Informers');
    await page.getByRole('radio', { name: 'All sources' }).click();
    const path = page.getByRole('textbox', { name: 'Follow a log file' });
    const attach = page.locator('form').filter({ has: path }).getByRole('button', { name: 'Attach' });
    await path.fill('/no/such/operator.log');
    await attach.click();
    await see(
      page.getByRole('alert').filter({ hasText: '/no/such/operator.log' }),
      'what is wrong with the path',
    );
    await path.fill(operator.logPath);
    await attach.click();
    const feed = page.getByRole('row').filter({ hasText: operator.logPath });
    await see(feed.getByText('Live', { exact: true }), 'the log is followed');
    await eventually('lines of the log were read', async () => {
      const count = await textOf(feed.locator('[data-column="records"]'));
      return Number(count.replace(/,/g, '')) > 10;
    });
    expect(await path.inputValue(), 'the field is empty again').toBe('');
  });

  test('Findings: badge, the finding with its evidence, and the way to the gap', async () => {
    const { page } = window;
    await see(page.getByRole('tab', { name: /^Findings.*1 open$/ }), 'the badge');
    await openTab(page, 'Findings');
    await see(page.getByRole('heading', { name: '1 error' }), 'the headline');
    const finding = page.getByRole('grid', { name: 'Findings' }).getByRole('row').nth(1);
    const text = await textOf(finding);
    expect(text).toContain('databases/status');
    expect(text).toContain('rbac/missing-status-subresource');
    expect(text).toContain('ServiceAccount/dbops-system/database-operator');
    await finding.click();
    await see(
      inspector()
        .getByText(/cannot (get|update|patch) resource/)
        .first(),
      'the refused write as evidence',
    );
    await inspector().getByRole('button', { name: 'RBAC gap' }).click();
    await see(page.getByRole('tab', { name: /^RBAC/, selected: true }), 'the RBAC view');
  });

  test('RBAC: the gap in the headline and the matrix, the patch that Copy puts on the clipboard', async () => {
    const { page } = window;
    await see(
      page.getByRole('heading', { name: /databases\/status .*granted by no role/ }),
      'the gap in the headline',
    );
    await see(gapRow(), 'the row of the gap');
    await gapRow().click();
    await see(
      inspector().getByText('SubjectAccessReview says the same: not allowed'),
      'what the cluster says',
    );
    const patch = inspector().getByRole('region', { name: 'Patch' });
    await see(patch.getByText('databases/status'), 'the patch');
    await inspector().getByRole('button', { name: 'Copy', exact: true }).click();
    await see(inspector().getByRole('button', { name: 'Copied' }), 'that it was copied');
    await see(page.getByRole('status').filter({ hasText: 'Copied' }), 'that it is announced');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('databases/status');
    await inspector().getByRole('radio', { name: 'Marker' }).click();
    await see(
      inspector().getByText(/\+kubebuilder:rbac:groups=db\.example\.com,resources=databases\/status/),
      'the marker',
    );
  });

  test('Queue: failing keys, countdowns that run down, predictions that came true', async () => {
    const { page } = window;
    await openTab(page, 'Queue');
    const waiting = page.getByRole('grid', { name: 'waiting' });
    const orders = waiting.getByRole('row').filter({ hasText: 'orders' });
    await see(orders, 'the failing key', 45_000);
    const left = async () => secondsOf(await textOf(orders.getByRole('gridcell').nth(3)));
    const first = await eventually(
      'a countdown of some seconds',
      async () => {
        const now = await left();
        return now !== undefined && now > 2 ? now : undefined;
      },
      { timeoutMs: 45_000 },
    );
    await eventually(
      'the countdown runs down',
      async () => {
        const now = await left();
        return now !== undefined && now < first;
      },
      { timeoutMs: 5_000 },
    );
    // `~` marks a count that the log does not settle: its older lines have whole seconds, one may still be on its way.
    const failures = (await textOf(orders.getByRole('gridcell').nth(2))).replace(/^~/, '');
    expect(Number(failures), 'failures').toBeGreaterThan(5);
    const predictions = inspector().getByRole('table').getByRole('row');
    await see(predictions.filter({ hasText: /hit, [+−]/ }), 'a prediction that came true', 45_000);
    await see(predictions.filter({ hasText: /in \d|due/ }), 'a prediction of what comes');
    await see(
      page.getByText(/every end of a reconcile is logged|the log has errors only/),
      'what it rests on',
    );
  });

  test('the profile says of each entry how it is known', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Edit profile' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Profile of database-operator' });
    await see(dialog, 'the profile');
    const text = await textOf(dialog);
    expect(text).toMatch(/\d+ observed, \d+ inferred/);
    expect(text.match(/\b(observed|reported|inferred)\b/g)?.length ?? 0).toBeGreaterThan(5);
    expect(await dialog.getByRole('textbox').first().inputValue()).toContain('databases.db.example.com');
    const workers = dialog.getByRole('textbox', { name: 'Workers' });
    await workers.fill('3');
    await page.keyboard.press('Escape');
    await see(dialog.getByText('Discard changes?'), 'an edit is not dropped unasked');
    await workers.press('Enter');
    await see(dialog.getByText('set by you', { exact: true }), 'the edit, saved');
    await page.keyboard.press('Escape');
    await gone(dialog, 'the profile');
    await see(
      page.getByText(/^Profile: \d+ observed, \d+ inferred, 1 set by you$/),
      'the edit in the navigation',
    );
  });

  test('the patch applied: the finding closes with its time, the badge goes', async () => {
    const { page } = window;
    await openTab(page, 'RBAC');
    await gapRow().click();
    await inspector().getByRole('radio', { name: 'Role' }).click();
    await inspector().getByRole('button', { name: 'Copy', exact: true }).click();
    await see(inspector().getByRole('button', { name: 'Copied' }), 'that it was copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const command = await textOf(inspector().getByText(/^kubectl /));
    const role = /clusterrole (\S+)/.exec(command)?.[1];
    await openTab(page, 'Findings');
    const before = Date.now();
    await admin.json('PATCH', `/apis/rbac.authorization.k8s.io/v1/clusterroles/${role}`, {
      body: parse(copied),
      contentType: 'application/json-patch+json',
    });
    await see(
      page.getByRole('heading', { name: 'Nothing is wrong now. 1 finding was closed.' }),
      'that it closed',
      10_000,
    );
    console.log(`closed on screen ${Date.now() - before} ms after the patch was applied`);
    await see(inspector().getByText(/^Closed at \d\d:\d\d:\d\d/), 'when it closed');
    expect(await page.getByRole('tab', { name: /^Findings/ }).textContent()).toBe('Findings');
    await openTab(page, 'RBAC');
    await see(page.getByText(/^Gap closed at \d\d:\d\d:\d\d\. ClusterRole /).first(), 'what grants it now');
    await see(inspector().getByText('Granted by'), 'the row that was the gap');
    expect(await faultsOf(page, 'finding-closed')).toEqual([]);
    await eventually(
      'the operator writes status again',
      async () => {
        const all = await admin.list('db.example.com/v1', 'Database', 'team-a');
        return all.every((object) => JSON.stringify(object.status ?? {}).includes('observedGeneration'));
      },
      { timeoutMs: 60_000 },
    );
  });
});

/** `6.1 s` and `2m 42s` in seconds; undefined for `due` and what lies below a second. */
function secondsOf(text: string): number | undefined {
  const minutes = /(\d+)m/.exec(text)?.[1];
  const seconds = /([\d.]+) ?s$/.exec(text.trim())?.[1];
  if (/ms$/.test(text.trim()) || (minutes === undefined && seconds === undefined)) return undefined;
  return Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
