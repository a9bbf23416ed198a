/**
 * The walks as sentences: "why did it run?" and "why did it not run?", each step with its verdict and what it rests on. Pure:
 * what is known is gathered by walks.ts. The first step that says no decides; what cannot be known says so, and what would
 * tell it.
 */
import type { Basis } from '../../shared/model/basis.ts';
import {
  type Span,
  type Trigger,
  type Walk,
  type WalkStep,
  type Within,
  zWalkStep,
} from '../../shared/model/trace.ts';

type Step = WalkStep;
export type Verdict = Step['verdict'];

/** What is known of one question; undefined: nothing is. */
export interface Known {
  readonly verdict: Verdict;
  readonly text: string;
  readonly at?: Within;
  readonly because?: readonly number[];
  readonly basis?: Basis;
}

export interface NotRanFacts {
  readonly controller: string;
  readonly key: string;
  /** Every question in causal order; those that do not apply are left out. */
  readonly asked: Readonly<Partial<Record<Step['step'], Known>>>;
  /** It runs, or ran since its last change: what is left of the question is when it runs again. */
  readonly ran: Known | undefined;
}

/** As the model lists them: in causal order. */
const order = zWalkStep.shape.step.options;

function stepOf(step: Step['step'], known: Known): Step {
  return {
    step,
    verdict: known.verdict,
    text: known.text,
    ...(known.at === undefined ? {} : { at: known.at }),
    because: known.because ?? [],
    basis: known.basis ?? { kind: 'inferred', by: 'walk', because: known.because ?? [] },
  };
}

/** Why a key does not run, or did not since its last change. */
export function notRanWalk({ controller, key, asked, ran }: NotRanFacts): Walk {
  const steps = order.flatMap((name) => {
    const known = name === 'ran' ? (ran ?? asked.ran) : asked[name];
    return known === undefined ? [] : [stepOf(name, known)];
  });
  const base = { controller, key, question: 'notRan', steps } as const;
  if (ran?.verdict === 'yes') {
    // It ran, and waits to run again: when, is what is asked.
    const parked = steps.findIndex(({ step, verdict }) => step === 'parked' && verdict === 'no');
    if (parked < 0) return { ...base, answer: ran.text, decides: steps.length - 1 };
    return { ...base, answer: `${ran.text} ${steps[parked]?.text ?? ''}`, decides: parked };
  }
  const no = steps.findIndex(({ verdict, step }) => verdict === 'no' && step !== 'ran');
  if (no >= 0) return { ...base, answer: steps[no]?.text ?? '', decides: no };
  const open = steps.findIndex(({ verdict, step }) => verdict === 'unknown' && step !== 'ran');
  if (open >= 0)
    return {
      ...base,
      answer: `Nothing that can be seen keeps ${key} from running; what decides may be unknown: ${lowerFirst(steps[open]?.text ?? '')}`,
      decides: open,
    };
  return { ...base, answer: `Nothing that can be seen keeps ${key} from running.` };
}

/** Why a run happened: from its triggers, the wait, the worker that took it. */
export function ranWalk(span: Span): Walk {
  const main = span.triggerList.find(({ collapsed }) => !collapsed) ?? span.triggerList[0];
  const steps: Step[] = [];
  if (main !== undefined) steps.push(...triggerSteps(main, span));
  const others = span.triggerList.filter((one) => one !== main);
  const because = others.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  steps.push(
    stepOf('queued', {
      verdict: main === undefined || main.type === 'unseen' ? 'unknown' : 'yes',
      text: `${
        span.waitMs === undefined
          ? `${span.key} was due; since when is not known`
          : `${span.key} was due ${rangeText(span.waitMs)} before it started`
      }${others.length === 0 ? '.' : `; ${others.length === 1 ? 'one more event' : `${others.length} more events`} collapsed into this run.`}`,
      because,
    }),
    stepOf('ran', {
      verdict: 'yes',
      text: `A worker of ${span.controller} took it${span.failures === 0 ? '' : `, after ${span.failures} failure${span.failures === 1 ? '' : 's'} in a row`}.`,
      at: span.start,
      basis: span.startBasis,
    }),
  );
  return {
    controller: span.controller,
    key: span.key,
    question: 'ran',
    span: span.id,
    answer: answerOf(main, span),
    ...(main === undefined ? {} : { decides: 0 }),
    steps,
  };
}

function answerOf(main: Trigger | undefined, span: Span): string {
  if (main === undefined || main.type === 'unseen')
    return `${span.key} ran, and nothing that can be seen explains why.`;
  switch (main.type) {
    case 'retry':
      return `${span.key} ran because its run before failed: ${main.text}.`;
    case 'requeue':
    case 'requeue-after':
      return `${span.key} ran because its run before asked for it: ${main.text}.`;
    case 'initial':
      return `${span.key} ran because the controller listed everything when it started.`;
    case 'resync':
      return `${span.key} ran because of a resync: nothing had changed.`;
    default:
      return `${span.key} ran because of ${main.text}${writerText(main)}.`;
  }
}

function writerText({ writer }: Trigger): string {
  if (writer === undefined) return '';
  const what = writer.subresource === '' ? '' : ` to ${writer.subresource}`;
  return writer.own ? `, which the operator itself wrote${what}` : `, a write${what} by ${writer.manager}`;
}

function triggerSteps(main: Trigger, span: Span): readonly Step[] {
  const because = main.seq === undefined ? [] : [main.seq];
  const known = { at: main.at, because, basis: main.basis };
  switch (main.type) {
    case 'unseen':
      return [
        stepOf('changed', {
          ...known,
          verdict: 'unknown',
          text: 'No change that we see, no retry and no request for another run lies before it.',
        }),
      ];
    case 'retry':
    case 'requeue':
    case 'requeue-after':
      return [stepOf('parked', { ...known, verdict: 'yes', text: `It waited for its time: ${main.text}.` })];
    default: {
      const subject = main.subject ?? span.key;
      return [
        stepOf('changed', { ...known, verdict: 'yes', text: `${subject}: ${main.text}${writerText(main)}.` }),
        stepOf('mapped', {
          ...known,
          verdict: 'yes',
          text:
            main.object === span.object
              ? `It is the key's own object, and it passes the predicates of ${span.controller}.`
              : `${span.controller} maps it to ${span.key}.`,
        }),
      ];
    }
  }
}

/** `120 ms`, `1 to 2 s`. */
export function rangeText({ lo, hi }: Within): string {
  if (hi - lo <= Math.max(1, lo / 10)) return durationText((lo + hi) / 2);
  return `${durationText(lo)} to ${durationText(hi)}`;
}

export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Number((ms / 1000).toPrecision(3))} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
