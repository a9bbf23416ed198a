/**
 * Errors: a retry parked at the limiter's cap, with or without its cause being gone by now, and a key that is simply
 * retried. That the cause is gone is concluded, never assumed: what the last error called missing is there now.
 */
import type { WhyChip, WhyNote, WhyStep } from '../../../shared/contract/views/why.ts';
import { say } from '../../../shared/model/whySentences.ts';
import {
  type CauseAnswer,
  type CauseRule,
  gapNotes,
  inferred,
  lineChip,
  logged,
  operatorNotes,
  shortError,
  step,
  timeOf,
  watched,
} from '../cause.ts';
import { mainCondition } from '../polarity.ts';
import { type KeyQueueNote, latestOf, type Mended, type WhyInput } from '../whyInput.ts';

export const retryParked: CauseRule = { id: 'retry-parked', judge: parked };
export const retryingErrors: CauseRule = { id: 'retrying', judge: retrying };

/** A limiter that never waits long parks nothing. */
const parkedFromMs = 30_000;

function parked(input: WhyInput): CauseAnswer | undefined {
  const { queue, errors, mended } = input;
  if (queue === undefined || queue.state !== 'waiting' || queue.failures === 0) return undefined;
  const capMs = queue.stepsMs.at(-1) ?? 0;
  const atCap = queue.why === 'atCap' || (queue.delayMs !== undefined && queue.delayMs >= capMs * 0.99);
  // What is mended waits for the retry as well, however far the limiter has come.
  if (capMs < parkedFromMs || !(atCap || (mended !== undefined && (queue.delayMs ?? 0) >= parkedFromMs)))
    return undefined;
  const { name } = input.object;
  const waitMs = atCap ? capMs : (queue.delayMs ?? capMs);
  const first = errorStep(input, mended === undefined);
  return {
    cause: retryParked.id,
    question: say('question.notReady', { name }),
    verdict:
      mended === undefined
        ? say('verdict.parked', { name, n: queue.failures, capMs })
        : say('verdict.parked.mended', { name, what: mended.what, capMs: waitMs }),
    basis: mended === undefined ? queue.basis : inferred(retryParked.id, seqsOf(mended)),
    notes: [...countNotes(queue), ...operatorNotes(input), ...gapNotes(input, errors?.first.at)],
    chain: [
      ...(first === undefined ? [] : [first]),
      ...(mended === undefined ? [] : [mendedStep(mended)]),
      step({
        id: 'parked',
        root: mended !== undefined,
        glyph: 'waiting',
        ...(queue.since === undefined ? {} : { at: queue.since }),
        title: atCap ? say('step.parked', { capMs }) : say('step.backoff', { delayMs: waitMs }),
        detail: say('step.parked.detail', { n: queue.failures }),
        basis: queue.basis,
        chips: [queueChip(queue)],
      }),
    ],
    helps:
      errors === undefined ? [say('help.log', { operator: input.operator?.name ?? queue.controller })] : [],
    ...(mended === undefined ? {} : { fix: wakeFix(input) }),
    ...(mended === undefined
      ? {}
      : { mark: { at: mended.at, text: say('step.mended.object', { what: mended.what }) } }),
    ends: mended === undefined ? 'fails' : 'runs',
    mendedElsewhere: mended?.by === 'right' ? 'role' : 'object',
  };
}

function retrying(input: WhyInput): CauseAnswer | undefined {
  const { queue, errors } = input;
  const failures = queue?.failures ?? 0;
  const last = errors?.recent.at(-1);
  const succeeded = input.successes?.recent.at(-1)?.at ?? 0;
  const open = last !== undefined && last.at > succeeded && failures > 0;
  if (!open && failures === 0) return undefined;
  const main = mainCondition(latestOf(input)?.conditions ?? [], input.polarity);
  const ready = main?.status === 'True' && input.health === 'ok';
  const n = failures;
  const { name } = input.object;
  const error = last === undefined ? '' : shortError(last.text);
  const first = errorStep(input, true);
  if (first === undefined && queue === undefined) return undefined;
  return {
    cause: retryingErrors.id,
    question: ready ? say('question.again', { name }) : say('question.notReady', { name }),
    verdict:
      queue?.certain === false
        ? say('verdict.retrying.about', { name, n, error })
        : say('verdict.retrying', { name, n, error }),
    basis: last === undefined ? (queue?.basis ?? inferred(retryingErrors.id, [])) : logged,
    notes: [
      ...(queue === undefined ? [] : countNotes(queue)),
      ...operatorNotes(input),
      ...gapNotes(input, errors?.first.at),
    ],
    chain: [
      ...(first === undefined ? [] : [first]),
      ...(queue?.state === 'waiting' && queue.delayMs !== undefined
        ? [
            step({
              id: 'backoff',
              glyph: 'waiting',
              ...(queue.since === undefined ? {} : { at: queue.since }),
              title: say('step.backoff', { delayMs: queue.delayMs }),
              basis: queue.basis,
              chips: [queueChip(queue)],
            }),
          ]
        : []),
      ...conditionTail(input),
    ],
    helps: last === undefined ? [say('help.log', { operator: input.operator?.name ?? '' })] : [],
    ends: 'fails',
  };
}

function errorStep(input: WhyInput, root: boolean): WhyStep | undefined {
  const { errors, queue } = input;
  const last = errors?.recent.at(-1);
  const n = queue?.failures ?? errors?.count ?? 0;
  if (errors === undefined || last === undefined) {
    if (n === 0 || queue === undefined) return undefined;
    return step({
      id: 'errors',
      root: false,
      glyph: 'failed',
      title: say(queue.certain ? 'step.errors' : 'step.errors.about', { n }),
      basis: queue.basis,
      chips: [queueChip(queue)],
    });
  }
  const chips: WhyChip[] = [lineChip('line', say('chip.lastError'), last, logged)];
  if (errors.count > 1) chips.unshift(lineChip('line', say('chip.firstError'), errors.first, logged));
  return step({
    id: 'errors',
    root,
    glyph: 'failed',
    at: errors.first.at,
    precise: errors.first.precise,
    title: say(queue?.certain === false ? 'step.errors.about' : 'step.errors', { n: Math.max(n, 1) }),
    detail:
      errors.count > 1
        ? say('step.errors.range', { firstAt: errors.first.at, lastAt: last.at })
        : say('step.errors.last', { lastAt: last.at }),
    quote: last.text,
    basis: logged,
    chips,
  });
}

function mendedStep(mended: Mended): WhyStep {
  return step({
    id: 'mended',
    glyph: 'ok',
    at: mended.at,
    precise: mended.precise,
    title:
      mended.by === 'object'
        ? say('step.mended.object', { what: mended.what })
        : say('step.mended.right', { what: mended.what }),
    detail: say('step.mended.object.detail', { mendedAt: mended.at }),
    basis: watched,
    chips:
      mended.key === undefined || mended.seq === undefined
        ? []
        : [
            {
              icon: 'object',
              label: say('chip.appeared', { name: mended.what }),
              aside: say('aside.record', { record: mended.seq }),
              basis: watched,
              link: { to: 'version', key: mended.key, seq: mended.seq },
            },
          ],
  });
}

/** What is stored meanwhile, when it says anything. */
function conditionTail(input: WhyInput): readonly WhyStep[] {
  const main = mainCondition(latestOf(input)?.conditions ?? [], input.polarity);
  if (main === undefined) return [];
  const at = timeOf(main.lastTransitionTime);
  return [
    step({
      id: 'condition',
      glyph: main.status === 'True' ? 'ok' : main.status === 'Unknown' ? 'unknown' : 'failed',
      ...(at === undefined ? {} : { at }),
      precise: false,
      title:
        main.reason === undefined || main.reason === ''
          ? say('step.condition.bare', { type: main.type, status: main.status })
          : say('step.condition', { type: main.type, status: main.status, reason: main.reason }),
      ...(main.message === undefined || main.message === '' ? {} : { quote: main.message }),
      basis: watched,
      chips: [
        { icon: 'condition', label: say('chip.conditions'), basis: watched, link: { to: 'conditions' } },
      ],
    }),
  ];
}

/** A change of the object wakes its key where status-only changes pass, or always by the spec; an annotation is none of it. */
function wakeFix(input: WhyInput) {
  const { group, kind, name, namespace } = input.object;
  const resource =
    input.resource === '' ? kind.toLowerCase() : group === '' ? input.resource : `${input.resource}.${group}`;
  const place = namespace === '' ? '' : ` --namespace ${namespace}`;
  // Metadata alone passes no generation predicate: then only a spec change or the retry runs it.
  if (input.operator?.wokenByStatus === false) return { text: say('fix.wake', { kind }), forms: [] };
  const command = `kubectl annotate ${resource} ${name}${place} --overwrite reconcile-requested="$(date +%s)"`;
  return {
    text: say('fix.wake', { kind }),
    forms: [
      {
        form: 'command' as const,
        text: say('fix.wake.detail'),
        lines: [{ text: command, added: true }],
        copy: command,
        loses: false,
      },
    ],
  };
}

export function queueChip(queue: KeyQueueNote): WhyChip {
  return {
    icon: 'queue',
    label: say('chip.queue'),
    basis: queue.basis,
    link: { to: 'queue', controller: queue.controller, key: queue.key },
  };
}

function countNotes(queue: KeyQueueNote): readonly WhyNote[] {
  return queue.certain ? [] : [{ kind: 'doubt', text: say('note.count') }];
}

function seqsOf(mended: Mended): readonly number[] {
  return mended.seq === undefined ? [] : [mended.seq];
}
