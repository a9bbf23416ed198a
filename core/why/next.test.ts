import { describe, expect, it } from 'vitest';
import { checksOf } from './checks.ts';
import { explain } from './registry.ts';
import {
  condition,
  input,
  now,
  operator,
  ownWrite,
  queue,
  said,
  version,
  withConditions,
} from './testWhy.ts';

const bad = withConditions([condition('False')]);
/** The key of the pictures: 17 failures, 5 ms doubled. */
const orders = queue({
  state: 'waiting',
  failures: 17,
  why: 'backoff',
  since: now - 165_000,
  runsAt: now + 162_680,
  delayMs: 327_680,
  nextDelayMs: 655_360,
  predictions: { hit: 16, judged: 16, largestMs: 3 },
});

describe('what comes next', () => {
  it('counts later attempts by the limiter, up to its cap', () => {
    const { next } = explain(input({ versions: bad, queue: orders, errors: said(['boom']) }));
    expect(next).toMatchObject({
      attempt: 18,
      text: { id: 'next.backoff', params: { formula: '5 ms × 2¹⁶', attempt: 17 } },
      ends: 'fails',
      matched: { id: 'next.matched', params: { n: 16, maxMs: 3 } },
    });
    expect(next?.later).toEqual([
      { at: now + 162_680, attempt: 18, delayMs: 655_360, atCap: false },
      { at: now + 162_680 + 655_360, attempt: 19, delayMs: 1_000_000, atCap: true },
    ]);
  });
  it('gives no formula that does not explain the wait, or whose count is a guess', () => {
    const odd = explain(input({ versions: bad, queue: { ...orders, delayMs: 300_000 } })).next;
    expect(odd?.text).toMatchObject({ id: 'next.backoff.plain', params: { delayMs: 300_000 } });
    expect(explain(input({ versions: bad, queue: { ...orders, certain: false } })).next?.text.id).toBe(
      'next.backoff.plain',
    );
  });
  it('says what was predicted wrongly', () => {
    const predictions = { hit: 3, judged: 5, largestMs: 900 };
    expect(explain(input({ versions: bad, queue: { ...orders, predictions } })).next?.matched).toEqual({
      id: 'next.matched.some',
      params: { n: 3, of: 5 },
    });
  });
  it('tells a requeue, a run, and that nothing is scheduled', () => {
    const text = (more: Parameters<typeof queue>[0]) => explain(input({ queue: queue(more) })).next?.text.id;
    expect(text({ state: 'waiting', why: 'after', delayMs: 30_000, runsAt: now + 1 })).toBe('next.after');
    expect(text({ state: 'running' })).toBe('next.running');
    expect(text({})).toBe('next.idle');
    expect(explain(input({ queue: undefined })).next).toBeUndefined();
  });
  it('says what wakes the key by its predicates and by what it owns', () => {
    const wakes = (wokenByStatus: boolean) =>
      explain(input({ operator: { ...operator, wokenByStatus } })).wakes.map(({ id }) => id);
    expect(wakes(true)).toEqual(['wake.object.any', 'wake.owned', 'wake.restart']);
    expect(wakes(false)).toEqual(['wake.object.spec', 'wake.owned', 'wake.restart']);
  });
});

describe('also checked', () => {
  const states = (more: Parameters<typeof input>[0]) =>
    Object.fromEntries(checksOf(input(more), undefined).map(({ id, state }) => [id, state]));
  it('is in order for a calm object', () => {
    expect(new Set(Object.values(states({})))).toEqual(new Set(['ok']));
  });
  it('is not evaluated, never in order, where something may not be read', () => {
    expect(
      states({
        operator: undefined,
        crd: { kind: 'unreadable', permission: 'list customresourcedefinitions' },
        ownedUnreadable: ['secrets'],
        otherGaps: undefined,
        rightsPermission: 'list roles',
        versions: [version(1, { observedGeneration: undefined })],
      }),
    ).toEqual({
      alive: 'notEvaluated',
      crd: 'notEvaluated',
      owned: 'notEvaluated',
      writer: 'notEvaluated',
      generation: 'notEvaluated',
      rights: 'notEvaluated',
    });
  });
  it('names problems beside the cause', () => {
    const foreign = [{ manager: 'kubectl-edit', operation: 'Update', subresource: 'status' } as const];
    expect(
      states({
        operator: { ...operator, runs: 'notRunning' },
        crd: { kind: 'crd', servesStatus: false, versions: ['v1'] },
        owned: [{ kind: 'StatefulSet', name: 'orders', state: 'notReady', text: '1/3' }],
        otherGaps: ['create events'],
        versions: [
          version(9000),
          ownWrite(1, [{ path: 'status.phase' }], { writers: foreign, observedGeneration: 2 }),
        ],
      }),
    ).toEqual({
      alive: 'problem',
      crd: 'problem',
      owned: 'problem',
      writer: 'problem',
      generation: 'problem',
      rights: 'problem',
    });
  });
});
