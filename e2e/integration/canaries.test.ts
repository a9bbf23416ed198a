/**
 * What must never reach the disk is planted everywhere it could come from, and looked for everywhere it could go: in the
 * raw session file and what lies beside it, in its decompressed blocks, in a saved copy, in preferences, in our own log.
 * Log lines are kept as they came (docs/spec/session.md, "What is in it"): redaction belongs to exports.
 */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeEngine, type NodeEngine } from '../../core/node/createNodeEngine.ts';
import { createCodec, probeCapabilities } from '../../core/node/sqliteCodec.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, applyYaml, type KubeClient, type KubeJson } from '../testbed/kubeClient.ts';
import { installOperator } from '../testbed/operator.ts';
import { testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';

/** Each must never be found; `visible` and `logLine` must, or the search proves nothing. */
const canaries = {
  secretData: 'canary-of-secret-data',
  stringData: 'canary-of-string-data',
  lastApplied: 'canary-of-last-applied',
  annotation: 'canary-of-a-token-annotation',
  templateAnnotation: 'canary-of-a-template-annotation',
  env: 'canary-of-a-container-env',
  initEnv: 'canary-of-an-init-container-env',
  argument: 'canary-of-a-flag-value',
  nextArgument: 'canary-of-the-argument-after-a-flag',
  command: 'canary-of-a-shell-assignment',
  url: 'canary-of-a-password-in-a-url',
  secondEnv: 'canary-of-a-stateful-set-env',
  execArgument: 'canary-of-an-exec-argument',
  execEnv: 'canary-of-an-exec-env',
  refusedToken: 'canary-of-a-token-that-is-refused',
  metricsLogin: 'canary-of-a-metrics-login',
  metricsQuery: 'canary-of-a-metrics-query',
  auditBody: 'canary-of-an-audited-secret',
  brokenAudit: 'canary-of-an-audit-line-that-ends-early',
};
const visible = 'canary-that-may-be-seen';
const logLine = 'canary-of-a-log-line';

describe('canaries', { timeout: 120_000 }, async () => {
  const cluster = await clusterOrSkip();
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  const home = mkdtempSync(join(cluster.dir, 'canaries-'));
  const ownLog: string[] = [];
  const metrics = createServer((_, response) => response.end('workqueue_depth{name="database"} 0\n'));
  let node: NodeEngine;

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [testbedManifest('reader.yaml')]);
    await applyYaml(admin, '{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}');
    for (const object of plantedObjects('before')) await admin.create(object);
    await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve));
    node = createNodeEngine({
      kubeconfig: kubeconfigWithCanaries(),
      env: {
        ...process.env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_DATA_HOME: join(home, 'data'),
      },
      log: (line) => ownLog.push(line),
      onBug: (where, error) =>
        ownLog.push(`bug ${where} ${error instanceof Error ? error.stack : String(error)}`),
    });
  });

  afterAll(async () => {
    node.dispose();
    metrics.close();
    admin.close();
    await cluster.stop();
  });

  test('none of them is on the disk or in our own output, however it is looked for', async () => {
    const { engine, host } = node;
    const refused = await engine.connect({ context: 'refused' });
    if (refused.ok) throw new Error('a wrong token was accepted');
    ownLog.push(refused.error.message);
    const failed = await engine.connect({ context: 'failing', consent: 'once' });
    if (failed.ok) throw new Error('a failing credential plugin was accepted');
    ownLog.push(failed.error.message);
    // "Always for this context" writes to the preferences.
    const connected = await engine.connect({ context: 'plugin', consent: 'always' });
    if (!connected.ok) throw new Error(connected.error.message);
    const session = connected.value;
    await session.synced();

    const log = join(home, 'operator.log');
    writeFileSync(
      log,
      `{"level":"error","ts":"2026-11-30T08:00:00Z","msg":"login failed","password":"${logLine}"}\n`,
    );
    engine.attach({ kind: 'log', label: log, start: (sink) => host.feeds.tail(log, sink) });
    const audit = join(home, 'audit.jsonl');
    writeFileSync(audit, auditLines());
    engine.attach({ kind: 'audit', label: audit, start: (sink) => host.feeds.read(audit, sink) });
    const { port } = metrics.address() as AddressInfo;
    // One with a login is refused; neither that nor a token in the query is recorded.
    const login = `reader:${canaries.metricsLogin}@`;
    for (const who of [login, '']) {
      const url = `http://${who}127.0.0.1:${port}/metrics?token=${canaries.metricsQuery}`;
      engine.attach({ kind: 'metrics', label: url, start: (sink) => host.feeds.scrape(url, sink) });
    }

    // Everything is read in full, changes while it is watched, and goes.
    const keys = [
      '/Secret/team-a/before',
      '/ConfigMap/team-a/before',
      'apps/Deployment/team-a/before',
      'apps/StatefulSet/team-a/before',
    ];
    for (const key of keys) session.upgrade(key as Parameters<typeof session.upgrade>[0]);
    const full = ['configmaps', 'deployments', 'statefulsets'];
    await eventually('all but Secrets are watched in full', () => {
      const rows = session.informers.rows.filter(
        ({ state, detail }) => state === 'live' && detail === 'full',
      );
      const missing = full.filter((name) => !rows.some(({ resource }) => resource === name));
      if (missing.length > 0)
        throw new Error(
          session.informers.rows.map((row) => `${row.resource} ${row.state} ${row.detail}`).join(', '),
        );
      return true;
    });
    for (const object of plantedObjects('after')) await admin.create(object);
    const versions = async () => {
      const out = new Map<string, string>();
      for (const { apiVersion, kind } of plantedObjects('')) {
        const ref = { apiVersion: apiVersion ?? '', kind: kind ?? '', namespace: 'team-a', name: 'before' };
        const patched = await admin.patch(ref, { metadata: { labels: { touched: String(Date.now()) } } });
        out.set(kind ?? '', patched.metadata?.resourceVersion ?? '');
      }
      return out;
    };
    const patched = await versions();
    const recorder = session.recorder;
    await eventually('every change is recorded, all but the Secret in full', () => {
      const found = new Set<string>();
      for (const head of recorder.log.heads({ kinds: ['object'], reverse: true, limit: 500 })) {
        for (const [kind, version] of patched)
          if (head.resourceVersion === version && head.metadataOnly === (kind === 'Secret')) found.add(kind);
      }
      return found.size === patched.size;
    });
    await eventually('the log line, the audit log and a scrape are recorded', () => {
      const kinds = [...recorder.log.heads({ kinds: ['log', 'metrics', 'audit'] })].map(({ kind }) => kind);
      return ['log', 'metrics', 'audit'].every((kind) => kinds.some((one) => one === kind));
    });
    const saved = await host.library.save(recorder.log, 'saved', undefined);
    if (!saved.ok) throw new Error(saved.error.message);
    recorder.log.flush();

    const running = filesBelow(home);
    expect(running.some(({ name }) => name.endsWith('-wal'))).toBe(true);
    searchAll(running);
    engine.disconnect();
    const closed = filesBelow(home);
    expect(closed.map(({ name }) => name.split('.').at(-1)).sort()).toEqual(
      expect.arrayContaining(['json', 'kubeconfig', 'log', 'loopscope', 'loopscope']),
    );
    searchAll(closed);

    const secrets = [...blocksOf(closed.find(({ name }) => name.endsWith('.loopscope'))?.path ?? '')].join(
      '\n',
    );
    expect(secrets).toContain('"kind":"PartialObjectMetadata"');
    expect(secrets).not.toMatch(/(?<!"requestObject":\{)"kind":"Secret"[^\n]{0,2000}"data":/);
    search('our own output', Buffer.from(ownLog.join('\n')));
    expect(ownLog.filter((line) => line.startsWith('bug '))).toEqual([]);
  });

  /** Two contexts that cannot be used, and one whose credentials come from a program. */
  function kubeconfigWithCanaries(): string {
    const server = { server: cluster?.url, 'certificate-authority': cluster?.caFile };
    const credential = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: cluster?.token('loopscope-user') },
    });
    const exec = (script: string) => ({
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        interactiveMode: 'Never',
        command: '/bin/sh',
        args: ['-c', script, `--password=${canaries.execArgument}`],
        env: [{ name: 'PLUGIN_SECRET', value: canaries.execEnv }],
      },
    });
    const users = [
      { name: 'refused', user: { token: canaries.refusedToken } },
      { name: 'failing', user: exec(`echo "no login with $PLUGIN_SECRET" >&2; exit 1`) },
      { name: 'plugin', user: exec(`echo '${credential}'`) },
    ];
    const file = join(home, 'kubeconfig');
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'plugin',
        clusters: [{ name: 'testbed', cluster: server }],
        users,
        contexts: users.map(({ name }) => ({ name, context: { cluster: 'testbed', user: name } })),
      }),
      { mode: 0o600 },
    );
    return file;
  }
});

interface Found {
  readonly path: string;
  readonly name: string;
}

/** What we wrote; the kubeconfig and the operator's log are the test's own. */
function filesBelow(home: string): readonly Found[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, path: join(home, name) }))
    .filter(({ path }) => statSync(path).isFile());
}

function searchAll(files: readonly Found[]): void {
  let [sessions, preferences] = [0, 0];
  const given = ['kubeconfig', 'operator.log', 'audit.jsonl'];
  const ours = files.filter(({ name }) => !given.includes(name));
  const raw = Buffer.concat(ours.map(({ path }) => readFileSync(path)));
  for (const { name, path } of ours) {
    search(name, readFileSync(path));
    if (name.endsWith('preferences.json')) preferences++;
    if (!name.endsWith('.loopscope')) continue;
    sessions++;
    const inside = Buffer.concat([...blocksOf(path)]);
    search(`the blocks of ${name}`, inside);
    expect(inside.includes(visible), `what may be seen is in ${name}`).toBe(true);
    expect(inside.includes(logLine), `the log line is in ${name}, as it came`).toBe(true);
  }
  // The two that could not connect left none.
  expect({ sessions, preferences, some: raw.length > 10_000 }).toEqual({
    sessions: 2,
    preferences: 1,
    some: true,
  });
}

/** Plain, in base64 at each of its three places, and in a URL. */
function search(where: string, bytes: Buffer): void {
  for (const [name, canary] of Object.entries(canaries)) {
    const encoded = ['', 'x', 'xx'].map((before) => {
      const text = Buffer.from(before + canary).toString('base64');
      return text.slice(before === '' ? 0 : 4, -4);
    });
    for (const form of [canary, ...encoded, encodeURIComponent(`"${canary}"`)])
      expect(bytes.includes(form), `the canary of ${name} in ${where}, as ${form}`).toBe(false);
  }
}

/** Every blob and text of a session file, decompressed. */
function* blocksOf(file: string): Iterable<Buffer> {
  const codec = createCodec(probeCapabilities());
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    for (const row of database.prepare('SELECT objects, heads, payload FROM block').iterate()) {
      for (const blob of Object.values(row))
        if (blob instanceof Uint8Array) yield Buffer.from(codec.unpack(blob));
    }
    for (const table of ['tail', 'fact', 'interval', 'source', 'meta', 'summary']) {
      for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) {
        for (const value of Object.values(row))
          yield value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
      }
    }
  } finally {
    database.close();
  }
}

function plantedObjects(name: string): readonly KubeJson[] {
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ data: canaries.lastApplied }),
    'example.com/api-token': canaries.annotation,
    'example.com/note': visible,
  };
  const metadata = { namespace: 'team-a', name, annotations };
  const podSpec = {
    restartPolicy: 'Always',
    initContainers: [
      { name: 'init', image: 'example.com/init', env: [{ name: 'API_TOKEN', value: canaries.initEnv }] },
    ],
    containers: [
      {
        name: 'main',
        image: 'example.com/main',
        command: ['/bin/sh', '-c', `export DB_PASSWORD=${canaries.command}; exec main`],
        args: [`--auth-token=${canaries.argument}`, '--client-secret', canaries.nextArgument],
        env: [
          { name: 'DB_PASSWORD', value: canaries.env },
          { name: 'DATABASE_URL', value: `postgres://app:${canaries.url}@db.example.com/app` },
          { name: 'NOTE', value: visible },
        ],
      },
    ],
  };
  const template = {
    metadata: {
      labels: { app: name },
      annotations: { 'example.com/session-token': canaries.templateAnnotation },
    },
    spec: podSpec,
  };
  const second = {
    metadata: { labels: { app: name } },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'example.com/db',
          env: [{ name: 'CLIENT_SECRET', value: canaries.secondEnv }],
        },
      ],
    },
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      data: { password: Buffer.from(canaries.secretData).toString('base64') },
      stringData: { second: canaries.stringData },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { mode: visible } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: 0, selector: { matchLabels: { app: name } }, template },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: {
        replicas: 0,
        serviceName: name,
        selector: { matchLabels: { app: name } },
        template: second,
      },
    },
  ];
}

/** A request at level RequestResponse, and one that the file ends in. */
function auditLines(): string {
  const event = (value: string) =>
    JSON.stringify({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: 'one',
      stage: 'ResponseComplete',
      verb: 'create',
      user: { username: 'system:serviceaccount:dbops-system:database-operator' },
      objectRef: { resource: 'secrets', namespace: 'team-a', name: 'login', apiVersion: 'v1' },
      responseStatus: { code: 201 },
      requestReceivedTimestamp: '2026-11-30T08:00:00.000001Z',
      stageTimestamp: '2026-11-30T08:00:00.004001Z',
      requestObject: { kind: 'Secret', stringData: { password: value } },
    });
  const broken = event(canaries.brokenAudit);
  return `${event(canaries.auditBody)}\n${broken.slice(0, -5)}`;
}
