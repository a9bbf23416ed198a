import { expect, test } from 'vitest';
import { RunsGoingOn } from './goingOn.ts';
import type { LineEvidence } from './traceTypes.ts';

function runs(...rows: readonly (readonly [controller: string, from: number, to: number, error?: string])[]) {
  const going = new RunsGoingOn();
  for (const [controller, from, to, error] of rows) {
    const base = { controller, key: 'shop/orders', reconcileId: `${controller}-${from}` };
    going.add({ ...base, says: 'ended', at: { lo: to, hi: to }, error } as unknown as LineEvidence);
    going.add({ ...base, says: 'started', at: { lo: from, hi: from } } as unknown as LineEvidence);
  }
  return (at: number) => going.writerOf(['database', 'tier'], 'shop/orders', 'orders', at);
}

const conflict =
  'Operation cannot be fulfilled on databases.db.example.com "orders": the object has been modified; please try again';

test('[EV8] the controller whose run was going on made the write', () => {
  const writer = runs(['database', 0, 20], ['tier', 40, 60]);
  expect([10, 21, 50, 61].map(writer)).toEqual(['database', 'database', 'tier', 'tier']);
});

test('[EV8] nothing tells where both went on, none did, or one only just began', () => {
  const writer = runs(['database', 0, 20], ['tier', 2, 21]);
  expect([10, 500].map(writer)).toEqual([undefined, undefined]);
  expect(runs(['database', 0, 20], ['tier', 21, 40])(22)).toBe('database');
});

test('[EV8] a run that ended in a conflict did not make what was heard of just before', () => {
  const writer = runs(['database', 0, 20, conflict], ['tier', 2, 21]);
  expect([5, 18].map(writer)).toEqual([undefined, 'tier']);
});
