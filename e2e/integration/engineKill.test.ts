/** [SES41] kill -9 of the whole engine at 2,000 events a second, at any moment: nothing that was committed is lost. */
import { expect, test } from 'vitest';
import { killTable, runKills } from './engineKills.ts';

test('[SES41] 20 times kill -9 at 2,000 events a second: every session opens whole', {
  timeout: 180_000,
}, async () => {
  const kills = await runKills({ kills: 20, perSecond: 2000, lanes: 2 });
  console.log(killTable(kills).join('\n'));
  expect(kills).toHaveLength(20);
  expect(kills.flatMap(({ faults }) => faults)).toEqual([]);
  // The load was there: most ran long enough to have committed a good deal of it.
  expect(kills.filter(({ kept }) => kept > 1000).length).toBeGreaterThan(10);
  expect(kills.filter(({ perSecond }) => perSecond > 1500).length).toBeGreaterThan(10);
});
