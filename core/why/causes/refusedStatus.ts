/**
 * status-refused: every write of the object's status since the last accepted one was answered 403 for want of a right
 * that is still missing. The stored conditions are what they were; a Role change that took the right away is the root
 * when history shows it. Refusals alone do not fire it once the right is granted again.
 */
import type { Sentence, WhyChip, WhyFix, WhyNote, WhyStep } from '../../../shared/contract/views/why.ts';
import type { RbacGap } from '../../../shared/model/rbac.ts';
import { say } from '../../../shared/model/whySentences.ts';
import {
  type CauseAnswer,
  type CauseRule,
  fullest,
  gapNotes,
  lastOf,
  lastStatusWrite,
  lineChip,
  operatorName,
  recordAside,
  refusalBasis,
  seenNotes,
  specChip,
  step,
  versionChip,
  watched,
} from '../cause.ts';
import type { RefusalList } from '../keyNotes.ts';
import { isGood, mainCondition, polarityOf } from '../polarity.ts';
import { latestOf, type RoleLoss, type StatusRights, type WhyInput } from '../whyInput.ts';

export const refusedStatus: CauseRule = { id: 'status-refused', judge };

function judge(input: WhyInput): CauseAnswer | undefined {
  const { rights, refusals, object, resource } = input;
  const list = fullest(refusals);
  if (list === undefined || rights?.granted === true || resource === '') return undefined;
  const verb = lastOf(list).verb;
  const status = `${resource}/status`;
  const operator = operatorName(input);
  const loss = rights?.loss;
  const stored = mainCondition(latestOf(input)?.conditions ?? [], input.polarity);
  const well = stored !== undefined && isGood(stored.status, polarityOf(stored.type, input.polarity));
  // Of a condition that is as it should be nobody asks why it stays: what is wrong is that it cannot be trusted.
  const main = well ? undefined : stored;
  const known = { operator, verb, resource: status };
  return {
    cause: refusedStatus.id,
    question:
      main === undefined
        ? say('question.stale', { name: object.name })
        : say('question.notReady', { name: object.name }),
    verdict:
      main === undefined
        ? staleVerdict(input, list, { ...known, name: object.name })
        : loss === undefined
          ? say('verdict.refused.missing', { ...known, type: main.type, status: main.status })
          : say('verdict.refused.lost', {
              ...known,
              type: main.type,
              status: main.status,
              lostAt: loss.at,
            }),
    basis: refusalBasis(list),
    notes: [...seenNotes(refusals), ...reviewNotes(rights?.gap), ...gapNotes(input, list.first.at)],
    chain: [causeStep(input, list, verb, status), refusalStep(input, list, loss), storedStep(input)],
    ...fixOf(rights, operator),
    ...(rights?.finding === undefined ? {} : { finding: rights.finding.id }),
    ...(loss === undefined
      ? {}
      : { mark: { at: loss.at, text: say('mark.role', { role: loss.role.kind }) } }),
    ends: 'refused',
    mendedElsewhere: 'role',
  };
}

/** How far what is stored is behind, by the hardest fact there is: a generation, else its age, else that it is held. */
function staleVerdict(
  input: WhyInput,
  list: RefusalList,
  known: {
    readonly name: string;
    readonly operator: string;
    readonly verb: string;
    readonly resource: string;
  },
): Sentence {
  const refusedAt = list.first.at;
  const lostAt = input.rights?.loss?.at;
  const latest = latestOf(input);
  const [generation, observed] = [latest?.generation, latest?.observedGeneration];
  if (generation !== undefined && observed !== undefined && observed < generation)
    return lostAt === undefined
      ? say('verdict.stale.generation.missing', { ...known, refusedAt, generation, observed })
      : say('verdict.stale.generation.lost', { ...known, refusedAt, generation, observed, lostAt });
  const writtenForAt = lastStatusWrite(input.versions, input.operator?.managers ?? [])?.at.hi;
  if (writtenForAt !== undefined)
    return lostAt === undefined
      ? say('verdict.stale.age.missing', { ...known, refusedAt, writtenForAt })
      : say('verdict.stale.age.lost', { ...known, refusedAt, writtenForAt, lostAt });
  return lostAt === undefined
    ? say('verdict.stale.missing', { ...known, refusedAt })
    : say('verdict.stale.lost', { ...known, refusedAt, lostAt });
}

function reviewNotes(gap: RbacGap | undefined): readonly WhyNote[] {
  if (gap?.review === undefined) return [];
  return gap.review.agrees
    ? [{ kind: 'agrees', text: say('note.review.agrees') }]
    : [{ kind: 'disagrees', text: say('note.review.disagrees') }];
}

function causeStep(input: WhyInput, list: RefusalList, verb: string, status: string): WhyStep {
  const { rights } = input;
  const loss = rights?.loss;
  const chips: WhyChip[] = [];
  if (loss !== undefined) chips.push(versionChip('diff', say('chip.roleDiff'), loss.key, loss));
  if (rights?.row !== undefined)
    chips.push({
      icon: 'rbac',
      label: say('chip.rbacGap'),
      basis: watched,
      link: { to: 'rbac', row: rights.row },
    });
  else if (rights?.finding !== undefined)
    chips.push({
      icon: 'rbac',
      label: say('chip.finding'),
      basis: watched,
      link: { to: 'finding', id: rights.finding.id },
    });
  if (loss === undefined) {
    const role = rights?.gap?.patch.role;
    const unread = (rights?.unreadable.length ?? 0) > 0 || rights === undefined;
    return step({
      id: 'cause',
      root: true,
      glyph: 'rights',
      at: list.first.at,
      precise: list.first.precise,
      title: say('step.noGrant', { operator: operatorName(input), verb, resource: status }),
      detail: unread
        ? say('step.roleLost.unread')
        : say('step.noGrant.detail', { role: role === undefined ? 'Role' : `${role.kind} ${role.name}` }),
      basis: unread ? refusalBasis(list) : watched,
      chips,
    });
  }
  const { manager, release } = loss;
  if (manager !== undefined)
    chips.push({
      icon: 'person',
      label: say('chip.manager', { manager }),
      basis: watched,
      link: { to: 'event', seq: loss.seq },
    });
  return step({
    id: 'cause',
    root: true,
    glyph: 'rights',
    at: loss.at,
    title:
      loss.what === 'rule'
        ? say('step.roleLost', { role: `${loss.role.kind} ${loss.role.name}`, resource: status })
        : say('step.bindingLost', {
            binding: `${loss.role.kind} ${loss.role.name}`,
            operator: operatorName(input),
          }),
    ...(manager === undefined
      ? {}
      : {
          detail:
            release === undefined
              ? say('step.roleLost.by', { manager })
              : say('step.roleLost.release', { manager, release }),
        }),
    basis: watched,
    chips,
  });
}

function refusalStep(input: WhyInput, list: RefusalList, loss: RoleLoss | undefined): WhyStep {
  const basis = refusalBasis(list);
  const last = lastOf(list);
  const said = list.from === 'audit' ? input.refusals.find(({ from }) => from === 'log') : undefined;
  const line = said && lastOf(said);
  const ready = input.owned.filter(({ state }) => state === 'ready');
  const allReady = ready.length > 0 && input.owned.every(({ state }) => state !== 'notReady');
  const attempt = input.queue?.failures ?? 0;
  return step({
    id: 'refusals',
    glyph: 'refused',
    at: list.first.at,
    precise: list.first.precise,
    title:
      loss === undefined
        ? say('step.refusals.since', { n: list.count })
        : say('step.refusals', { n: list.count }),
    detail: allReady
      ? say('step.refusals.owned', { owned: ready.map(({ kind, text }) => `${kind} ${text}`.trim()) })
      : say('step.refusals.range', { firstAt: list.first.at, lastAt: last.at }),
    basis,
    chips: [
      lineChip('refused', say(list.count === 1 ? 'chip.refusal' : 'chip.firstRefusal'), list.first, basis),
      ...(list.count === 1
        ? []
        : [
            lineChip(
              'refused',
              say('chip.lastRefusal', { attempt: Math.max(attempt, list.count) }),
              last,
              basis,
              say('aside.seenAt', { seenAt: last.at }),
            ),
          ]),
      ...(line === undefined
        ? []
        : [
            lineChip(
              'line',
              say('chip.logLine'),
              line,
              { kind: 'reported', from: 'log' },
              line.reconcileId === undefined
                ? recordAside(line.seq)
                : say('aside.text', { text: line.reconcileId.slice(0, 8) }),
            ),
          ]),
    ],
  });
}

function storedStep(input: WhyInput): WhyStep {
  const latest = latestOf(input);
  const main = mainCondition(latest?.conditions ?? [], input.polarity);
  const write = lastStatusWrite(input.versions, input.operator?.managers ?? []);
  const reason = main?.reason ?? '';
  return step({
    id: 'stored',
    glyph:
      main === undefined || main.status === 'Unknown'
        ? 'unknown'
        : main.status === 'False'
          ? 'failed'
          : 'degraded',
    title:
      main === undefined
        ? say('step.stored.none')
        : reason === ''
          ? say('step.stored.bare', { type: main.type, status: main.status })
          : say('step.stored', { type: main.type, status: main.status, reason }),
    detail:
      write === undefined
        ? say('step.stored.unseen')
        : say('step.stored.since', {
            writtenExactAt: write.at.hi,
            rv: write.resourceVersion,
            writtenForAt: write.at.hi,
          }),
    basis: watched,
    chips: [
      ...(latest === undefined ? [] : [versionChip('object', say('chip.object'), input.object.key, latest)]),
      ...specChip(input),
    ],
  });
}

function fixOf(rights: StatusRights | undefined, operator: string): { readonly fix?: WhyFix } {
  const gap = rights?.gap;
  if (gap !== undefined) {
    const { patch, marker } = gap;
    return {
      fix: {
        text: patch.create
          ? say('fix.role.new', { operator })
          : say('fix.role', { role: `${patch.role.kind} ${patch.role.name}` }),
        forms: [
          { form: 'role', lines: patch.lines, copy: patch.yaml, loses: false },
          {
            form: 'marker',
            text: say('fix.marker'),
            lines: [{ text: marker, added: true }],
            copy: marker,
            loses: false,
          },
        ],
      },
    };
  }
  const { patch, marker } = rights?.finding ?? {};
  if (patch === undefined) return {};
  return {
    fix: {
      text: say('fix.role.new', { operator }),
      forms: [
        { form: 'role', lines: plainLines(patch), copy: patch, loses: false },
        ...(marker === undefined
          ? []
          : [
              {
                form: 'marker' as const,
                text: say('fix.marker'),
                lines: [{ text: marker, added: true }],
                copy: marker,
                loses: false,
              },
            ]),
      ],
    },
  };
}

function plainLines(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => ({ text: line, added: true }));
}
