import { describe, expect, it } from 'vitest';
import type { DeletionHold } from '../../shared/contract/views/structure.ts';
import { whySentences } from '../../shared/model/whySentences.ts';
import type { RefusalList } from './keyNotes.ts';
import { causes, explain } from './registry.ts';
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
import type { StatusRights, WhyInput } from './whyInput.ts';

const bad = withConditions([condition('False')]);
const refusal = {
  at: now - 60_000,
  precise: true,
  seq: 900,
  text: '403',
  reconcileId: 'r',
  verb: 'update',
  user: 'u',
};
const refusals: readonly RefusalList[] = [{ from: 'audit', count: 1, first: refusal, recent: [refusal] }];
const rights: StatusRights = {
  granted: false,
  gap: undefined,
  row: undefined,
  loss: {
    role: { kind: 'ClusterRole', namespace: '', name: 'manager' },
    key: 'rbac.authorization.k8s.io/ClusterRole//manager',
    at: now - 90_000,
    seq: 800,
    resourceVersion: '482044',
    manager: 'helm',
    release: undefined,
    what: 'rule',
  },
  unreadable: [],
  finding: undefined,
  grantedAt: undefined,
};
const deleted = new Date(now - 120_000).toISOString();
const deleting = [version(120_000, { deletionTimestamp: deleted, finalizers: ['db.example.com/cleanup'] })];
function hold(more: Partial<DeletionHold>): DeletionHold {
  return {
    finalizer: 'db.example.com/cleanup',
    index: 0,
    handlerState: 'unknown',
    handlerDetail: '',
    basis: { kind: 'observed', from: 'watch' },
    ...more,
  };
}
const handler = { id: 'Deployment/a/b', name: 'database-operator' };
const loop = Array.from({ length: 12 }, (_, n) =>
  ownWrite((12 - n) * 2000, [{ path: 'status.lastSeen', old: `${n}`, new: `${n + 1}` }]),
);
const flipping = Array.from({ length: 12 }, (_, n) =>
  ownWrite((12 - n) * 2000, [
    { path: 'status.phase', old: n % 2 ? '"A"' : '"B"', new: n % 2 ? '"B"' : '"A"' },
  ]),
);
const atCap = queue({
  state: 'waiting',
  failures: 19,
  why: 'atCap',
  since: now - 500_000,
  runsAt: now + 500_000,
  delayMs: 1_000_000,
  nextDelayMs: 1_000_000,
});
const waiting = queue({
  state: 'waiting',
  failures: 8,
  why: 'backoff',
  since: now - 300,
  runsAt: now + 340,
  delayMs: 640,
  nextDelayMs: 1280,
});
const mended = {
  what: 'Secret orders-password',
  by: 'object',
  at: now - 60_000,
  precise: true,
  key: '/Secret/shop/orders-password',
  seq: 700,
} as const;
const oldSpec = [
  version(900_000, {
    op: 'listed',
    initial: true,
    generation: 3,
    observedGeneration: 3,
    conditions: [condition('False')],
  }),
  version(60_000, {
    generation: 4,
    observedGeneration: 3,
    conditions: [condition('False')],
    writers: [{ manager: 'kubectl-edit', operation: 'Update' }],
    changed: [{ path: 'spec.version', old: '"1"', new: '"2"' }],
  }),
];

/** Each cause by an input that shows it, and near misses: what is almost so and must not be called it. */
const table: readonly (readonly [name: string, cause: string | undefined, given: Partial<WhyInput>])[] = [
  ['a refused status write, the role change seen', 'status-refused', { versions: bad, refusals, rights }],
  [
    'a refused status write, roles not readable',
    'status-refused',
    {
      versions: bad,
      refusals,
      rights: { ...rights, loss: undefined, unreadable: ['clusterroles.rbac.authorization.k8s.io'] },
    },
  ],
  [
    'refusals of before the right came back',
    'condition',
    { versions: bad, refusals, rights: { ...rights, granted: true, loss: undefined } },
  ],
  [
    'a finalizer whose operator is gone',
    'deletion-held',
    { versions: deleting, holds: [hold({ handler, handlerState: 'notRunning', handlerDetail: 'gone' })] },
  ],
  [
    'a finalizer nobody is known to handle',
    'deletion-held',
    { versions: deleting, holds: [hold({ setBy: 'kubectl' })] },
  ],
  [
    'the same, a moment after the deletion',
    'deleting',
    {
      versions: [
        version(5000, { deletionTimestamp: new Date(now - 5000).toISOString(), finalizers: ['x/y'] }),
      ],
      holds: [hold({ finalizer: 'x/y' })],
    },
  ],
  [
    'a finalizer whose operator fails',
    'deletion-failing',
    {
      versions: deleting,
      holds: [hold({ handler, handlerState: 'running' })],
      queue: queue({ failures: 4 }),
      errors: said(['boom', 'boom']),
    },
  ],
  [
    'errors from before the deletion',
    'deleting',
    {
      versions: [
        version(5000, { deletionTimestamp: new Date(now - 5000).toISOString(), finalizers: ['x/y'] }),
      ],
      holds: [hold({ handler, handlerState: 'running' })],
      errors: said(['boom'], 60_000),
    },
  ],
  [
    'a deletion that goes its way',
    'deleting',
    { versions: deleting, holds: [hold({ handler, handlerState: 'running' })] },
  ],
  [
    'an operator that is scaled to nothing',
    'operator-not-running',
    {
      versions: bad,
      operator: { ...operator, runs: 'notRunning', signs: [{ kind: 'workload', detail: 'scaled to 0' }] },
    },
  ],
  ['the same with an object that is well', 'ready', { operator: { ...operator, runs: 'notRunning' } }],
  ['status writes that nothing but themselves explains', 'hot-loop', { versions: loop }],
  ['a field that goes to and fro', 'hot-loop', { versions: flipping }],
  [
    'the same, with a predicate that holds status back',
    'ready',
    { versions: loop, operator: { ...operator, wokenByStatus: false } },
  ],
  [
    'the same, each after a change of an owned object',
    'ready',
    { versions: loop, ownedChangedAt: loop.map(({ at }) => at.hi - 200) },
  ],
  [
    'the same by another manager',
    'ready',
    {
      versions: loop.map((note) => ({
        ...note,
        writers: [{ manager: 'autoscaler', operation: 'Update', subresource: 'status' }],
      })),
    },
  ],
  [
    'a loop that ended minutes ago',
    'ready',
    { versions: loop.map((note) => ({ ...note, at: { lo: note.at.lo - 90_000, hi: note.at.hi - 90_000 } })) },
  ],
  [
    'a periodic requeue of fifteen seconds',
    'ready',
    {
      versions: Array.from({ length: 8 }, (_, n) =>
        ownWrite((8 - n) * 15_000, [{ path: 'status.lastSeen', new: `${n}` }]),
      ),
    },
  ],
  [
    'a retry at the cap',
    'retry-parked',
    { versions: bad, queue: atCap, errors: said(['secrets "p" not found']) },
  ],
  [
    'a retry at the cap whose cause is gone',
    'retry-parked',
    { versions: bad, queue: atCap, errors: said(['secrets "p" not found']), mended },
  ],
  [
    'a cap of five seconds',
    'retrying',
    {
      versions: bad,
      queue: { ...atCap, stepsMs: [1000, 2000, 5000], delayMs: 5000, nextDelayMs: 5000 },
      errors: said(['boom']),
    },
  ],
  [
    'a key that is retried',
    'retrying',
    { versions: bad, queue: waiting, errors: said(['boom', 'boom', 'boom']) },
  ],
  ['a key that is retried, without a log', 'retrying', { versions: bad, queue: waiting, hasLog: false }],
  [
    'an error that a success followed',
    'condition',
    { versions: bad, errors: said(['boom']), successes: said(['ok'], 1000) },
  ],
  [
    'a generation that is not acknowledged',
    'generation-not-acknowledged',
    { versions: oldSpec, hasLog: false },
  ],
  [
    'the same while the key runs',
    'progressing',
    {
      versions: oldSpec.map((note) => ({ ...note, conditions: [condition('True')] })),
      queue: queue({ state: 'running' }),
    },
  ],
  [
    'a generation of a second ago',
    'condition',
    {
      versions: [
        version(900_000, { conditions: [condition('False')] }),
        version(1000, {
          generation: 4,
          observedGeneration: 3,
          conditions: [condition('False')],
          changed: [{ path: 'spec.x' }],
        }),
      ],
    },
  ],
  ['a condition that is False while the operator is quiet', 'condition', { versions: bad }],
  [
    'a condition that is bad when True',
    'condition',
    {
      versions: withConditions([
        condition('True'),
        condition('True', { type: 'Degraded', reason: 'DiskFull' }),
      ]),
    },
  ],
  [
    'work that goes on',
    'progressing',
    {
      versions: withConditions([
        condition('False'),
        condition('True', { type: 'Progressing', reason: 'RollingOut' }),
      ]),
      queue: queue({ state: 'running' }),
    },
  ],
  [
    'work that its operator says goes on, for minutes and while it is quiet',
    'condition',
    {
      versions: withConditions([
        condition('False'),
        condition('True', { type: 'Progressing', reason: 'RollingOut' }),
      ]),
    },
  ],
  [
    'work that began a moment ago',
    'progressing',
    {
      versions: withConditions([
        condition('False'),
        condition('True', { type: 'Progressing', lastTransitionTime: new Date(now - 14_000).toISOString() }),
      ]),
    },
  ],
  ['all well', 'ready', { successes: said(['Reconcile successful']) }],
  ['an object without conditions', undefined, { versions: withConditions([]) }],
  [
    'an object of which only metadata was read',
    undefined,
    { detail: 'metadata', versions: [version(9000, { conditions: undefined })] },
  ],
];

describe('causes', () => {
  it.each(table)('%s: %s', (_name, cause, given) => {
    expect(explain(input(given)).cause).toBe(cause);
  });

  it('has an input for every cause', () => {
    const shown = new Set(table.map(([, cause]) => cause));
    expect(causes.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  });

  it.each(table)(
    '%s: says only what the window has words for, and fills every place',
    (_name, _cause, given) => {
      const sentences = sentencesOf(explain(input(given)));
      expect(sentences.length).toBeGreaterThan(5);
      for (const { id, params } of sentences) {
        const places: readonly string[] | undefined = whySentences[id as keyof typeof whySentences];
        expect(places?.toSorted(), id).toEqual(Object.keys(params).toSorted());
        for (const value of Object.values(params)) expect(value, id).not.toBeUndefined();
      }
    },
  );

  it('has one root at most, and its chain ends in what stands', () => {
    for (const [name, , given] of table) {
      const { chain } = explain(input(given));
      expect(chain.filter(({ root }) => root).length, name).toBeLessThanOrEqual(1);
      const times = chain.flatMap(({ at }) => (at === undefined ? [] : [at]));
      expect(chain.at(-1)?.at === undefined || times.length > 0, name).toBe(true);
    }
  });
});

describe('what a cause rests on', () => {
  it('says which role change took the right away, who made it and since when', () => {
    const view = explain(input({ versions: bad, refusals, rights }));
    expect(view.verdict).toMatchObject({ id: 'verdict.refused.lost', params: { lostAt: now - 90_000 } });
    expect(view.basis).toEqual({ kind: 'observed', from: 'audit' });
    expect(view.chain[0]).toMatchObject({
      root: true,
      at: now - 90_000,
      detail: { params: { manager: 'helm' } },
    });
    expect(view.chain[0]?.chips[0]?.link).toMatchObject({ to: 'version', seq: 800 });
  });
  it('does not ask why a condition stays that is as it should be', () => {
    const view = explain(input({ refusals, rights }));
    expect(view).toMatchObject({
      question: { id: 'question.stale' },
      verdict: { id: 'verdict.stale.lost', params: { refusedAt: now - 60_000, lostAt: now - 90_000 } },
    });
  });
  it('says how far a held status is behind: by its generation, else by its age', () => {
    const written = ownWrite(120_000, [{ path: 'status.phase', old: '"A"', new: '"B"' }]);
    const first = version(1_200_000, { op: 'listed', initial: true });
    const old = explain(input({ versions: [first, written], refusals, rights, health: 'failed' }));
    expect(old.verdict).toMatchObject({
      id: 'verdict.stale.age.lost',
      params: { writtenForAt: now - 120_000 },
    });
    const behind = explain(
      input({
        versions: [first, { ...written, generation: 4 }],
        refusals,
        rights: { ...rights, loss: undefined },
      }),
    );
    expect(behind.verdict).toMatchObject({
      id: 'verdict.stale.generation.missing',
      params: { generation: 4, observed: 3 },
    });
  });
  it('never puts a condition that is as it should be on the pill of what is sick', () => {
    const pill = (given: Partial<WhyInput>) => explain(input(given)).healthText;
    expect(pill({ refusals, rights, health: 'failed' })).toEqual({ id: 'pill.refused', params: {} });
    expect(pill({ health: 'failed', queue: atCap, errors: said(['boom']) })).toMatchObject({
      id: 'pill.failures',
      params: { n: 19 },
    });
    expect(pill({ health: 'progressing' })).toMatchObject({ id: 'pill.generation' });
    expect(pill({ versions: bad, refusals, rights, health: 'failed' })).toMatchObject({
      params: { status: 'False' },
    });
    expect(pill({})).toMatchObject({ params: { status: 'True' } });
  });
  it('schedules nothing while the operator is not running', () => {
    const view = explain(input({ versions: bad, operator: { ...operator, runs: 'notRunning' } }));
    expect(view.next?.text.id).toBe('next.notRunning');
    expect(view.wakes.map(({ id }) => id)).toEqual(['wake.start']);
  });
  it('names no role when history does not show the change', () => {
    const view = explain(input({ versions: bad, refusals, rights: { ...rights, loss: undefined } }));
    expect(view.verdict.id).toBe('verdict.refused.missing');
    expect(view.mark).toBeUndefined();
  });
  it('counts what it was told by the fullest source and names both', () => {
    const log: RefusalList = { from: 'log', count: 3, first: refusal, recent: [refusal, refusal, refusal] };
    const view = explain(input({ versions: bad, refusals: [...refusals, log], rights }));
    expect(view.notes).toContainEqual({
      kind: 'seen',
      text: { id: 'note.seen.both', params: { audit: 1, log: 3, all: 3 } },
    });
    expect(view.chain[1]?.title.params.n).toBe(3);
  });
  it('is inferred where it is concluded, and says a gap and a guess', () => {
    const view = explain(
      input({
        versions: loop,
        gaps: [{ from: now - 20_000, to: now - 13_000 }],
        operator: { ...operator, basis: { kind: 'inferred', by: 'profile', because: [] } },
      }),
    );
    expect(view.basis?.kind).toBe('inferred');
    expect(view.notes.map(({ text }) => text.id)).toEqual(['note.guessedOperator', 'note.gap']);
  });
  it('says that a count is a guess', () => {
    const view = explain(
      input({ versions: bad, queue: { ...waiting, certain: false }, errors: said(['boom']) }),
    );
    expect(view.verdict.id).toBe('verdict.retrying.about');
    expect(view.notes.map(({ text }) => text.id)).toContain('note.count');
    expect(view.next?.certain).toBe(false);
  });
  it('says what would help where no cause is known', () => {
    const view = explain(input({ versions: withConditions([]), hasLog: false }));
    expect(view.cause).toBeUndefined();
    expect(view.helps.map(({ id }) => id)).toEqual(['help.log', 'help.audit']);
  });
});

function sentencesOf(value: unknown): { id: string; params: Record<string, unknown> }[] {
  if (Array.isArray(value)) return value.flatMap(sentencesOf);
  if (typeof value !== 'object' || value === null) return [];
  const { id, params } = value as { id?: unknown; params?: unknown };
  const own =
    typeof id === 'string' && typeof params === 'object' && params !== null
      ? [{ id, params: params as Record<string, unknown> }]
      : [];
  return [...own, ...Object.values(value).flatMap(sentencesOf)];
}
