/** A recording of a real operator, opened again: every view at a moment is what the live window showed at that moment. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionViews } from '../../core/testing/sessionViews.ts';
import { objectKey } from '../../shared/model/ids.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { openWindow, type TestWindow } from './testWindow.ts';

const orders = objectKey({ group: 'db.example.com', kind: 'Database', namespace: 'team-a', name: 'orders' });

describe('a recording', { timeout: 120_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  let operator: RunningOperator;

  beforeAll(async () => {
    await installOperator(admin, { role: 'without-status' });
    await applyManifests(admin, [testbedManifest('reader.yaml'), operatorManifest('samples.yaml')]);
    operator = await startOperator(cluster);
  });

  afterAll(async () => {
    await operator.stop();
    admin.close();
    await cluster.stop();
  });

  test('[PB1] shows, opened, what the live window showed, while another recording goes on', async () => {
    const window = openWindow(cluster);
    try {
      await window.connect();
      await window.client.call('feed.attachLog', { path: operator.logPath });
      await window.client.call('feed.attachMetrics', { url: operator.metricsUrl });
      const queue = window.value('queue', { controller: 'database' });
      await queue.until('keys fail', (view) => (view.snapshot?.failures.length ?? 0) > 0);
      const moments = [await quietMoment(window)];
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      moments.push(await quietMoment(window));
      const { file = '' } = window.session().recorder.log;
      window.engine.disconnect();
      // A new recording begins, and goes on while the old one is looked at.
      await window.connect();
      const { records: before } = window.session().stats();
      expect(await window.client.call('session.open', { path: file })).toEqual({ ok: true });
      for (const { at, views } of [...moments].reverse()) {
        expect(await window.client.call('playback.seek', { at })).toEqual({ ok: true });
        expect(comparable(viewsOf(window))).toEqual(comparable(views));
      }
      const playback = window.value('playback', {});
      await playback.until('the recording behind grows', ({ behind }) => (behind?.records ?? 0) > before);
      expect(await window.client.call('session.close', {})).toEqual({ ok: true });
      await playback.until('the cluster is shown', ({ origin }) => origin === 'cluster');
    } finally {
      window.close();
    }
  });
});

function viewsOf(window: TestWindow): Record<string, unknown> {
  const session = window.engine.session();
  if (session === undefined) throw new Error('nothing is shown');
  return sessionViews(session, ['database'], orders) as Record<string, unknown>;
}

/** A moment at which nothing has come for a while, so that every view has caught up. */
async function quietMoment(window: TestWindow): Promise<{ at: number; views: Record<string, unknown> }> {
  let records = 0;
  let since = Date.now();
  return eventually(
    'nothing comes for a moment',
    () => {
      const now = window.session().stats().records;
      if (now !== records) {
        records = now;
        since = Date.now();
      }
      if (Date.now() - since < 700) return undefined;
      window.session().watching.refreshRows();
      return { at: Date.now(), views: viewsOf(window) };
    },
    { timeoutMs: 30_000, intervalMs: 10 },
  );
}

/** Without what runs on from one ms to the next, and what only the host knows. */
function comparable(views: Record<string, unknown>): unknown {
  return JSON.parse(
    JSON.stringify(views, (name, value) => (running.has(name) ? undefined : value)),
  ) as unknown;
}

const running = new Set([
  'at',
  'inQueueMs',
  'runningMs',
  'perMinute',
  'gapMs',
  'lastResourceVersion',
  'history',
  'requests',
]);
