/**
 * What the object itself says, when nothing refuses, fails or loops: its operator is not running, the generation is not
 * acknowledged, a condition is not as it should be while the operator is quiet, work goes on, or all is well.
 */
import type { WhyStep } from '../../../shared/contract/views/why.ts';
import type { Condition } from '../../../shared/model/kube.ts';
import { say } from '../../../shared/model/whySentences.ts';
import {
  type CauseAnswer,
  type CauseRule,
  gapNotes,
  inferred,
  lastSpecChange,
  lastStatusWrite,
  lineChip,
  logged,
  operatorName,
  operatorNotes,
  specChip,
  step,
  timeOf,
  versionChip,
  watched,
} from '../cause.ts';
import { isGood, mainCondition, polarityOf } from '../polarity.ts';
import { latestOf, type WhyInput } from '../whyInput.ts';
import { queueChip } from './retrying.ts';

export const operatorDown: CauseRule = { id: 'operator-not-running', judge: notRunning };
export const generationLag: CauseRule = { id: 'generation-not-acknowledged', judge: generation };
export const conditionBad: CauseRule = { id: 'condition', judge: condition };
export const working: CauseRule = { id: 'progressing', judge: progressing };
export const ready: CauseRule = { id: 'ready', judge: isReady };

/** A generation this young is work, not lag, ms. */
const lagFromMs = 10_000;
/** Work that its operator says goes on is no fault for this long, ms. */
const workMs = 120_000;

function notRunning(input: WhyInput): CauseAnswer | undefined {
  const { operator, object } = input;
  if (operator === undefined || operator.runs !== 'notRunning') return undefined;
  const main = mainOf(input);
  const lag = lagOf(input);
  // What is well and acknowledged stays so without its operator.
  if (main !== undefined && isWell(main, input) && lag === undefined) return undefined;
  const sign = operator.signs.find((one) => one.kind === 'workload' || one.kind === 'process');
  const detail = sign !== undefined && 'detail' in sign ? sign.detail : '';
  const latest = latestOf(input);
  return {
    cause: operatorDown.id,
    question: say('question.notReady', { name: object.name }),
    verdict: say('verdict.notRunning', { name: object.name, operator: operator.name }),
    basis: watched,
    notes: [...operatorNotes(input), ...gapNotes(input, undefined)],
    chain: [
      step({
        id: 'operator',
        root: true,
        glyph: 'failed',
        title: say('step.notRunning', { operator: operator.name }),
        ...(detail === '' ? {} : { detail: say('step.notRunning.detail', { detail }) }),
        basis: watched,
      }),
      step({
        id: 'nobody',
        glyph: 'waiting',
        title: say('step.nobodyLooks', { name: object.name }),
        basis: inferred(operatorDown.id, []),
        chips: latest === undefined ? [] : [versionChip('object', say('chip.object'), object.key, latest)],
      }),
      ...(main === undefined ? [] : [conditionStep(main, input, false)]),
    ],
    fix: startFix(operator.workload, operator.name, detail),
    ends: 'fails',
  };
}

function startFix(workload: string | undefined, operator: string, detail: string) {
  const [kind = '', namespace = '', name = ''] = workload?.split('/') ?? [];
  if (name === '') return { text: say('fix.start', { operator }), forms: [] };
  const what = kind.toLowerCase();
  const scaled = detail === 'scaled to 0';
  const command = scaled
    ? `kubectl scale ${what} ${name} --namespace ${namespace} --replicas 1`
    : `kubectl describe ${what} ${name} --namespace ${namespace}`;
  return {
    text: scaled ? say('fix.scale', { operator }) : say('fix.logs', { operator }),
    forms: [
      { form: 'command' as const, lines: [{ text: command, added: true }], copy: command, loses: false },
    ],
  };
}

function generation(input: WhyInput): CauseAnswer | undefined {
  const lag = lagOf(input);
  if (lag === undefined) return undefined;
  const { object, now } = input;
  const changed = lag.since ?? now;
  if (now - changed < lagFromMs || isBusy(input)) return undefined;
  const change = lastSpecChange(input.versions);
  const manager = change?.writers.find(({ subresource }) => subresource === undefined)?.manager;
  const write = lastStatusWrite(input.versions, input.operator?.managers ?? []);
  return {
    cause: generationLag.id,
    question: say('question.notReady', { name: object.name }),
    verdict: say('verdict.generation', {
      name: object.name,
      generation: lag.generation,
      observed: lag.observed,
      changedForAt: changed,
    }),
    basis: watched,
    notes: [...operatorNotes(input), ...gapNotes(input, changed)],
    chain: [
      step({
        id: 'spec',
        glyph: 'progressing',
        ...(change === undefined ? {} : { at: change.at.hi }),
        title:
          manager === undefined
            ? say('step.specChanged.bare', { generation: lag.generation })
            : say('step.specChanged', { generation: lag.generation, manager }),
        basis: watched,
        chips: specChip(input),
      }),
      step({
        id: 'observed',
        glyph: 'waiting',
        title: say('step.notObserved', { observed: lag.observed }),
        ...(write === undefined
          ? {}
          : { detail: say('step.notObserved.detail', { writtenForAt: write.at.hi }) }),
        basis: watched,
        chips: [conditionsChip()],
      }),
      quietStep(input),
    ],
    helps: helpsFor(input),
    ...(change === undefined ? {} : { mark: { at: change.at.hi, text: say('mark.spec') } }),
    ends: 'runs',
  };
}

function condition(input: WhyInput): CauseAnswer | undefined {
  const main = mainOf(input);
  if (main === undefined || isWell(main, input)) return undefined;
  // Its operator says itself that work goes on, and works or has not worked for long: that is no fault.
  const progress = progressOf(input);
  const young = input.now - (timeOf(progress?.lastTransitionTime) ?? 0) < workMs;
  if (progress !== undefined && (isBusy(input) || young)) return undefined;
  const sinceForAt = timeOf(main.lastTransitionTime) ?? latestOf(input)?.at.hi ?? input.now;
  const named = main.reason !== undefined && main.reason !== '';
  return {
    cause: conditionBad.id,
    question: say('question.notReady', { name: input.object.name }),
    verdict: named
      ? say('verdict.condition', {
          type: main.type,
          status: main.status,
          reason: main.reason ?? '',
          sinceForAt,
        })
      : say('verdict.condition.bare', { type: main.type, status: main.status, sinceForAt }),
    basis: watched,
    notes: [...operatorNotes(input), ...gapNotes(input, sinceForAt)],
    chain: [conditionStep(main, input, false), quietStep(input)],
    helps: helpsFor(input),
    ends: 'runs',
  };
}

function progressing(input: WhyInput): CauseAnswer | undefined {
  const main = mainOf(input);
  const busy = isBusy(input);
  const lag = lagOf(input);
  const progress = progressOf(input);
  const well = main !== undefined && isWell(main, input);
  if (well && lag === undefined) return undefined;
  if (!busy && progress === undefined && lag === undefined) return undefined;
  const { name } = input.object;
  const reason = progress?.reason ?? main?.reason ?? '';
  const shown = progress ?? main;
  return {
    cause: working.id,
    question: say('question.notReady', { name }),
    verdict:
      shown === undefined || reason === ''
        ? say('verdict.working', { name })
        : say('verdict.progressing', { name, type: shown.type, reason }),
    basis: watched,
    notes: [...operatorNotes(input), ...gapNotes(input, undefined)],
    chain: [...(shown === undefined ? [] : [conditionStep(shown, input, true)]), quietStep(input)],
    helps: [say('help.wait')],
    ends: 'runs',
  };
}

function isReady(input: WhyInput): CauseAnswer | undefined {
  const main = mainOf(input);
  if (main === undefined || !isWell(main, input)) return undefined;
  const since = timeOf(main.lastTransitionTime);
  const { name } = input.object;
  return {
    cause: ready.id,
    question: say('question.ready', { name }),
    verdict:
      since === undefined
        ? say('verdict.ready.open', { name, type: main.type })
        : say('verdict.ready', { name, type: main.type, sinceAt: since }),
    basis: watched,
    notes: gapNotes(input, undefined),
    chain: [
      step({
        id: 'ready',
        glyph: 'ok',
        ...(since === undefined ? {} : { at: since }),
        precise: false,
        title:
          main.reason === undefined || main.reason === ''
            ? say('step.ready', { type: main.type })
            : say('step.ready.reason', { type: main.type, reason: main.reason }),
        ...(main.message === undefined || main.message === '' ? {} : { quote: main.message }),
        basis: watched,
        chips: [conditionsChip()],
      }),
      ...lastRunStep(input),
    ],
    ends: 'runs',
  };
}

function lastRunStep(input: WhyInput): readonly WhyStep[] {
  const run = input.successes?.recent.at(-1);
  if (run !== undefined)
    return [
      step({
        id: 'run',
        glyph: 'ok',
        at: run.at,
        precise: run.precise,
        title: say('step.lastRun', { ranAt: run.at }),
        basis: logged,
        chips: [lineChip('line', say('chip.logLine'), run, logged)],
      }),
    ];
  const write = lastStatusWrite(input.versions, input.operator?.managers ?? []);
  if (write === undefined) return [];
  return [
    step({
      id: 'run',
      glyph: 'ok',
      at: write.at.hi,
      title: say('step.lastRun', { ranAt: write.at.hi }),
      basis: inferred('a status write ends a run', [write.seq]),
      chips: [versionChip('object', say('chip.write'), input.object.key, write)],
    }),
  ];
}

function mainOf(input: WhyInput): Condition | undefined {
  return mainCondition(latestOf(input)?.conditions ?? [], input.polarity);
}

function isWell(main: Condition, input: WhyInput): boolean {
  return isGood(main.status, polarityOf(main.type, input.polarity));
}

function lagOf(
  input: WhyInput,
):
  | { readonly generation: number; readonly observed: number; readonly since: number | undefined }
  | undefined {
  const latest = latestOf(input);
  const [wanted, observed] = [latest?.generation, latest?.observedGeneration];
  if (wanted === undefined || observed === undefined || observed >= wanted) return undefined;
  return {
    generation: wanted,
    observed,
    since: lastSpecChange(input.versions)?.at.hi ?? input.versions[0]?.at.hi,
  };
}

function isBusy({ queue }: WhyInput): boolean {
  return queue !== undefined && (queue.state === 'running' || queue.state === 'ready');
}

function progressOf(input: WhyInput): Condition | undefined {
  return latestOf(input)?.conditions?.find(
    ({ type, status }) => (type === 'Progressing' || type === 'Reconciling') && status === 'True',
  );
}

function conditionStep(main: Condition, input: WhyInput, calm: boolean): WhyStep {
  const at = timeOf(main.lastTransitionTime);
  const named = main.reason !== undefined && main.reason !== '';
  const latest = latestOf(input);
  return step({
    id: 'condition',
    glyph: calm ? 'progressing' : main.status === 'Unknown' ? 'unknown' : 'failed',
    ...(at === undefined ? {} : { at }),
    precise: false,
    title: named
      ? say('step.condition', { type: main.type, status: main.status, reason: main.reason ?? '' })
      : say('step.condition.bare', { type: main.type, status: main.status }),
    ...(main.message === undefined || main.message === '' ? {} : { quote: main.message }),
    basis: watched,
    chips: [
      ...(latest === undefined ? [] : [versionChip('object', say('chip.object'), input.object.key, latest)]),
      conditionsChip(),
      ...specChip(input),
    ],
  });
}

/** What the operator does about it now, as far as it can be seen. */
function quietStep(input: WhyInput): WhyStep {
  const { queue } = input;
  const basis = queue?.basis ?? inferred('nothing was seen', []);
  const chips = queue === undefined ? [] : [queueChip(queue)];
  switch (queue?.state) {
    case 'running':
      return step({ id: 'run', glyph: 'progressing', title: say('step.running'), basis, chips });
    case 'ready':
      return step({ id: 'run', glyph: 'progressing', title: say('step.queued'), basis, chips });
    default:
      return step({
        id: 'run',
        glyph: 'waiting',
        title: say('step.quiet'),
        ...(input.hasLog ? {} : { detail: say('step.quiet.detail') }),
        basis,
        chips,
      });
  }
}

function conditionsChip() {
  return {
    icon: 'condition',
    label: say('chip.conditions'),
    basis: watched,
    link: { to: 'conditions' },
  } as const;
}

function helpsFor(input: WhyInput) {
  return [
    ...(input.operator === undefined ? [say('help.operator')] : []),
    ...(input.hasLog || input.operator === undefined
      ? []
      : [say('help.log', { operator: operatorName(input) })]),
    ...(input.hasAudit ? [] : [say('help.audit')]),
  ];
}
