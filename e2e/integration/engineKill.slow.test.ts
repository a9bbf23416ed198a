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
  // The load was there, as far as a machine that does other things as well could make it.
  expect(kills.filter(({ kept }) => kept > 1000).length).toBeGreaterThanOrEqual(5);
  expect(kills.filter(({ recorded, kept }) => recorded > kept).length).toBeGreaterThanOrEqual(5);
  expect(Math.max(...kills.map(({ perSecond }) => perSecond))).toBeGreaterThan(1000);
});
