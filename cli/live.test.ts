/** Live commands as processes, against servers that refuse: what fails, with which code and which sentence. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loopscope, start } from './testing.ts';

// Real processes: on a busy machine each takes its time to start.
vi.setConfig({ testTimeout: 60_000 });

let folder = '';
/** Answers 401 to everything. */
let refusing: Server;
let refusingUrl = '';
let closedUrl = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-live-'));
  refusing = createServer((_request, response) => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Unauthorized', code: 401 };
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(status));
  });
  refusingUrl = await listen(refusing);
  const closed = createServer();
  closedUrl = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
});
afterAll(async () => {
  refusing.closeAllConnections();
  await new Promise((resolve) => refusing.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function listen(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );
}
function kubeconfig(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const config = (server: string) => `apiVersion: v1
kind: Config
current-context: test
clusters: [{ name: c, cluster: { server: "${server}" } }]
users: [{ name: u, user: { token: wrong-secret-token } }]
contexts: [{ name: test, context: { cluster: c, user: u } }]
`;

/** One sentence on standard error, nothing on standard output, no stack, no credential. */
function expectSentence({ out, err }: { out: string; err: string }): void {
  expect(out).toBe('');
  expect(err).toMatch(/^loopscope: [^\n]+\n$/);
  expect(err).not.toMatch(/\.ts:\d|node:internal|\n\s+at |wrong-secret-token/);
}

test('kubeconfig missing, empty, malformed, no such context, no current context: 2 and a sentence', async () => {
  const good = kubeconfig('good', config(closedUrl));
  const cases: readonly (readonly string[])[] = [
    ['--kubeconfig', join(folder, 'none')],
    ['--kubeconfig', kubeconfig('empty', '')],
    ['--kubeconfig', kubeconfig('malformed', 'clusters: [\n')],
    ['--kubeconfig', good, '--context', 'other'],
    ['--kubeconfig', kubeconfig('no-current', config(closedUrl).replace('current-context: test\n', ''))],
    [],
  ];
  await Promise.all(
    cases.map(async (args) => {
      const outcome = await loopscope(folder, ['check', ...args, '--for', '0']);
      expect([args, outcome.code]).toEqual([args, 2]);
      expectSentence(outcome);
    }),
  );
});

test('unreachable and 401: 1 and a sentence', async () => {
  for (const url of [closedUrl, refusingUrl]) {
    const path = kubeconfig('failing', config(url));
    const outcome = await loopscope(folder, ['check', '--kubeconfig', path, '--json']);
    expect(outcome.code).toBe(1);
    expectSentence(outcome);
  }
});

test('trace, queue and rbac say the same of a cluster that cannot be reached, and of what was given wrong', async () => {
  const failing = kubeconfig('failing', config(closedUrl));
  await Promise.all(
    ['trace', 'queue', 'rbac'].map(async (command) => {
      const unreachable = await loopscope(folder, [command, '--kubeconfig', failing, '--json']);
      expect([command, unreachable.code]).toEqual([command, 1]);
      expectSentence(unreachable);
      const wrong = await loopscope(folder, [command, '--kubeconfig', failing, '--audit', 'none.jsonl']);
      expect([command, wrong.code]).toEqual([command, 2]);
      expectSentence(wrong);
    }),
  );
});

test('a log, a profile or a metrics URL that does not fit: 2 before anything is contacted', async () => {
  const path = kubeconfig('good', config(closedUrl));
  const wrong: readonly (readonly string[])[] = [
    ['--log', join(folder, 'none.log')],
    ['--metrics', 'ftp://127.0.0.1/'],
    ['--profile', join(folder, 'none.yaml')],
    ['--profile', kubeconfig('bad.yaml', 'format: 1\ncontrollers:\n- name: a\n')],
  ];
  await Promise.all(
    wrong.map(async (args) => {
      const outcome = await loopscope(folder, ['check', '--kubeconfig', path, ...args]);
      expect([args, outcome.code]).toEqual([args, 2]);
      expectSentence(outcome);
    }),
  );
});

test('run: a program that is not there is 2; without a command too', async () => {
  const path = kubeconfig('good', config(closedUrl));
  const outcome = await loopscope(folder, ['run', '--json', '--kubeconfig', path, '--', 'no-such-operator']);
  expect(outcome.code).toBe(2);
  expectSentence(outcome);
});

test('run: the child runs with the kubeconfig, its output passes, and the cluster that fails is told', async () => {
  const path = kubeconfig('failing', config(refusingUrl));
  const script = "console.log('config ' + process.env.KUBECONFIG); console.error('to stderr')";
  const outcome = await loopscope(folder, [
    'run',
    '--json',
    '--kubeconfig',
    path,
    '--metrics',
    'http://127.0.0.1:1/metrics',
    '--',
    process.execPath,
    '-e',
    script,
  ]);
  expect([outcome.code, outcome.out]).toEqual([1, '']);
  expect(outcome.err).toContain(`config ${path}\n`);
  expect(outcome.err).toContain('to stderr\n');
  expect(outcome.err).toContain('the operator ended with code 0');
  expect(outcome.err.match(/\(401\)/g)).toHaveLength(1);
});

/** Serves pods, deployments and roles as kinds; what `answer` does not take is a 404. */
async function cluster(answer: (path: string, response: ServerResponse) => boolean) {
  const verbs = ['get', 'list', 'watch'];
  const kinds = (groupVersion: string, kind: string) => ({
    kind: 'APIResourceList',
    groupVersion,
    resources: [{ name: `${kind.toLowerCase()}s`, kind, namespaced: true, verbs }],
  });
  const group = (name: string) => ({ name, versions: [{ version: 'v1' }] });
  const documents: Readonly<Record<string, unknown>> = {
    '/version': { gitVersion: 'v1.37.2', major: '1', minor: '37' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/api/v1': kinds('v1', 'Pod'),
    '/apis': { kind: 'APIGroupList', groups: [group('apps'), group('rbac.authorization.k8s.io')] },
    '/apis/apps/v1': kinds('apps/v1', 'Deployment'),
    '/apis/rbac.authorization.k8s.io/v1': kinds('rbac.authorization.k8s.io/v1', 'Role'),
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (answer(path, response)) return;
    const document = documents[path] ?? { kind: 'Status', code: 404 };
    response.writeHead(path in documents ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  });
  return { server, url: await listen(server) };
}

test('a kind that is never listed: what is there is judged after --sync-timeout or Ctrl-C, the rest named', async () => {
  const silent = await cluster((path) => path.endsWith('/roles') || path.endsWith('/deployments'));
  try {
    const path = kubeconfig('silent', config(silent.url));
    const args = ['check', '--kubeconfig', path, '--json', '--fail-on-incomplete'];
    const late = await loopscope(folder, [...args, '--sync-timeout', '500ms']);
    expect([late.code, late.err]).toEqual([5, '']);
    expect(JSON.parse(late.out).notEvaluated).toEqual([
      {
        rule: '*',
        reason:
          'not read within 0.5 s: roles.rbac.authorization.k8s.io, deployments.apps; what rests on it was not judged. Wait longer with --sync-timeout.',
      },
      {
        rule: 'rbac/missing-status-subresource',
        reason: expect.stringContaining('Roles and bindings could not be read'),
      },
    ]);
    const running = start(folder, ['check', '--kubeconfig', path]);
    await running.until(({ err }) => err.includes('Reading only.'));
    running.process.kill('SIGINT');
    const interrupted = await running.ended;
    expect(interrupted.code).toBe(0);
    expect(interrupted.out).toContain('? all rules: interrupted before it was read: roles.rbac');
  } finally {
    silent.server.closeAllConnections();
    silent.server.close();
  }
});

test('a group that cannot be discovered is named, and what rests on it is not evaluated', async () => {
  const broken = await cluster((path, response) => {
    if (path !== '/apis/apps/v1') return false;
    response.writeHead(500).end();
    return true;
  });
  try {
    const path = kubeconfig('broken', config(broken.url));
    const outcome = await loopscope(folder, ['check', '--kubeconfig', path, '--for', '0', '--json']);
    expect(outcome.err).toMatch(
      /^note: apps\/v1 cannot be discovered, so nothing of it is watched: [^\n]+\n$/,
    );
    const { notEvaluated } = JSON.parse(outcome.out);
    const names = '(daemonsets.apps, deployments.apps, statefulsets.apps)';
    expect(notEvaluated).toMatchObject([{ reason: expect.stringContaining(`could not be read ${names}`) }]);
  } finally {
    broken.server.closeAllConnections();
    broken.server.close();
  }
});

const built = existsSync(fileURLToPath(new URL('../dist/renderer/index.html', import.meta.url)));
describe.skipIf(!built)('with the window built (skipped where it is not)', () => {
  test('start prints an address that works once, and ends on SIGTERM with 0', async () => {
    const running = start(folder, ['start', '--no-open', '--port', '0']);
    await running.until(({ out }) => /http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n/.test(out));
    running.process.kill('SIGTERM');
    const err = 'Loopscope opens in the browser: --port was given.\n';
    expect(await running.ended).toMatchObject({ code: 0, err });
  });

  test('run: Ctrl-C ends the child first and the window stays; the next one ends all', async () => {
    const path = kubeconfig('failing', config(refusingUrl));
    const script =
      "process.on('SIGINT', () => { console.log('child ends'); process.exit(0); }); console.log('child up'); setInterval(() => {}, 1000)";
    const running = start(folder, [
      'run',
      '--no-open',
      '--port',
      '0',
      '--kubeconfig',
      path,
      '--',
      process.execPath,
      '-e',
      script,
    ]);
    await running.until(({ out, err }) => out.includes('child up') && err.includes('#token='));
    running.process.kill('SIGINT');
    await running.until(({ out, err }) => out.includes('child ends') && err.includes('The window stays'));
    running.process.kill('SIGINT');
    expect((await running.ended).code).toBe(1);
  });
});
