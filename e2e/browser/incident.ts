/** One scene for tests that look at every view: an operator without databases/status, its log and metrics attached. */
import type { Page } from 'playwright-core';
import { applyManifests, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { startPodStandIn } from '../testbed/podStandIn.ts';
import type { BrowserBed } from './chromium.ts';
import { startHost } from './webHost.ts';
import { connected, openPage, openTab, see, type TabName, type WindowPage } from './windowPage.ts';

export interface Incident {
  readonly window: WindowPage;
  /** Somebody else's Role comes and changes, so that there is something to see in Events and Timeline. */
  changeRole(): Promise<void>;
  stop(): Promise<void>;
}

export type ViewName = 'Connect' | TabName;

/** In the order of a walk: Connect first, while nothing is connected. */
export const views: readonly ViewName[] = [
  'Connect',
  'Events',
  'Timeline',
  'Why',
  'Conditions',
  'Ownership',
  'Informers',
  'Queue',
  'RBAC',
  'Findings',
];

/** The window stands on the Connect page; `show` connects as soon as another view is asked for. */
export async function startIncident(bed: BrowserBed): Promise<Incident> {
  const { cluster, browser } = bed;
  const admin = cluster.client('admin');
  await installOperator(admin, { role: 'without-status' });
  await applyManifests(admin, [testbedManifest('reader.yaml'), operatorManifest('samples.yaml')]);
  await moreDatabases(admin);
  const pods = startPodStandIn(admin);
  const operator = await startOperator(cluster);
  const host = await startHost({
    dir: cluster.dir,
    args: [
      ...['--kubeconfig', cluster.kubeconfigPath('loopscope-user')],
      ...['--log', operator.logPath, '--metrics', operator.metricsUrl],
    ],
  });
  const window = await openPage(browser, host);
  return {
    window,
    async changeRole() {
      const role = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { namespace: 'team-a', name: 'app-reader' },
      };
      const rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };
      await admin.create({ ...role, rules: [rule] });
      await admin.patch(
        { ...role, ...role.metadata },
        { rules: [rule, { ...rule, resources: ['pods'], verbs: ['get', 'list'] }] },
      );
    },
    async stop() {
      await window.close();
      await host.stop();
      await operator.stop();
      await pods.stop();
      admin.close();
    },
  };
}

/** Brings a view on screen and waits for what it is there to tell. */
export async function show(page: Page, view: ViewName): Promise<void> {
  if (view === 'Connect') {
    await see(page.getByRole('option').filter({ hasText: 'testbed' }), 'the context');
    return;
  }
  const go = page.getByRole('button', { name: 'Connect to testbed', exact: true });
  if (await go.isVisible()) {
    await go.click();
    await connected(page);
    // Whether the log has told of a failing key by then is a matter of a second.
    const first = page.getByRole('tab', { name: /^(Why|Findings)/, selected: true });
    await see(first, 'a window that nobody touched opens at the failing key, or at the open error');
  }
  const rows = page.getByRole('row').filter({ has: page.getByRole('gridcell') });
  await openTab(page, view);
  if (isObjectView(view) && (await page.getByRole('heading', { name: noObject }).isVisible())) {
    await openByName(page, 'orders');
    await openTab(page, view);
  }
  switch (view) {
    case 'Events':
      await page.getByRole('checkbox', { name: 'Initial lists' }).check();
      await rows.first().click();
      break;
    case 'Queue':
      await see(rows.filter({ hasText: 'billing' }), 'a failing key', 45_000);
      await see(page.getByText('hit, ').first(), 'a prediction that came true', 45_000);
      break;
    case 'RBAC':
      await see(page.getByText(/granted by no role/), 'the gap');
      // The operator wrote to its objects in the second of their creation, and created none of them.
      await see(rows.filter({ hasText: /^Gaps\s*1 ·/ }), 'that it is the only one');
      break;
    case 'Findings':
      await see(rows.filter({ hasText: 'rbac/missing-status-subresource' }), 'the finding');
      break;
    case 'Why':
    case 'Conditions':
    case 'Ownership':
      await see(page.getByRole('region', { name: view }).getByRole('heading'), `what ${view} says`);
      return;
    case 'Timeline':
    case 'Informers':
      break;
  }
  await see(rows, `rows of ${view}`);
}

const noObject = /^No object (chosen|is open)/;

function isObjectView(view: ViewName): boolean {
  return view === 'Why' || view === 'Timeline' || view === 'Conditions' || view === 'Ownership';
}

async function openByName(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Objects and commands' }).fill(name);
  await page.getByRole('option').filter({ hasText: 'Database' }).filter({ hasText: name }).first().click();
}

/** Enough keys for a queue that is worth looking at. */
async function moreDatabases(admin: KubeClient): Promise<void> {
  for (const [index, name] of ['carts', 'invoices', 'sessions', 'stock', 'users'].entries()) {
    await admin.create({
      apiVersion: 'db.example.com/v1',
      kind: 'Database',
      metadata: { namespace: 'team-a', name },
      spec: { engine: 'postgres', version: '17', replicas: (index % 3) + 1 },
    });
  }
}
