/** What a cause says. Rules are functions over WhyInput in one ordered list (registry.ts). Spec: docs/spec/why.md */
import type { Sentence, WhyChip, WhyFix, WhyNote, WhyStep } from '../../shared/contract/views/why.ts';
import type { Basis } from '../../shared/model/basis.ts';
import { say } from '../../shared/model/whySentences.ts';
import type { Refusal, RefusalList, Said } from './keyNotes.ts';
import { changedSpec, statusWriter, type VersionNote, wroteStatus } from './versions.ts';
import type { WhyInput } from './whyInput.ts';

export interface CauseAnswer {
  /** Id of the rule, as in the spec. */
  readonly cause: string;
  readonly question: Sentence;
  readonly verdict: Sentence;
  readonly basis?: Basis;
  readonly notes?: readonly WhyNote[];
  readonly chain?: readonly WhyStep[];
  readonly helps?: readonly Sentence[];
  readonly fix?: WhyFix;
  readonly finding?: string;
  readonly mark?: { readonly at: number; readonly text: Sentence };
  /** How a later attempt ends while the cause lasts. */
  readonly ends?: 'refused' | 'fails' | 'runs';
  /** The cause is gone by a change that wakes nothing by itself. */
  readonly mendedElsewhere?: 'role' | 'object';
}

export interface CauseRule {
  readonly id: string;
  readonly judge: (input: WhyInput) => CauseAnswer | undefined;
}

export const watched: Basis = { kind: 'observed', from: 'watch' };
export const logged: Basis = { kind: 'reported', from: 'log' };

export function inferred(by: string, because: readonly number[]): Basis {
  return { kind: 'inferred', by, because };
}

/** A step of the chain; root, quote and detail are the exception. */
export function step(parts: Omit<WhyStep, 'root' | 'precise' | 'chips'> & Partial<WhyStep>): WhyStep {
  return { root: false, precise: true, chips: [], ...parts };
}

/** The times of an object have whole seconds. Unparsable ones are absent. */
export function timeOf(rfc3339: string | undefined): number | undefined {
  const ms = rfc3339 === undefined || rfc3339 === '' ? Number.NaN : Date.parse(rfc3339);
  return Number.isNaN(ms) ? undefined : ms;
}

export function recordAside(seq: number): Sentence {
  return say('aside.record', { record: seq });
}

/** A log or audit line, shown on the page. */
export function lineChip(
  icon: 'line' | 'refused',
  label: Sentence,
  said: Said,
  basis: Basis,
  aside: Sentence = recordAside(said.seq),
): WhyChip {
  return { icon, label, aside, basis, link: { to: 'line', text: said.text, seq: said.seq } };
}

export function versionChip(
  icon: WhyChip['icon'],
  label: Sentence,
  key: string,
  version: { readonly seq: number; readonly resourceVersion: string },
): WhyChip {
  return {
    icon,
    label,
    aside: say('aside.rv', { rv: version.resourceVersion }),
    basis: watched,
    link: { to: 'version', key, seq: version.seq },
  };
}

/** The newest version in which one of `managers` wrote the status; with none named, anybody. */
export function lastStatusWrite(
  versions: readonly VersionNote[],
  managers: readonly string[],
): VersionNote | undefined {
  return versions.findLast((note) => {
    if (!wroteStatus(note)) return false;
    const writer = statusWriter(note);
    return managers.length === 0 || writer === undefined || managers.includes(writer.manager);
  });
}

/** The version that last raised the generation, with who did. */
export function lastSpecChange(versions: readonly VersionNote[]): VersionNote | undefined {
  return versions.findLast((note, index) => index > 0 && changedSpec(note, versions[index - 1]));
}

export function specChip(input: WhyInput): readonly WhyChip[] {
  const change = lastSpecChange(input.versions);
  if (change === undefined) return [];
  const manager = change.writers.find(({ subresource }) => subresource === undefined)?.manager;
  return [
    {
      icon: 'spec',
      label: manager === undefined ? say('chip.specChange.bare') : say('chip.specChange', { manager }),
      ...(change.generation === undefined
        ? {}
        : { aside: say('aside.generation', { generation: change.generation }) }),
      basis: watched,
      link: { to: 'version', key: input.object.key, seq: change.seq },
    },
  ];
}

/** A gap inside the time looked at is said, whatever the cause. */
export function gapNotes(input: WhyInput, since: number | undefined): readonly WhyNote[] {
  const from = since ?? input.now - 600_000;
  const gap = input.gaps.findLast(({ to }) => (to ?? input.now) > from);
  if (gap === undefined) return [];
  const gapMs = (gap.to ?? input.now) - gap.from;
  return [{ kind: 'doubt', text: say('note.gap', { gapFromAt: gap.from, gapMs }) }];
}

/** Who is said to be the operator is a guess: what rests on it is one too. */
export function operatorNotes({ operator }: WhyInput): readonly WhyNote[] {
  if (operator === undefined || operator.basis.kind !== 'inferred') return [];
  return [{ kind: 'doubt', text: say('note.guessedOperator', { operator: operator.name }) }];
}

export function operatorName(input: WhyInput): string {
  return input.operator?.name ?? input.object.kind;
}

/** The source that tells of most refusals; audit wins a tie. */
export function fullest(lists: readonly RefusalList[]): RefusalList | undefined {
  return [...lists].sort((a, b) => b.count - a.count || (a.from === 'audit' ? -1 : 1))[0];
}

export function refusalBasis({ from }: RefusalList): Basis {
  return from === 'audit' ? { kind: 'observed', from: 'audit' } : logged;
}

/** The sources the count rests on, in words. */
export function seenNotes(lists: readonly RefusalList[]): readonly WhyNote[] {
  const all = fullest(lists)?.count ?? 0;
  const audit = lists.find(({ from }) => from === 'audit')?.count;
  const log = lists.find(({ from }) => from === 'log')?.count;
  if (audit !== undefined && log !== undefined)
    return [{ kind: 'seen', text: say('note.seen.both', { audit, log, all }) }];
  if (audit !== undefined) return [{ kind: 'seen', text: say('note.seen.audit', { audit, all }) }];
  return log === undefined ? [] : [{ kind: 'seen', text: say('note.seen.log', { log, all }) }];
}

export function lastOf(list: RefusalList): Refusal {
  return list.recent.at(-1) ?? list.first;
}

/** What a sentence has room for; the whole stands in the step's quote. */
export function shortError(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}
