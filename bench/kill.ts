/** kill -9 of an engine under load, as the test of the same name demands it, with its table. */
import { killTable, runKills } from '../e2e/integration/engineKills.ts';

export interface KillBenchOptions {
  readonly kills: number;
  readonly perSecond: number;
  readonly say: (line: string) => void;
}

export async function benchKill({ kills, perSecond, say }: KillBenchOptions): Promise<void> {
  say(`kill -9 of an engine, ${kills} times at ${perSecond} watch events a second`);
  for (const line of killTable(await runKills({ kills, perSecond, lanes: 2 }))) say(`  ${line}`);
}
