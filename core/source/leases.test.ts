import { describe, expect, test } from 'vitest';
import { createLeaseFold, hostOfHolder, judgeLease, type LeaseSeen } from './leases.ts';

let version = 100;

function seen(at: number, spec: object, more: Partial<LeaseSeen> = {}): LeaseSeen {
  return {
    lease: 'ops/lock',
    uid: 'u1',
    resourceVersion: String(++version),
    seenAt: at,
    initial: false,
    deleted: false,
    spec: { leaseDurationSeconds: 15, ...spec },
    ...more,
  };
}

const held = (holder: string, transitions: number, renew = '2026-05-01T08:00:00.250000Z') => ({
  holderIdentity: holder,
  leaseTransitions: transitions,
  acquireTime: '2026-05-01T07:59:00.125000Z',
  renewTime: renew,
});

describe('Leases', () => {
  test('[SRC50] a holder that was there before we looked, renewals, a take-over in between', () => {
    const fold = createLeaseFold();
    expect(fold.apply(seen(1000, held('a_1', 3), { initial: true }))).toMatchObject({
      change: 'taken',
      holder: 'a_1',
      initial: true,
      at: { lo: Number.NEGATIVE_INFINITY, hi: 1000 },
    });
    expect(fold.apply(seen(3000, held('a_1', 3)))).toBeUndefined();
    expect(fold.apply(seen(20_000, held('b_2', 4)))).toMatchObject({
      change: 'taken',
      holder: 'b_2',
      before: 'a_1',
      missed: 0,
      initial: false,
      at: { lo: 3000, hi: 20_000 },
    });
    expect(fold.state('ops/lock')).toMatchObject({
      holder: 'b_2',
      since: { lo: 3000, hi: 20_000 },
      transitions: 4,
      changedAt: 20_000,
      statedSince: Date.parse('2026-05-01T07:59:00Z') + 125,
      statedRenewal: Date.parse('2026-05-01T08:00:00Z') + 250,
    });
  });

  test('[SRC51] expiry counts from the change that was seen, whatever renewTime says', () => {
    const fold = createLeaseFold();
    // The holder's clock is an hour behind: a comparison with renewTime would call it expired at once.
    fold.apply(seen(3_600_000, held('a_1', 0, '1970-01-01T00:00:00.000000Z')));
    const state = fold.state('ops/lock');
    if (state === undefined) throw new Error('no state');
    expect(judgeLease(state, 3_600_000 + 14_999)).toEqual({ verdict: 'held', ageMs: 14_999 });
    expect(judgeLease(state, 3_600_000 + 15_000)).toEqual({ verdict: 'expired', ageMs: 15_000 });
    fold.apply(seen(3_616_000, held('a_1', 0, '1970-01-01T00:00:16.000000Z')));
    const renewed = fold.state('ops/lock');
    expect(renewed && judgeLease(renewed, 3_616_001).verdict).toBe('held');
    // A renewal does not move when it was taken.
    expect(renewed?.since.hi).toBe(3_600_000);
  });

  test('[SRC52] a voluntary release, and nobody until the next one', () => {
    const fold = createLeaseFold();
    fold.apply(seen(0, held('a_1', 1)));
    const release = { ...held('', 1), leaseDurationSeconds: 1 };
    expect(fold.apply(seen(5000, release))).toMatchObject({ change: 'released', before: 'a_1' });
    const free = fold.state('ops/lock');
    expect(free && judgeLease(free, 999_999).verdict).toBe('free');
    expect(fold.apply(seen(6000, held('b_2', 2)))).toMatchObject({ change: 'taken', before: '', missed: 0 });
  });

  test('[SRC53] the same holder again after a take-over nobody saw, and leaders in between', () => {
    const fold = createLeaseFold();
    fold.apply(seen(0, held('a_1', 1)));
    expect(fold.apply(seen(9000, held('a_1', 4)))).toMatchObject({
      change: 'taken',
      holder: 'a_1',
      before: 'a_1',
      missed: 2,
    });
  });

  test('[SRC54] deleted, and made again under the same name: its counters begin anew', () => {
    const fold = createLeaseFold();
    fold.apply(seen(0, held('a_1', 7)));
    expect(fold.apply(seen(10, held('a_1', 7), { deleted: true }))).toMatchObject({
      change: 'gone',
      before: 'a_1',
    });
    expect(fold.states()).toEqual([]);
    expect(fold.apply(seen(20, held('a_1', 0), { uid: 'u2' }))).toMatchObject({ change: 'taken', missed: 0 });
    // The watch may bring delete and create as one change.
    expect(fold.apply(seen(30, held('b_2', 0), { uid: 'u3' }))).toMatchObject({ before: 'a_1', missed: 0 });
  });

  test('[SRC55] the same version twice is nothing new; shapes nobody writes are nobody', () => {
    const fold = createLeaseFold();
    const first = seen(0, held('a_1', 1));
    fold.apply(first);
    expect(fold.apply({ ...first, seenAt: 10_000 })).toBeUndefined();
    expect(fold.state('ops/lock')?.changedAt).toBe(0);
    expect(fold.apply({ ...seen(1, {}), lease: 'ops/odd', spec: 'text' })).toBeUndefined();
    expect(fold.state('ops/odd')).toMatchObject({ holder: '', durationMs: 15_000, transitions: undefined });
  });

  test('[SRC56] the host in an identity', () => {
    expect(hostOfHolder('database-operator-7d9c5b6f4-abcde_0f2a-11')).toBe(
      'database-operator-7d9c5b6f4-abcde',
    );
    expect(hostOfHolder('node_1_uuid')).toBe('node_1');
    expect(hostOfHolder('plain')).toBe('plain');
  });
});
