/**
 * The causes in their order and the page made of the first that holds. What is nearer to a hard fact goes first: a
 * deletion, a refusal, a dead operator, a loop; then errors; then what the object says of itself. Spec: docs/spec/why.md
 */
import type { Sentence, WhyView } from '../../shared/contract/views/why.ts';
import { say } from '../../shared/model/whySentences.ts';
import { type CauseAnswer, type CauseRule, fullest, gapNotes, operatorName, timeOf } from './cause.ts';
import { deletionFailing, deletionHeld, deletionUnderWay } from './causes/deletion.ts';
import { hotLoop } from './causes/hotLoop.ts';
import { refusedStatus } from './causes/refusedStatus.ts';
import { retryingErrors, retryParked } from './causes/retrying.ts';
import { conditionBad, generationLag, operatorDown, ready, working } from './causes/state.ts';
import { checksOf } from './checks.ts';
import { nextOf, wakesOf } from './next.ts';
import { isGood, mainCondition, polarityOf } from './polarity.ts';
import { latestOf, type WhyInput } from './whyInput.ts';

export const causes: readonly CauseRule[] = [
  deletionHeld,
  deletionFailing,
  deletionUnderWay,
  refusedStatus,
  operatorDown,
  hotLoop,
  retryParked,
  retryingErrors,
  generationLag,
  conditionBad,
  working,
  ready,
];

/** The page of one object. Never throws for odd objects; no cause known is said in the same place. */
export function explain(input: WhyInput): WhyView {
  const answer = answerOf(input);
  const latest = latestOf(input);
  const next = input.known && !input.gone ? nextOf(input, answer) : undefined;
  const { healthText, healthSince } = pillOf(input, answer.cause);
  return {
    object: input.object,
    known: input.known,
    detail: input.detail,
    upgrading: input.upgrading,
    ...(input.forbidden === undefined ? {} : { forbidden: input.forbidden }),
    health: input.health,
    ...(healthText === undefined ? {} : { healthText }),
    ...(healthSince === undefined ? {} : { healthSince }),
    ...(latest?.generation === undefined ? {} : { generation: latest.generation }),
    ...(latest?.observedGeneration === undefined ? {} : { observedGeneration: latest.observedGeneration }),
    ...(answer.cause === '' ? {} : { cause: answer.cause }),
    question: answer.question,
    verdict: answer.verdict,
    ...(answer.basis === undefined ? {} : { basis: answer.basis }),
    notes: answer.notes ?? [],
    chain: answer.chain ?? [],
    helps: answer.helps ?? [],
    ...(answer.fix === undefined ? {} : { fix: answer.fix }),
    ...(answer.finding === undefined ? {} : { finding: answer.finding }),
    ...(answer.mark === undefined ? {} : { mark: answer.mark }),
    ...(next === undefined ? {} : { next }),
    wakes: next === undefined ? [] : wakesOf(input, answer),
    checks: input.known && !input.gone ? checksOf(input, answer.cause) : [],
  };
}

function answerOf(input: WhyInput): CauseAnswer {
  const { name, kind } = input.object;
  const question = say('question.open', { name });
  if (!input.known)
    return input.forbidden === undefined
      ? { cause: '', question, verdict: say('verdict.unknownObject', { name }), helps: [say('help.context')] }
      : {
          cause: '',
          question,
          verdict: say('verdict.forbidden', { kind }),
          helps: [say('help.permission', { permission: input.forbidden })],
        };
  const last = latestOf(input);
  if (input.gone)
    return { cause: '', question, verdict: say('verdict.gone', { name, goneAt: last?.at.hi ?? input.now }) };
  for (const rule of causes) {
    const answer = rule.judge(input);
    if (answer !== undefined) return answer;
  }
  if (last?.conditions === undefined) {
    // The queue and the log may know of it although its content is not read; conditions and status are not.
    return { cause: '', question, verdict: say('verdict.metadata', { name }), helps: [say('help.wait')] };
  }
  const helps = helpsOf(input);
  const verdict =
    mainCondition(last.conditions, input.polarity) === undefined && last.conditions.length === 0
      ? say('verdict.noStatus', { name })
      : say('verdict.noCause', { name });
  return { cause: '', question, verdict, notes: gapNotes(input, undefined), helps };
}

function helpsOf(input: WhyInput): readonly Sentence[] {
  const helps: Sentence[] = [];
  if (input.operator === undefined) helps.push(say('help.operator'));
  else if (!input.hasLog) helps.push(say('help.log', { operator: operatorName(input) }));
  if (!input.hasAudit) helps.push(say('help.audit'));
  if (input.rightsPermission !== undefined)
    helps.push(say('help.permission', { permission: input.rightsPermission }));
  return helps;
}

/**
 * The pill of the head: the condition that decides, else what is known, and since when. A condition that is as it should
 * be is not what makes the object sick: then the pill says what does, never a red "Ready is True".
 */
function pillOf(
  input: WhyInput,
  cause: string,
): { readonly healthText?: Sentence; readonly healthSince?: number } {
  const latest = latestOf(input);
  if (!input.known) return {};
  if (input.gone) return { healthText: say('pill.gone', { goneAt: latest?.at.hi ?? input.now }) };
  const deleting = timeOf(latest?.deletionTimestamp);
  if (deleting !== undefined) return { healthText: say('pill.deleting'), healthSince: deleting };
  const main = mainCondition(latest?.conditions ?? [], input.polarity);
  const well = main !== undefined && isGood(main.status, polarityOf(main.type, input.polarity));
  const refused = fullest(input.refusals)?.first.at;
  if ((main === undefined || well) && cause === 'status-refused' && refused !== undefined)
    return { healthText: say('pill.refused'), healthSince: refused };
  const failures = input.queue?.failures ?? 0;
  if (failures > 0 && (main === undefined || (well && input.health !== 'ok')))
    return { healthText: say('pill.failures', { n: failures }) };
  if (well && input.health === 'progressing') return { healthText: say('pill.generation') };
  if (main !== undefined)
    return {
      healthText: say('pill.condition', { type: main.type, status: main.status }),
      ...since(timeOf(main.lastTransitionTime)),
    };
  if (input.health === 'progressing') return { healthText: say('pill.generation') };
  return { healthText: say('pill.unknown') };
}

function since(at: number | undefined): { readonly healthSince?: number } {
  return at === undefined ? {} : { healthSince: at };
}
