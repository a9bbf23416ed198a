import { expect, it } from 'vitest';
import type { Span, Trigger } from '../../shared/model/trace.ts';
import { durationText, type NotRanFacts, notRanWalk, rangeText, ranWalk } from './walkSteps.ts';

const observed = { kind: 'observed', from: 'watch' } as const;
const yes = { verdict: 'yes', text: 'Yes.' } as const;

function asked(more: NotRanFacts['asked']): NotRanFacts {
  return {
    controller: 'database',
    key: 'shop/orders',
    ran: { verdict: 'no', text: 'Its last run began before its last change.' },
    asked: { watched: yes, scope: yes, changed: yes, process: yes, ...more },
  };
}

it('decides by the first step that says no, in causal order', () => {
  const walk = notRanWalk(
    asked({
      parked: { verdict: 'no', text: 'It is parked.' },
      predicate: { verdict: 'no', text: 'The change does not pass generationChanged.', because: [7] },
    }),
  );
  expect(walk.answer).toBe('The change does not pass generationChanged.');
  expect(walk.steps.map(({ step }) => step)).toEqual([
    'watched',
    'scope',
    'changed',
    'predicate',
    'process',
    'parked',
    'ran',
  ]);
  expect(walk.decides).toBe(3);
  expect(walk.steps[3]?.because).toEqual([7]);
});

it('says what cannot be known instead of deciding', () => {
  const walk = notRanWalk(asked({ watched: { verdict: 'unknown', text: 'Loopscope may not read it.' } }));
  expect(walk.decides).toBe(0);
  expect(walk.answer).toContain('may be unknown: loopscope may not read it.');
});

it('answers that it ran where it did', () => {
  const ran = { verdict: 'yes', text: 'It ran since its last change.' } as const;
  const walk = notRanWalk({ ...asked({ queued: { verdict: 'no', text: 'It is not queued.' } }), ran });
  expect(walk.answer).toBe('It ran since its last change.');
  expect(walk.steps[walk.decides ?? 0]?.step).toBe('ran');
  const waits = notRanWalk({ ...asked({ parked: { verdict: 'no', text: 'It is parked.' } }), ran });
  expect(waits.answer).toBe('It ran since its last change. It is parked.');
  expect(waits.steps[waits.decides ?? 0]?.step).toBe('parked');
});

function span(triggerList: readonly Trigger[]): Span {
  const start = { lo: 1000, hi: 1000 };
  return {
    id: 's',
    controller: 'database',
    key: 'shop/orders',
    object: 'db.example.com/Database/shop/orders',
    start,
    failures: 2,
    waitMs: { lo: 100, hi: 102 },
    triggers: triggerList.length,
    writes: 0,
    notStored: 0,
    reads: 0,
    events: 0,
    lines: 0,
    basis: observed,
    provisional: false,
    revision: 0,
    startBasis: observed,
    triggerList,
    readList: [],
    readsObservable: false,
    cache: [],
    writeList: [],
    eventList: [],
    lineList: [],
    life: 1,
    notes: [],
  };
}

const changed: Trigger = {
  at: { lo: 900, hi: 900 },
  type: 'MODIFIED',
  seq: 4,
  object: 'apps/StatefulSet/shop/orders-server',
  subject: 'StatefulSet/shop/orders-server',
  text: 'StatefulSet MODIFIED',
  writer: { manager: 'dbop', subresource: '', own: true },
  collapsed: false,
  basis: observed,
};

it('tells why it ran: what changed, who did it, how it came to the key, what collapsed', () => {
  const walk = ranWalk(span([changed, { ...changed, seq: 5, collapsed: true }]));
  expect(walk.answer).toBe(
    'shop/orders ran because of StatefulSet MODIFIED, which the operator itself wrote.',
  );
  expect(walk.steps.map(({ step, verdict }) => [step, verdict])).toEqual([
    ['changed', 'yes'],
    ['mapped', 'yes'],
    ['queued', 'yes'],
    ['ran', 'yes'],
  ]);
  expect(walk.steps[2]?.text).toBe(
    'shop/orders was due 101 ms before it started; one more event collapsed into this run.',
  );
  expect(walk.steps[2]?.because).toEqual([5]);
});

it('says so where nothing explains it', () => {
  const unseen: Trigger = {
    at: changed.at,
    type: 'unseen',
    text: 'nothing',
    collapsed: false,
    basis: observed,
  };
  const walk = ranWalk(span([unseen]));
  expect(walk.answer).toContain('nothing that can be seen explains why');
  expect(walk.steps[0]?.verdict).toBe('unknown');
});

it('writes durations that can be read', () => {
  expect([12, 1234, 90_000, 600_000, 10_000_000].map(durationText)).toEqual([
    '12 ms',
    '1.23 s',
    '90 s',
    '10 min',
    '3 h',
  ]);
  expect(rangeText({ lo: 1000, hi: 3000 })).toBe('1 s to 3 s');
});
