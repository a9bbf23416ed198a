/** The log formats of real operators, written by the real operator: the parser reads of each what a trace rests on. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LogEntry, parseLogLine } from '../../core/source/log/logEntry.ts';
import { readProbeLine } from '../../core/source/log/probeLine.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';

/** `stepMs`: how fine its times are. */
const formats = [
  { flags: ['--log-format=json'], stepMs: 1_000 },
  { flags: ['--log-format=json', '--log-time=rfc3339nano'], stepMs: 1 },
  { flags: ['--log-format=json', '--log-time=iso8601'], stepMs: 1 },
  { flags: ['--log-format=json', '--log-time=epoch'], stepMs: 1 },
  { flags: ['--log-format=json', '--log-time=millis'], stepMs: 1 },
  { flags: ['--log-format=json', '--log-time=nanos'], stepMs: 1 },
  { flags: ['--log-format=console'], stepMs: 1_000 },
  { flags: ['--log-format=console', '--log-time=rfc3339nano'], stepMs: 1 },
  { flags: ['--log-format=klog'], stepMs: 1 },
  { flags: ['--log-format=slog-json'], stepMs: 1 },
  { flags: ['--log-format=slog-text'], stepMs: 1 },
  { flags: ['--log-format=logr'], stepMs: 1 },
];

describe('logs of the real operator', { timeout: 60_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [operatorManifest('samples.yaml')]);
  });
  afterAll(async () => {
    admin.close();
    await cluster.stop();
  });

  test.each(formats.map((one) => ({ ...one, name: one.flags.join(' ') })))(
    '$name',
    async ({ flags, stepMs }) => {
      const from = Date.now();
      const operator = await startOperator(cluster, {
        flags: [...flags, '--fail-all', '--log-v=5', '--probe'],
      });
      const entries = () => {
        const lines = readFileSync(operator.logPath, 'utf8').split('\n').slice(0, -1);
        return lines.map((line) => parseLogLine(line, { nearMs: from }));
      };
      try {
        await eventually('three errors are logged', () => errorsOf(entries()).length >= 3);
      } finally {
        await operator.stop();
      }
      const read = entries();
      const to = Date.now();

      for (const entry of errorsOf(read)) {
        expect(entry).toMatchObject({
          level: 'error',
          error: 'provisioning storage: backend quota exceeded',
          controller: 'database',
          controllerGroup: 'db.example.com',
          controllerKind: 'Database',
          key: { namespace: 'team-a', name: expect.stringMatching(/^(orders|billing)$/) },
          reconcileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        });
        expect(entry.at?.lo, 'not before the start').toBeGreaterThan(from - stepMs);
        expect(entry.at?.hi, 'not after the end').toBeLessThanOrEqual(to + stepMs);
        expect((entry.at?.hi ?? 0) - (entry.at?.lo ?? 0), 'resolution').toBeLessThan(stepMs);
      }
      // Every run that failed has its start at V(5), and the probe's start and end, under the same id.
      for (const { reconcileId } of errorsOf(read)) {
        const own = read.filter((entry) => entry.reconcileId === reconcileId);
        expect(own.map(({ event }) => event?.kind)).toContain('reconciling');
        const probe = own.flatMap(({ msg, fields }) => readProbeLine(msg, fields) ?? []);
        expect(probe.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['start', 'read', 'end']));
        expect(probe.at(-1)).toMatchObject({ kind: 'end', result: 'error' });
      }
      const workers = read.find(({ event }) => event?.kind === 'startingWorkers');
      expect(workers).toMatchObject({ controller: 'database', event: { workers: 1 } });
    },
  );
});

function errorsOf(entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.filter(({ event }) => event?.kind === 'reconcilerError');
}
