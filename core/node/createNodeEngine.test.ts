import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppInfo } from '../../shared/contract/api.ts';
import { createNodeEngine, type NodeEngineOptions } from './createNodeEngine.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loopscope-engine-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const kubeconfig = `
apiVersion: v1
kind: Config
current-context: dev
contexts: [{ name: dev, context: { cluster: dev, user: dev } }]
clusters: [{ name: dev, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: dev, user: { token: t } }]
`;

/** What a window is told to open. */
async function autoOpen(options: NodeEngineOptions = {}, env: Record<string, string> = {}) {
  const node = createNodeEngine({ record: 'memory', env: { HOME: home, ...env }, ...options });
  try {
    const info = (await node.engine.handlers.methods['app.info'](
      {},
      { signal: new AbortController().signal },
    )) as AppInfo;
    return info.autoOpen;
  } finally {
    node.dispose();
  }
}

describe('what a window opens by itself', () => {
  test('[ST5] nothing where there is a kubeconfig; the recorded incidents where there is none', async () => {
    expect(await autoOpen()).toEqual({ demos: true });
    mkdirSync(join(home, '.kube'));
    writeFileSync(join(home, '.kube/config'), '');
    expect(await autoOpen()).toEqual({ demos: true });
    writeFileSync(join(home, '.kube/config'), kubeconfig);
    expect(await autoOpen()).toBeUndefined();
  });

  test('[ST5] nothing where a kubeconfig was named that is missing or broken: that is told instead', async () => {
    expect(await autoOpen({}, { KUBECONFIG: join(home, 'nowhere') })).toBeUndefined();
    expect(await autoOpen({ kubeconfig: join(home, 'nowhere') })).toBeUndefined();
    mkdirSync(join(home, '.kube'));
    writeFileSync(join(home, '.kube/config'), '{');
    expect(await autoOpen()).toBeUndefined();
  });

  test('[ST5] nothing where a context was asked for', async () => {
    expect(await autoOpen({ autoConnect: { context: 'dev', namespaces: [] } })).toBeUndefined();
  });

  test('[ST6] what was asked for, with a kubeconfig and without', async () => {
    const session = { session: join(home, 'a.loopscope') };
    expect(await autoOpen({ autoOpen: session })).toEqual(session);
    mkdirSync(join(home, '.kube'));
    writeFileSync(join(home, '.kube/config'), kubeconfig);
    expect(await autoOpen({ autoOpen: session })).toEqual(session);
    expect(await autoOpen({ autoOpen: { demo: 'hot-loop' } })).toEqual({ demo: 'hot-loop' });
  });
});
