/** Kubeconfigs as people have them: each failure is one sentence, an exit code, no stack trace and no credential. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, repositoryRoot, testbedManifest } from '../testbed/paths.ts';
import { freePorts } from '../testbed/processes.ts';
import { eventually } from '../testbed/wait.ts';
import { assertOnlyReads } from './auditLog.ts';

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** design, section 6. */
const zReport = z.strictObject({
  format: z.literal(1),
  asOf: z.iso.datetime(),
  findings: z.array(
    z.object({
      rule: z.string(),
      severity: z.enum(['error', 'warning', 'info']),
      subject: z.string().regex(/^[^/]+\/[^/]+\/[^/]+$/),
      title: z.string(),
      why: z.string(),
      basis: z.enum(['observed', 'reported', 'inferred']),
      fix: z.object({ text: z.string(), patch: z.string().optional(), marker: z.string().optional() }),
      evidence: z.array(z.object({ text: z.string() })).min(1),
    }),
  ),
  notEvaluated: z.array(z.object({ rule: z.string(), reason: z.string() })),
});

describe('loopscope check and kubeconfigs', { timeout: 60_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  const home = mkdtempSync(join(cluster.dir, 'cli-'));
  const good = cluster.kubeconfigPath('loopscope-user');
  const token = cluster.token('loopscope-user');
  let operator: RunningOperator;

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [testbedManifest('reader.yaml'), operatorManifest('samples.yaml')]);
    operator = await startOperator(cluster);
  });

  afterAll(async () => {
    await operator.stop();
    assertOnlyReads(cluster);
    admin.close();
    await cluster.stop();
  });

  function file(name: string, text: string): string {
    const path = join(home, name);
    writeFileSync(path, text);
    return path;
  }

  /** The good one with one thing changed. */
  function changed(name: string, change: (config: ReturnType<typeof readGood>) => void): string {
    const config = readGood();
    change(config);
    return file(name, stringify(config));
  }

  function readGood() {
    return parse(readFileSync(good, 'utf8')) as {
      clusters: [{ cluster: Record<string, string> }];
      users: [{ user: Record<string, string> }];
    };
  }

  function loopscope(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [join(repositoryRoot, 'cli', 'launcher.mjs'), ...args], {
        cwd: home,
        env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 50_000,
      });
      const outcome = { out: '', err: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        outcome.out += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        outcome.err += text;
      });
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, ...outcome }));
    });
  }

  function expectSentence({ code, out, err }: Outcome, wantedCode: number, says: RegExp): void {
    expect(err).toMatch(says);
    expect(code).toBe(wantedCode);
    expect(out).toBe('');
    // One sentence for a person: no stack, no file of ours, nothing secret.
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).not.toMatch(/\n\s+at |\.ts:\d|\.m?js:\d|node:internal|\[object/);
    expect(err).not.toContain(token);
    expect(err).not.toContain('wrong-token-canary');
  }

  describe('what was given is wrong: exit code 2', () => {
    test('a file that is not there', async () => {
      const path = join(home, 'nowhere.yaml');
      expectSentence(await loopscope(['check', '--kubeconfig', path]), 2, /nowhere\.yaml/);
    });

    test('no kubeconfig at all', async () => {
      expectSentence(await loopscope(['check']), 2, /kubeconfig/i);
    });

    test('an empty file', async () => {
      expectSentence(await loopscope(['check'], { KUBECONFIG: file('empty.yaml', '') }), 2, /empty/i);
    });

    test('a malformed file', async () => {
      const path = file('malformed.yaml', `${readFileSync(good, 'utf8')}\n  - {{ token: ${token}\n`);
      expectSentence(await loopscope(['check', '--kubeconfig', path]), 2, /malformed\.yaml/);
    });

    test('no such context', async () => {
      const outcome = await loopscope(['check', '--kubeconfig', good, '--context', 'staging']);
      expectSentence(outcome, 2, /staging.*testbed/);
    });

    test('a flag that does not exist', async () => {
      expectSentence(await loopscope(['check', '--kubekonfig', good]), 2, /--kubeconfig/);
    });
  });

  describe('it could not be done: exit code 1', () => {
    test('nobody listens', async () => {
      const [port] = await freePorts(1);
      const path = changed('unreachable.yaml', (config) => {
        config.clusters[0].cluster.server = `https://127.0.0.1:${port}`;
      });
      expectSentence(
        await loopscope(['check', '--kubeconfig', path]),
        1,
        new RegExp(`127\\.0\\.0\\.1:${port}`),
      );
    });

    test('a wrong token: 401', async () => {
      const path = changed('wrong-token.yaml', (config) => {
        config.users[0].user = { token: 'wrong-token-canary' };
      });
      expectSentence(await loopscope(['check', '--kubeconfig', path]), 1, /401|not accept|credential/i);
    });

    test('a certificate that is not trusted', async () => {
      const path = changed('untrusted.yaml', (config) => {
        delete config.clusters[0].cluster['certificate-authority-data'];
      });
      expectSentence(await loopscope(['check', '--kubeconfig', path]), 1, /certificate/i);
    });
  });

  test('a healthy cluster: exit code 0 and the JSON of the design', async () => {
    const { code, out, err } = await loopscope(['check', '--kubeconfig', good, '--for', '2s', '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const report = zReport.parse(JSON.parse(out));
    expect(report).toMatchObject({ findings: [], notEvaluated: [] });
    expect(Math.abs(Date.now() - Date.parse(report.asOf))).toBeLessThan(10_000);
  });

  test('the grant missing: exit code 3, the finding in the JSON and in the text', async () => {
    await operator.stop();
    await applyManifests(admin, [operatorManifest('role-without-status.yaml')]);
    // A status that is right already is not written again.
    const orders = { apiVersion: 'db.example.com/v1', kind: 'Database', namespace: 'team-a', name: 'orders' };
    await admin.patch(orders, { spec: { replicas: 3 } });
    operator = await startOperator(cluster);
    await eventually('a refused write is logged', () =>
      readFileSync(operator.logPath, 'utf8').includes('databases/status'),
    );
    const args = ['check', '--kubeconfig', good, '--for', '2s', '--log', operator.logPath];
    const json = await loopscope([...args, '--json']);
    expect({ code: json.code, err: json.err }).toEqual({ code: 3, err: '' });
    const report = zReport.parse(JSON.parse(json.out));
    expect(report.findings).toMatchObject([
      {
        rule: 'rbac/missing-status-subresource',
        severity: 'error',
        subject: 'ServiceAccount/dbops-system/database-operator',
        basis: 'reported',
        fix: { marker: expect.stringContaining('databases/status') },
      },
    ]);
    const text = await loopscope(args);
    expect(text.code).toBe(3);
    expect(text.out).toContain('rbac/missing-status-subresource');
    expect(text.out).toContain('kubectl patch clusterrole database-operator');
    expect(`${json.out}${text.out}${text.err}`).not.toContain(token);
  });
});
