/** Events, Timeline and the palette on a real cluster: what happens is on screen at once, and every version can be read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyManifests, applyYaml, createKubeClient, type ObjectRef } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { browserBedOrSkip } from './chromium.ts';
import { type HostProcess, startHost } from './webHost.ts';
import {
  connected,
  gone,
  openPage,
  openTab,
  see,
  tabNames,
  textOf,
  type WindowPage,
  watchForRow,
} from './windowPage.ts';

const shownWithinMs = 1_000;
const orders: ObjectRef = {
  apiVersion: 'db.example.com/v1',
  kind: 'Database',
  namespace: 'team-a',
  name: 'orders',
};

describe('events in a browser', { timeout: 60_000 }, async () => {
  const bed = await browserBedOrSkip('database-operator');
  if (bed === undefined) return;
  const { cluster, browser } = bed;
  const admin = cluster.client('admin');
  const changer = createKubeClient({
    url: cluster.url,
    caFile: cluster.caFile,
    token: cluster.token('admin'),
    userAgent: 'test-changer',
  });
  let operator: RunningOperator;
  let host: HostProcess;
  let window: WindowPage;

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [testbedManifest('reader.yaml')]);
    await applyYaml(admin, '{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}');
    operator = await startOperator(cluster);
    const kubeconfig = cluster.kubeconfigPath('loopscope-user');
    host = await startHost({ dir: cluster.dir, args: ['--kubeconfig', kubeconfig, '--context', 'testbed'] });
    window = await openPage(browser, host);
    await connected(window.page);
    await openTab(window.page, 'Events');
  });

  afterAll(async () => {
    window.assertClean();
    await window.close();
    await host.stop();
    await operator.stop();
    changer.close();
    admin.close();
    await bed.stop();
  });

  const grid = () => window.page.getByRole('grid', { name: 'Events' });
  const rows = () =>
    grid()
      .getByRole('row')
      .filter({ has: window.page.getByRole('gridcell') });
  const filterField = () => window.page.getByRole('textbox', { name: 'Filter events' });
  const inspector = () => window.page.getByRole('complementary', { name: 'Inspector' });
  /** Sets the filter and waits until there are lines, and every one on screen is `right`. */
  const filterTo = async (text: string, right: (line: string) => boolean) => {
    await filterField().fill(text);
    let lines: readonly string[] = [];
    const shown = async () => {
      lines = await rows().allInnerTexts();
      return lines.length > 0 && lines.every(right);
    };
    await eventually(`only lines of ${text} are on screen`, shown, { timeoutMs: 10_000 }).catch((cause) => {
      throw new Error(`${String(cause)}\non screen are\n${lines.join('\n\n')}`, { cause });
    });
  };

  test('a Database created, changed, deleted: on screen within 1 s of the answer', async () => {
    const { page } = window;
    const delays: { readonly what: string; readonly ms: number }[] = [];
    const measure = async (what: string, words: readonly string[], act: () => Promise<unknown>) => {
      const shown = await watchForRow(page, words);
      await act();
      const answeredAt = Date.now();
      delays.push({ what, ms: (await shown()) - answeredAt });
    };
    await measure('created', ['added', 'Database', 'team-a/orders', 'testbed'], () =>
      admin.create({
        apiVersion: orders.apiVersion,
        kind: orders.kind,
        metadata: { namespace: 'team-a', name: 'orders' },
        spec: { engine: 'postgres', version: '17', replicas: 1 },
      }),
    );
    await eventually('the operator has reconciled it', async () => {
      const object = await admin.get(orders);
      return JSON.stringify(object?.status ?? {}).includes('"observedGeneration":1');
    });
    await measure('changed', ['modified', 'team-a/orders', 'test-changer'], () =>
      changer.patch(orders, { spec: { replicas: 3 } }),
    );
    await measure('deleted', ['deleted', 'Database', 'team-a/orders'], async () => {
      await admin.delete(orders);
      await eventually('the finalizer is gone', async () => (await admin.get(orders)) === undefined, {
        intervalMs: 10,
      });
    });
    console.log(`on screen after the answer: ${delays.map(({ what, ms }) => `${what} ${ms} ms`).join(', ')}`);
    expect(delays.filter(({ ms }) => ms > shownWithinMs)).toEqual([]);
  });

  test('the filter: fields, words and what is left out', async () => {
    await filterTo('kind:Database op:added', (line) => /added\nDatabase team-a\/orders/.test(line));
    await filterTo('name:orders writer:test-changer', (line) => /orders\ntest-changer/.test(line));
    await filterTo('team-a/orders "replicas 1"', (line) => line.includes('spec.replicas 1 → 3'));
    await filterTo('-kind:Database team-a', (line) => !line.includes('\nDatabase team-a/orders\n'));
    await filterField().fill('kind:NoSuchKind');
    await see(window.page.getByText('No line matches'), 'that nothing matches');
    await filterField().press('Escape');
    expect(await filterField().inputValue(), 'Esc clears the filter').toBe('');
  });

  test('a row opens its difference, and from there the Timeline with every version and its writer', async () => {
    const { page } = window;
    await filterTo('kind:Database name:orders writer:test-changer', (line) => line.includes('test-changer'));
    await rows().first().click();
    await see(inspector().getByText('replicas', { exact: true }), 'the changed field');
    expect(await textOf(inspector())).toMatch(/replicas\s+1 →\s+3/);
    await inspector().getByRole('button', { name: 'History of this object' }).click();
    await see(page.getByRole('heading', { name: 'orders' }), 'the object of the Timeline');
    await see(page.getByText(/^Deleted at/), 'that it is gone by now');

    const versions = page.getByRole('grid', { name: 'Timeline' });
    // The head says that it is gone before the list has its lines.
    const shown = versions.getByRole('row').filter({ has: page.getByRole('gridcell') });
    await see(shown.nth(5), 'at least six versions');
    // Runs of the operator stand among them.
    const lines = (await shown.allInnerTexts()).filter((line) => !line.includes('Reconcile'));
    const all = lines.join('\n');
    // create, finalizer and status by the operator, the change, the status again, deletion, finalizer, gone
    expect(lines.length).toBeGreaterThanOrEqual(6);
    expect(lines[0]).toContain('deleted');
    expect(lines.at(-1)).toContain('added');
    expect(lines.at(-1)).toContain('testbed');
    expect(lines.filter((line) => line.includes('test-changer')).length).toBe(1);
    expect(all).toContain('database-operator · status');
    await see(
      versions.getByRole('row', { selected: true }).getByText('test-changer'),
      'the version of the row that was opened',
    );
    await page.keyboard.press('y');
    await see(page.getByRole('radio', { name: 'YAML', checked: true }), 'YAML is chosen');
    await see(inspector().getByText('replicas: 3'), 'the document of that version');
    await page.keyboard.press('o');
    await see(
      inspector().getByRole('rowheader').or(inspector().getByText('spec.replicas')),
      'who owns which field',
    );
    await page.keyboard.press('x');
    await see(page.getByRole('radio', { name: 'Diff', checked: true }), 'the difference again');
  });

  test('the palette finds an object by name and opens it', async () => {
    const { page } = window;
    await page.keyboard.press('Control+k');
    const field = await see(page.getByRole('combobox', { name: 'Objects and commands' }), 'the palette');
    await field.fill('database-operator');
    const hit = page
      .getByRole('option')
      .filter({ hasText: 'Deployment' })
      .filter({ hasText: 'dbops-system/' });
    await see(hit, 'the Deployment among the hits');
    await hit.first().click();
    await see(page.getByRole('heading', { name: 'database-operator' }), 'its story');
    await page.keyboard.press('Control+k');
    await field.fill('go to informers');
    await field.press('Enter');
    await see(page.getByRole('tab', { name: /^Informers/, selected: true }), 'a command of the palette');
  });

  test('the keyboard: digits choose tabs, / filters, ? lists the keys, Esc leaves', async () => {
    const { page } = window;
    for (const [index, name] of tabNames.entries()) {
      await page.keyboard.press(`${index + 1}`);
      await see(page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }), `tab ${name}`);
    }
    await page.keyboard.press('8');
    await filterField().fill('');
    await filterField().blur();
    await page.keyboard.press('/');
    await page.keyboard.type('kind:Lease 3?');
    expect(await filterField().inputValue(), 'single keys are text while typing').toBe('kind:Lease 3?');
    await see(page.getByRole('tab', { name: /^Events/, selected: true }), 'still on Events');
    await page.keyboard.press('Escape');
    expect(await filterField().inputValue()).toBe('');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await see(keys.getByText('Go to Queue'), 'the list of keys');
    await page.keyboard.press('Escape');
    await gone(keys, 'the list of keys');
    await gone(page.locator('.dialogScrim'), 'its scrim');
    await page.keyboard.press('j');
    await see(rows().and(page.getByRole('row', { selected: true })), 'J chooses a line of the list');
  });

  test('renewals of a Lease stay hidden until Heartbeats is checked; a new holder is shown', async () => {
    const { page } = window;
    const beat = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      namespace: 'team-a',
      name: 'beat',
    };
    const { apiVersion, kind, namespace, name } = beat;
    const spec = { holderIdentity: 'first', renewTime: '2026-01-01T00:00:00.000000Z' };
    await admin.create({ apiVersion, kind, metadata: { namespace, name }, spec });
    await admin.patch(beat, { spec: { renewTime: '2026-01-01T00:00:10.000000Z' } });
    await admin.patch(beat, { spec: { holderIdentity: 'second' } });
    await filterField().fill('');
    await filterField().blur();
    const lines = rows().filter({ hasText: 'team-a/beat' });
    await see(lines.filter({ hasText: 'first → second' }), 'the new holder');
    const renewal = lines.filter({ hasText: 'spec.renewTime' });
    expect(await renewal.count(), 'renewals at first').toBe(0);
    await page.getByRole('checkbox', { name: 'Heartbeats' }).check();
    await see(renewal, 'the renewal');
    await page.getByRole('checkbox', { name: 'Heartbeats' }).uncheck();
    await gone(renewal, 'the renewal');
    await filterField().fill('kind:Lease beat');
    await see(renewal, 'the renewal, asked for by its kind');
    await filterField().fill('');
    await filterField().blur();
  });

  test('after the API server was killed and started again the gap is a line of its own', async () => {
    const { page } = window;
    await cluster.killApiServer();
    await cluster.startApiServer();
    await gone(page.getByText('Not connected', { exact: true }), 'that it is not connected', 30_000);
    await see(rows().filter({ hasText: 'gap' }), 'a line for the gap', 30_000);
    await page.keyboard.press('g');
    await see(inspector().getByRole('heading', { name: 'gap' }), 'the gap in the inspector');
    await see(
      inspector().getByText('What happened in between is only known as a difference.'),
      'what a gap means',
    );
    await inspector().getByRole('button', { name: 'Show it in Informers' }).click();
    await see(page.getByRole('heading', { name: /not (been )?watched/ }), 'the gap in words', 20_000);
  });
});
