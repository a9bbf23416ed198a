/** The API server is killed under an open window, and comes back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyManifests } from '../testbed/kubeClient.ts';
import { installOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { browserBedOrSkip } from './chromium.ts';
import { faultsOf } from './inspect.ts';
import { type HostProcess, startHost } from './webHost.ts';
import { connected, gone, openPage, openTab, see, textOf, type WindowPage } from './windowPage.ts';

describe('an outage in a browser', { timeout: 90_000 }, async () => {
  const bed = await browserBedOrSkip();
  if (bed === undefined) return;
  const { cluster, browser } = bed;
  const admin = cluster.client('admin');
  let host: HostProcess;
  let window: WindowPage;

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [testbedManifest('reader.yaml'), operatorManifest('samples.yaml')]);
    const kubeconfig = cluster.kubeconfigPath('loopscope-user');
    host = await startHost({ dir: cluster.dir, args: ['--kubeconfig', kubeconfig, '--context', 'testbed'] });
    window = await openPage(browser, host);
    await connected(window.page);
  });

  afterAll(async () => {
    window.assertClean();
    await window.close();
    await host.stop();
    admin.close();
    await bed.stop();
  });

  const lines = () =>
    window.page
      .getByRole('grid', { name: 'Events' })
      .getByRole('row')
      .filter({ has: window.page.getByRole('gridcell') });
  const banner = () => window.page.getByRole('status').filter({ hasText: /^Not connected for/ });

  test('killed: a banner says since when and which try comes next; what was there stays', async () => {
    const { page } = window;
    await openTab(page, 'Events');
    await page.getByRole('checkbox', { name: 'Initial lists' }).check();
    await page.getByRole('textbox', { name: 'Filter events' }).fill('kind:Database');
    await see(lines().filter({ hasText: 'team-a/orders' }), 'the Databases of the first list');
    await cluster.killApiServer();
    await see(banner(), 'the banner');
    await see(page.getByText('Not connected', { exact: true }), 'the pill of the status strip');
    await eventually('the banner names the try that comes next', async () =>
      /try \d+ in \d:\d\d|try \d+ is running/.test(await textOf(banner())),
    );
    expect(await textOf(banner())).toMatch(/What you see ends at \d\d:\d\d:\d\d\. Countdowns are stopped\./);
    const seconds = async () => Number(/Not connected for (\d+)/.exec(await textOf(banner()))?.[1]);
    const first = await seconds();
    await eventually('the banner counts on', async () => (await seconds()) > first, { timeoutMs: 5_000 });
    const attempt = async () => Number(/try (\d+)/.exec(await textOf(banner()))?.[1]);
    const tried = await attempt();
    await page.getByRole('button', { name: 'Try now' }).click();
    await eventually('the next try began', async () => (await attempt()) > tried, { timeoutMs: 5_000 });
    await see(lines().filter({ hasText: 'team-a/orders' }), 'what was there before');
    expect(await faultsOf(page, 'lost')).toEqual([]);
    await page.getByRole('option').filter({ hasText: 'orders' }).first().click();
    await see(page.getByRole('heading', { name: 'orders' }), 'an object can still be opened');
  });

  test('started again: the banner goes, the gap is listed with its length, and changes come again', async () => {
    const { page } = window;
    await cluster.startApiServer();
    await gone(banner(), 'the banner', 30_000);
    await see(page.getByText('Live', { exact: true }), 'that it is live');
    await see(page.getByRole('tab', { name: /^Informers.*\d+ gaps?$/ }), 'the badge of the gaps');
    await openTab(page, 'Informers');
    await see(
      page.getByRole('heading', { name: /were not watched for .* at \d\d:\d\d:\d\d/ }),
      'the gap in words',
    );
    const row = page
      .getByRole('grid', { name: 'Informers' })
      .getByRole('row')
      .filter({ hasText: /^Databases/ });
    await see(row.getByText(/^(Recovered|Relisted|Live)/), 'that Databases are watched again', 30_000);
    await row.first().click();
    await see(page.getByRole('heading', { name: 'Databases, list and watch' }), 'the pane of Databases');
    await see(
      page.getByRole('img', { name: /^Not seen: \d\d:\d\d:\d\d – \d\d:\d\d:\d\d$/ }),
      'from when to when',
    );
    await see(page.getByRole('button', { name: /gap of .*\d/ }), 'the gap on the recording strip');
    expect(await faultsOf(page, 'gap')).toEqual([]);

    await openTab(page, 'Events');
    await admin.patch(
      { apiVersion: 'db.example.com/v1', kind: 'Database', namespace: 'team-a', name: 'orders' },
      { spec: { replicas: 5 } },
    );
    await see(lines().filter({ hasText: '→ 5' }), 'a change after the outage', 20_000);
  });
});
