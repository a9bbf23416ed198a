/** From no kubeconfig to a connected window: each problem in a sentence, each followed by a way on. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { applyManifests } from '../testbed/kubeClient.ts';
import { testbedManifest } from '../testbed/paths.ts';
import { freePorts } from '../testbed/processes.ts';
import { browserBedOrSkip } from './chromium.ts';
import { faultsOf } from './inspect.ts';
import { type HostProcess, startHost } from './webHost.ts';
import { connected, disconnect, gone, openPage, see, textOf, type WindowPage } from './windowPage.ts';

interface Kubeconfig {
  clusters: { name: string; cluster: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
  contexts: { name: string; context: { cluster: string; user: string } }[];
}

describe('connecting in a browser', { timeout: 60_000 }, async () => {
  const bed = await browserBedOrSkip();
  if (bed === undefined) return;
  const { cluster, browser } = bed;
  const folder = mkdtempSync(join(cluster.dir, 'connect-'));
  const file = join(folder, 'config');
  const trace = join(folder, 'plugin-ran');
  let host: HostProcess;
  let window: WindowPage;

  beforeAll(async () => {
    const admin = cluster.client('admin');
    await applyManifests(admin, [testbedManifest('reader.yaml')]);
    admin.close();
    host = await startHost({ dir: cluster.dir, env: { KUBECONFIG: file } });
    window = await openPage(browser, host);
  });

  afterAll(async () => {
    window.assertClean();
    await window.close();
    await host.stop();
    await bed.stop();
  });

  const reread = () => window.page.getByRole('button', { name: 'Read the files again' });
  const context = (name: string) =>
    window.page.getByRole('option').filter({ has: window.page.getByText(name, { exact: true }) });
  const connectTo = async (name: string) => {
    await context(name).click();
    await window.page.getByRole('button', { name: `Connect to ${name}`, exact: true }).click();
  };

  test('no kubeconfig: the place that was looked at, and how to go on', async () => {
    const { page } = window;
    await see(page.getByRole('heading', { name: 'No kubeconfig was found' }), 'that there is no kubeconfig');
    await see(page.getByRole('listitem').filter({ hasText: file }).getByText('missing'), 'the missing file');
    await see(page.getByText('npm run testbed').first(), 'how to get a cluster');
    await see(page.getByText('Read-only', { exact: true }), 'the read-only badge');
    expect(await faultsOf(page, 'connect-none')).toEqual([]);
  });

  test('a malformed kubeconfig: said in a sentence, read again on request', async () => {
    const { page } = window;
    writeFileSync(file, 'contexts: [ {name: broken\n');
    await reread().click();
    await see(page.getByRole('heading', { name: 'The kubeconfig cannot be read' }), 'that it cannot be read');
    await see(
      page.getByRole('listitem').filter({ hasText: file }).getByText('malformed'),
      'the malformed file',
    );
    expect(await textOf(page.getByRole('alert'))).toContain(file);
    expect(await textOf(page.locator('body'))).not.toMatch(/\n\s+at \S+ \(/);
  });

  test('contexts are listed once the file is right, and nothing is contacted', async () => {
    const { page } = window;
    writeKubeconfig();
    await reread().click();
    await see(context('testbed'), 'the context of the test bed');
    expect(await page.getByRole('option').count()).toBe(4);
    await see(page.getByText('4 contexts from 1 file'), 'how many there are');
    await see(page.getByText('Nothing is contacted until you choose.'), 'that nothing is contacted');
    await see(context('plugin').getByText('exec: get-token'), 'which context runs a program');
    await see(context('testbed').getByText('current'), 'which context is the current one');
  });

  test('unreachable: a sentence with the address; after a change of the file the retry connects', async () => {
    const { page } = window;
    const [port = 0] = await freePorts(1);
    writeKubeconfig({ away: `https://127.0.0.1:${port}` });
    await see(context('away').getByText(`https://127.0.0.1:${port}`), 'the new address, without being asked');
    await connectTo('away');
    await see(page.getByRole('heading', { name: 'Could not connect to away' }), 'that it failed', 30_000);
    const alert = page.getByRole('alert');
    expect(await textOf(alert)).toContain(`127.0.0.1:${port}`);
    expect(await faultsOf(page, 'connect-failed')).toEqual([]);
    writeKubeconfig({ away: cluster.url });
    await page.getByRole('button', { name: 'Try again' }).click();
    await connected(page, 'away');
    await disconnect(page);
  });

  test('a wrong token: the API server does not know who this is; the right one works without a restart', async () => {
    const { page } = window;
    await connectTo('stranger');
    await see(page.getByRole('heading', { name: 'Could not connect to stranger' }), 'that it failed', 30_000);
    expect(await textOf(page.getByRole('alert'))).toMatch(/401|credentials|token/i);
    writeKubeconfig({ token: cluster.token('loopscope-user') });
    await page.getByRole('button', { name: 'Try again' }).click();
    await connected(page, 'stranger');
    await disconnect(page);
  });

  test('a credential plugin: its command is shown, and nothing runs before Run once', async () => {
    const { page } = window;
    await connectTo('plugin');
    const card = page.getByRole('region', { name: 'plugin wants to run a program' });
    await see(card, 'the confirmation');
    expect(await textOf(card)).toContain(`${join(folder, 'get-token')} --for 'a test'`);
    expect(await textOf(card)).toContain('sets AUDIENCE');
    expect(await textOf(card)).not.toContain('of-the-test');
    await card.getByRole('button', { name: 'Cancel' }).click();
    await gone(card, 'the confirmation');
    expect(existsSync(trace), 'the program ran after Cancel').toBe(false);

    await connectTo('plugin');
    await see(card, 'the confirmation again');
    expect(await faultsOf(page, 'connect-consent')).toEqual([]);
    expect(existsSync(trace), 'the program ran before Run once').toBe(false);
    await card.getByRole('button', { name: 'Run once' }).click();
    await connected(page, 'plugin');
    expect(readFileSync(trace, 'utf8')).toBe('ran --for a test for of-the-test\n');
    await disconnect(page);
  });

  test('connected: version, user, read-only; the same tab survives a reload', async () => {
    const { page } = window;
    await connectTo('testbed');
    await connected(page);
    const menu = page.getByRole('button', { name: 'Connection: testbed' });
    expect(await textOf(menu)).toContain('v1.37.2');
    await see(page.getByText('Read-only', { exact: true }), 'the read-only badge');
    await menu.click();
    await see(page.getByRole('menu').getByText('loopscope-user'), 'who we are');
    await see(page.getByRole('menu').getByText(cluster.url), 'the server');
    await page.keyboard.press('Escape');
    await page.reload();
    await connected(page);
    expect(page.url(), 'the token stays out of the address').not.toContain('token');
  });

  test('the printed address works once: a second tab is told so, and how to get another', async () => {
    // The browser logs the refusal of the used token by itself.
    const second = await openPage(browser, host, { expectedErrors: /status of 401/ });
    const { page } = second;
    await see(
      page.getByRole('heading', { name: 'This window has no engine yet' }),
      'that there is no engine',
    );
    await see(page.getByText('This address was opened before, in another tab.'), 'why there is none');
    second.assertClean();
    await second.close();
    expect(await window.page.getByRole('tab').count(), 'the first tab still works').toBeGreaterThan(0);
  });

  function writeKubeconfig(change: { readonly away?: string; readonly token?: string } = {}): void {
    const base = parse(readFileSync(cluster.kubeconfigPath('loopscope-user'), 'utf8')) as Kubeconfig;
    const testbed = base.clusters[0]?.cluster;
    const plugin = join(folder, 'get-token');
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: cluster.token('loopscope-user') },
    };
    const script = `echo "ran $* for $AUDIENCE" >> '${trace}'\necho '${JSON.stringify(credential)}'`;
    writeFileSync(plugin, `#!/bin/sh\n${script}\n`);
    chmodSync(plugin, 0o700);
    const config = {
      ...base,
      clusters: [
        ...base.clusters,
        { name: 'away', cluster: { ...testbed, server: change.away ?? cluster.url } },
      ],
      users: [
        ...base.users,
        { name: 'stranger', user: { token: change.token ?? 'not-a-token-of-this-cluster' } },
        {
          name: 'plugin',
          user: {
            exec: {
              apiVersion: 'client.authentication.k8s.io/v1',
              command: plugin,
              args: ['--for', 'a test'],
              env: [{ name: 'AUDIENCE', value: 'of-the-test' }],
              interactiveMode: 'Never',
            },
          },
        },
      ],
      contexts: [
        ...base.contexts,
        { name: 'away', context: { cluster: 'away', user: 'loopscope-user' } },
        { name: 'stranger', context: { cluster: 'testbed', user: 'stranger' } },
        { name: 'plugin', context: { cluster: 'testbed', user: 'plugin' } },
      ],
    };
    writeFileSync(file, stringify(config), { mode: 0o600 });
  }
});
