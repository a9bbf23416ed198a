/** "Why did it run?" and "why did it not run?" of the invented incident, step by step. */
import type { WalkQuery } from '../../../shared/contract/views/traces.ts';
import type { Basis } from '../../../shared/model/basis.ts';
import type { Span, Walk, WalkStep } from '../../../shared/model/trace.ts';
import { at, moment } from './time.ts';
import { exact, log, rule, watch } from './traceBuild.ts';

function step(
  name: WalkStep['step'],
  verdict: WalkStep['verdict'],
  text: string,
  basis: Basis,
  more: Partial<WalkStep> = {},
): WalkStep {
  return { step: name, verdict, text, because: [], basis, ...more };
}

const watched = step(
  'watched',
  'yes',
  'Databases, StatefulSets, Services, Secrets and Backups are watched.',
  log,
);

export function ranWalk(span: Span): Walk {
  const [first] = span.triggerList;
  const timer = first?.type === 'retry' || first?.type === 'requeue-after';
  const steps: readonly WalkStep[] = timer
    ? [
        watched,
        step('changed', 'no', 'No watched object of the key changed since the run before.', watch),
        step('queued', 'yes', `It was put back with a delay: ${first?.text ?? ''}.`, rule('queue/backoff'), {
          because: first?.seq === undefined ? [] : [first.seq],
          at: exact(span.start.lo - 0.4),
        }),
        step('worker', 'yes', 'One of 2 workers was free: it waited 0.4 ms.', rule('queue/shadow')),
        step('ran', 'yes', 'It ran when its time came.', span.basis, { at: span.start }),
      ]
    : [
        watched,
        step('changed', 'yes', `${first?.subject ?? 'An object'} changed.`, watch, {
          because: first?.seq === undefined ? [] : [first.seq],
          ...(first === undefined ? {} : { at: first.at }),
        }),
        step(
          'predicate',
          'yes',
          'generationChanged does not apply to what is owned.',
          rule('profile/predicates'),
        ),
        step('mapped', 'yes', `Its controller owner is ${span.key}.`, watch),
        step('queued', 'yes', 'It was put into the queue at once.', rule('queue/shadow')),
        step('worker', 'yes', 'One of 2 workers was free.', rule('queue/shadow')),
        step('ran', 'yes', 'It ran.', span.basis, { at: span.start }),
      ];
  return {
    controller: span.controller,
    key: span.key,
    question: 'ran',
    answer: timer
      ? `${span.key} ran because its delay was over: ${first?.text ?? ''}.`
      : `${span.key} ran because ${first?.subject ?? 'something'} changed.`,
    decides: timer ? 2 : 1,
    span: span.id,
    steps,
  };
}

export function notRanWalk({ controller, key }: WalkQuery): Walk {
  const common = [
    watched,
    step('scope', 'yes', 'Its namespace is watched.', watch),
    step('process', 'yes', 'The operator runs: its Lease was renewed 1 s ago.', watch),
    step('leader', 'yes', 'database-operator-7c9d8b6f5-x2kqp holds the Lease.', watch),
  ];
  if (key === 'shop/orders-db') {
    return {
      controller,
      key,
      question: 'notRan',
      answer: 'shop/orders-db has not run since 14:09:20: it is parked in backoff until 14:14:48.',
      decides: 5,
      steps: [
        ...common,
        step('changed', 'no', 'No watched object of the key changed since 14:03:52.', watch, {
          at: exact(at('14:03:52.312')),
        }),
        step(
          'parked',
          'no',
          'Failure 17 parked it for 327.68 s; nothing else wakes it.',
          rule('queue/backoff', 171_903),
          {
            because: [171_903],
            at: exact(at('14:14:48.370')),
          },
        ),
        step('worker', 'yes', 'Workers are free: none is what it waits for.', rule('queue/shadow')),
      ],
    };
  }
  return {
    controller,
    key,
    question: 'notRan',
    answer: `Nothing that wakes ${key} happened since its last run.`,
    decides: 5,
    steps: [
      ...common,
      step('changed', 'yes', `Database/${key} changed: its status alone.`, watch, {
        because: [181_204],
        at: exact(moment - 41_000),
      }),
      step(
        'predicate',
        'no',
        'generationChanged lets no change of the status alone through.',
        rule('profile/predicates'),
      ),
      step('worker', 'unknown', 'Not looked at: nothing was queued.', rule('queue/shadow')),
    ],
  };
}
