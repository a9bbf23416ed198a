/**
 * Deletion: held by a finalizer whose operator does not run, held while that operator fails, or simply under way. Who
 * handles a finalizer is core/objects/ownership.ts's judgement; nobody is named on less.
 */

import type { DeletionHold } from '../../../shared/contract/views/structure.ts';
import type { WhyFix, WhyStep } from '../../../shared/contract/views/why.ts';
import { say } from '../../../shared/model/whySentences.ts';
import {
  type CauseAnswer,
  type CauseRule,
  gapNotes,
  lineChip,
  logged,
  step,
  timeOf,
  versionChip,
  watched,
} from '../cause.ts';
import { latestOf, type WhyInput } from '../whyInput.ts';

export const deletionHeld: CauseRule = { id: 'deletion-held', judge: held };
export const deletionFailing: CauseRule = { id: 'deletion-failing', judge: failing };
export const deletionUnderWay: CauseRule = { id: 'deleting', judge: underWay };

/** This long a finalizer may take without anything being wrong; beyond it an unknown handler is named as the hold. */
const patienceMs = 30_000;

function deletedAt(input: WhyInput): number | undefined {
  return input.gone ? undefined : timeOf(latestOf(input)?.deletionTimestamp);
}

function held(input: WhyInput): CauseAnswer | undefined {
  const at = deletedAt(input);
  if (at === undefined) return undefined;
  const gone = input.holds.find(
    ({ handlerState, handler }) => handlerState === 'notRunning' && handler !== undefined,
  );
  const { name } = input.object;
  if (gone?.handler !== undefined) {
    const operator = gone.handler.name;
    const { finalizer } = gone;
    return {
      ...base(deletionHeld.id, input, at),
      verdict: say('verdict.held.gone', { name, finalizer, operator }),
      basis: gone.basis,
      chain: [
        askedStep(input, at, true),
        step({
          id: 'handler',
          root: true,
          glyph: 'failed',
          title: say('step.handlerGone', { operator, finalizer }),
          ...(gone.handlerDetail === ''
            ? {}
            : { detail: say('step.handlerGone.detail', { detail: gone.handlerDetail }) }),
          basis: gone.basis,
          chips: [ownershipChip()],
        }),
        stillStep(input, at),
      ],
      fix: startFix(input, gone),
    };
  }
  const unknown = input.holds.find(({ handler }) => handler === undefined);
  if (unknown === undefined || input.now - at < patienceMs) return undefined;
  const { finalizer, setBy } = unknown;
  return {
    ...base(deletionHeld.id, input, at),
    verdict: say('verdict.held.unknown', { name, finalizer }),
    basis: watched,
    chain: [
      askedStep(input, at, true),
      step({
        id: 'handler',
        glyph: 'waiting',
        title: say('step.handlerUnknown', { finalizer }),
        detail:
          setBy === undefined
            ? say('step.handlerUnknown.unset')
            : say('step.handlerUnknown.setBy', { manager: setBy }),
        basis: watched,
        chips: [ownershipChip()],
      }),
      stillStep(input, at),
    ],
    helps: input.operator === undefined ? [say('help.operator')] : [],
    fix: {
      text: say('fix.unhold', { finalizer }),
      forms: [unholdForm(input, unknown, true)],
    },
  };
}

function failing(input: WhyInput): CauseAnswer | undefined {
  const at = deletedAt(input);
  const hold = input.holds.find(
    ({ handler, handlerState }) => handler?.id !== undefined && handlerState !== 'notRunning',
  );
  const { errors, queue } = input;
  // Errors from before the deletion say nothing of it.
  const last = errors?.recent.at(-1);
  const since =
    last !== undefined && at !== undefined ? errors?.recent.filter((one) => one.at >= at - 1000) : undefined;
  const n = Math.max(since?.length ?? 0, queue?.failures ?? 0);
  if (at === undefined || hold?.handler === undefined || n === 0) return undefined;
  const operator = hold.handler.name;
  const { finalizer } = hold;
  return {
    ...base(deletionFailing.id, input, at),
    verdict: say('verdict.held.failing', { name: input.object.name, finalizer, operator, n }),
    basis: hold.basis,
    chain: [
      askedStep(input, at, true),
      step({
        id: 'handler',
        root: true,
        glyph: 'failed',
        ...(since?.[0] === undefined ? {} : { at: since[0].at, precise: since[0].precise }),
        title: say('step.handlerFails', { operator, finalizer, n }),
        ...(last === undefined ? {} : { quote: last.text }),
        basis: logged,
        chips: [
          ...(last === undefined ? [] : [lineChip('line', say('chip.lastError'), last, logged)]),
          ownershipChip(),
        ],
      }),
      stillStep(input, at),
    ],
    ends: 'fails',
  };
}

function underWay(input: WhyInput): CauseAnswer | undefined {
  const at = deletedAt(input);
  if (at === undefined) return undefined;
  const finalizers = latestOf(input)?.finalizers ?? [];
  const { name } = input.object;
  const hold = input.holds.find(({ handlerState }) => handlerState === 'running');
  return {
    ...base(deletionUnderWay.id, input, at),
    verdict:
      finalizers.length === 0
        ? say('verdict.deleting.free', { name, deletedForAt: at })
        : say('verdict.deleting', { name, deletedForAt: at, finalizers }),
    basis: watched,
    chain: [
      askedStep(input, at, false),
      ...(hold?.handler === undefined
        ? []
        : [
            step({
              id: 'handler',
              glyph: 'progressing',
              title: say('step.handlerRuns', { operator: hold.handler.name, finalizer: hold.finalizer }),
              basis: hold.basis,
              chips: [ownershipChip()],
            }),
          ]),
    ],
    helps: finalizers.length === 0 ? [] : [say('help.wait')],
  };
}

function base(cause: string, input: WhyInput, at: number) {
  return {
    cause,
    question: say('question.deleting', { name: input.object.name }),
    notes: gapNotes(input, at),
    mark: { at, text: say('mark.deletion') },
  };
}

function askedStep(input: WhyInput, at: number, plain: boolean): WhyStep {
  const version = input.versions.find(({ deletionTimestamp }) => deletionTimestamp !== undefined);
  const finalizers = latestOf(input)?.finalizers ?? [];
  const opened = version !== undefined && version.op === 'modified';
  return step({
    id: 'deletion',
    glyph: 'deleting',
    root: false,
    at,
    // deletionTimestamp has whole seconds.
    precise: false,
    title: say('step.deletion'),
    ...(plain || finalizers.length > 0 ? { detail: say('step.deletion.detail', { finalizers }) } : {}),
    basis: watched,
    chips: opened ? [versionChip('object', say('chip.object'), input.object.key, version)] : [],
  });
}

function stillStep(input: WhyInput, at: number): WhyStep {
  const latest = latestOf(input);
  return step({
    id: 'still',
    glyph: 'waiting',
    title: say('step.stillThere', { deletedForAt: at }),
    basis: watched,
    chips: latest === undefined ? [] : [versionChip('object', say('chip.object'), input.object.key, latest)],
  });
}

function ownershipChip() {
  return { icon: 'object', label: say('chip.ownership'), basis: watched, link: { to: 'ownership' } } as const;
}

/** First the way that loses nothing: let the operator do what the finalizer stands for. */
function startFix(input: WhyInput, hold: DeletionHold): WhyFix {
  const operator = hold.handler?.name ?? '';
  const command = scaleCommand(hold.handler?.workload, hold.handlerDetail);
  return {
    text: command === undefined ? say('fix.start', { operator }) : say('fix.scale', { operator }),
    forms: [
      ...(command === undefined
        ? []
        : [
            {
              form: 'command' as const,
              lines: [{ text: command, added: true }],
              copy: command,
              loses: false,
            },
          ]),
      unholdForm(input, hold, command === undefined),
    ],
  };
}

/** Only where the workload is there and scaled to nothing; a Pod that fails needs more than a number. */
function scaleCommand(workload: string | undefined, detail: string): string | undefined {
  const [kind = '', namespace = '', name = ''] = workload?.split('/') ?? [];
  if (detail !== 'scaled to 0' || name === '') return undefined;
  return `kubectl scale ${kind.toLowerCase()} ${name} --namespace ${namespace} --replicas 1`;
}

function unholdForm(input: WhyInput, hold: DeletionHold, first: boolean): WhyFix['forms'][number] {
  const { namespace, name, group, kind } = input.object;
  const resource =
    input.resource === '' ? kind.toLowerCase() : group === '' ? input.resource : `${input.resource}.${group}`;
  const place = namespace === '' ? '' : ` --namespace ${namespace}`;
  const path = `/metadata/finalizers/${hold.index}`;
  // The test keeps a list that was changed meanwhile as it is.
  const patch = JSON.stringify([
    { op: 'test', path, value: hold.finalizer },
    { op: 'remove', path },
  ]);
  const command = `kubectl patch ${resource} ${name}${place} --type=json --patch '${patch}'`;
  return {
    form: 'command',
    ...(first ? {} : { text: say('fix.unhold', { finalizer: hold.finalizer }) }),
    lines: [{ text: command, added: true }],
    copy: command,
    loses: true,
  };
}
