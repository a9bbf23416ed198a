/** The command line as a process: what a user or a program sees of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loopscope as runLoopscope } from './testing.ts';

// Real processes: on a busy machine each takes its time to start.
vi.setConfig({ testTimeout: 60_000 });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const loopscope = (args: readonly string[]) => runLoopscope(folder, args);
function caseFolder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const cluster = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: databases.db.example.com }
spec:
  group: db.example.com
  scope: Namespaced
  names: { kind: Database, plural: databases }
  versions: [{ name: v1, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: object } } }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: database-operator, namespace: ops }
spec: { template: { spec: { serviceAccountName: dbop, containers: [{ name: manager, image: x }] } } }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: dbop, namespace: ops }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: dbop }
rules: [{ apiGroups: [db.example.com], resources: [databases], verbs: [get, list, watch, update, patch] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: dbop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dbop }
subjects: [{ kind: ServiceAccount, name: dbop, namespace: ops }]
`;
const refusal = JSON.stringify({
  level: 'error',
  ts: '2026-01-01T00:00:00Z',
  msg: 'Reconciler error',
  controller: 'database',
  controllerGroup: 'db.example.com',
  controllerKind: 'Database',
  error:
    'databases.db.example.com "orders" is forbidden: User "system:serviceaccount:ops:dbop" cannot update resource "databases/status" in API group "db.example.com" in the namespace "shop"',
});

test('a case folder with the missing status grant: text, JSON, exit code 3', async () => {
  const target = caseFolder('fault', { 'cluster.yaml': cluster, 'operator.log': `${refusal}\n` });
  const text = await loopscope(['check', target]);
  expect(text).toMatchObject({ code: 3, err: '' });
  expect(text.out).toContain('✖ error  ServiceAccount/ops/dbop  rbac/missing-status-subresource');
  expect(text.out).toContain('//+kubebuilder:rbac:groups=db.example.com,resources=databases/status');
  const json = await loopscope(['check', target, '--json']);
  expect(json).toMatchObject({ code: 3, err: '' });
  const document = JSON.parse(json.out) as { findings: { rule: string; subject: string }[] };
  expect(document.findings).toMatchObject([
    { rule: 'rbac/missing-status-subresource', subject: 'ServiceAccount/ops/dbop', severity: 'error' },
  ]);
  expect(document).toMatchObject({ format: 1, notEvaluated: [] });
});

test('a healthy case folder is 0; broken lines are noted and skipped', async () => {
  const healthy = cluster.replace('resources: [databases]', 'resources: [databases, databases/status]');
  const target = caseFolder('healthy', { 'cluster.yaml': healthy, 'watch.jsonl': '{broken\n' });
  const { code, out, err } = await loopscope(['check', target]);
  expect(code).toBe(0);
  expect(out).toMatch(/^Nothing found, 1 not evaluated, as of /m);
  expect(out).toContain('? all rules: A part of watch.jsonl was skipped (line 1: not a JSON line)');
  expect(err).toBe('note: watch.jsonl line 1 was skipped: not a JSON line\n');
});

test('what was skipped is in the JSON, and makes --fail-on-incomplete fail', async () => {
  const target = caseFolder('skipped', {
    'cluster.yaml': cluster.replace('resources: [databases]', 'resources: [databases, databases/status]'),
    'audit.jsonl': 'noise\nnoise\n',
  });
  const { code, out, err } = await loopscope(['check', target, '--json', '--fail-on-incomplete']);
  expect(code).toBe(5);
  expect(JSON.parse(out)).toMatchObject({
    format: 1,
    findings: [],
    notEvaluated: [
      { rule: '*', reason: expect.stringMatching(/^2 parts of audit\.jsonl were skipped \(line 1: /) },
    ],
  });
  expect(err).toContain('note: audit.jsonl line 1 was skipped');
});

test('what is skipped in one file is told ten times, then counted', async () => {
  const noise = caseFolder('noise', { 'audit.jsonl': 'noise\n'.repeat(500) });
  const { code, err } = await loopscope(['check', noise]);
  expect(code).toBe(0);
  expect(err.trim().split('\n')).toHaveLength(11);
  expect(err).toContain('note: audit.jsonl: 490 more lines were skipped.');
});

test('a target that is not there, or no case folder, is 2 with one sentence', async () => {
  const empty = caseFolder('empty', { 'README.md': 'x' });
  const file = join(empty, 'README.md');
  for (const target of [join(folder, 'nowhere'), empty, file]) {
    const { code, out, err } = await loopscope(['check', target, '--json']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^loopscope: [^\n]+\.\n$/);
  }
});

test('wrong arguments are 2 with one sentence and a hint', async () => {
  const wrong: (readonly [args: readonly string[], sentence: string])[] = [
    [['chek'], 'Did you mean check?'],
    [['check', '--jsn'], 'Did you mean --json?'],
    [['check', 'a', '--context', 'b'], '--context is for a live cluster'],
    [['run'], 'needs a command'],
    [['run', 'make'], 'goes after "--"'],
    [['--json'], 'a command comes first'],
  ];
  for (const [args, sentence] of wrong) {
    const { code, out, err } = await loopscope(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  }
});

test('help and version go to standard output with 0', async () => {
  const help = await loopscope(['check', '--help']);
  expect(help).toMatchObject({ code: 0, err: '' });
  expect(help.out).toContain('loopscope check ./case --json');
  expect((await loopscope(['help', 'run'])).out).toContain('loopscope run -- make run');
  expect((await loopscope(['--version'])).out).toMatch(/^loopscope \d+\.\d+\.\d+\n$/);
  const none = await loopscope([]);
  expect([none.code, none.out]).toEqual([2, '']);
});
