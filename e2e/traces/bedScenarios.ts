/** For tests: scenarios recorded on the test bed, scored against the bars and compared with their golden traces. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../testbed/cluster.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { missed } from './bars.ts';
import { differences, goldenScenarios, readGolden, shapesOf } from './golden.ts';
import { recordRun } from './recordRun.ts';
import { type Scenario, type ScenarioName, scenarios } from './scenarios.ts';
import { type RunScore, scoreRun } from './scoreRun.ts';

/** One test a scenario; skipped visibly where there is no test bed. */
export function testScenarios(title: string, names: readonly ScenarioName[]): void {
  describe(title, { timeout: 120_000 }, async () => {
    const cluster = await clusterOrSkip('database-operator');
    if (cluster === undefined) return;
    const folder = mkdtempSync(join(tmpdir(), 'loopscope-traces-'));
    afterAll(async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each(names)('%s', async (name) => {
      const run = await recorded(cluster, name, join(folder, name));
      const { leastWrites = 1 }: Scenario = scenarios[name];
      expect.soft(missed(run, { leastWrites, whole: true }), faultsOf(run)).toEqual([]);
      if (!goldenScenarios.includes(name)) return;
      const golden = readGolden(name);
      const [row] = run.rows;
      if (golden === undefined || row === undefined) throw new Error(`${name} has no golden trace`);
      // How many writes may be out of place is for the bars to say.
      const sure = row.spans.filter(({ reconcileId = '' }) => !row.score.inDoubt.has(reconcileId));
      expect(differences(golden, shapesOf(name, sure))).toEqual([]);
    });
  });
}

async function recorded(cluster: Cluster, name: ScenarioName, folder: string): Promise<RunScore> {
  await recordRun(cluster, name, folder);
  const run = await scoreRun(folder);
  if (run === undefined) throw new Error(`${name} left no ground truth`);
  return run;
}

function faultsOf({ rows }: RunScore): string {
  return rows
    .flatMap(({ row, score }) => score.faults.slice(0, 5).map((text) => `${row}: ${text}`))
    .join('\n');
}
