import { expect, it } from 'vitest';
import { Bench, t0 } from './evidenceBench.ts';

it('[EV3] takes the time that the probe states, not that of its line', () => {
  const bench = new Bench();
  const start = t0 - 5_000.25;
  bench.line(t0, {
    ts: new Date(Math.floor(start / 1_000) * 1_000).toISOString().replace('.000', ''),
    msg: 'loopscope.probe',
    controller: 'database',
    namespace: 'shop',
    name: 'orders',
    reconcileID: 'r1',
    probe: 'start',
    at: `${new Date(Math.floor(start)).toISOString().slice(0, -1)}750000Z`,
    tookMs: 0.001,
    key: 'shop/orders',
  });
  const [line] = bench.of('line');
  expect(line).toMatchObject({ key: 'shop/orders', says: 'started', probe: true, ownClock: true });
  expect(line?.at.lo).toBeCloseTo(start, 1);
  expect(line?.at.hi).toBe(line?.at.lo);
});
