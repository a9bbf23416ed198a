/**
 * hotloop/field-fight: two managers alternate the value of one field. Shown by versions: A by the one, B by the other, A
 * again, B again; one manager that changes its mind is another fault, and so is a value that moves on.
 */
import type { Evidence, Finding } from '../../../shared/model/finding.ts';
import type { SeenHistory, SeenVersion } from '../../trace/detectors/seen.ts';
import type { Evaluation, FindingContext, FindingRule } from '../findingInput.ts';
import {
  evidenceOf,
  isUnder,
  medianGap,
  operatorOf,
  paceText,
  stillGoesOn,
  valueText,
  writerOf,
} from './changeWords.ts';

const ruleId = 'hotloop/field-fight';
/** A to B to A to B: less is a correction. */
const leastFlips = 4;

export const fieldFight: FindingRule = { id: ruleId, evaluate };

interface Flip {
  readonly version: SeenVersion;
  readonly manager: string;
  readonly subresource: string;
  readonly value: string;
  readonly shown: unknown;
}

export interface Fight {
  readonly path: string;
  /** Oldest first, alternating. */
  readonly flips: readonly Flip[];
}

function evaluate(context: FindingContext): Evaluation {
  const findings: Finding[] = [];
  const now = Date.parse(context.input.now);
  for (const history of context.input.changes?.histories ?? []) {
    const fights = fightsOf(history, context).filter(({ flips }) => {
      const times = flips.map(({ version }) => version.at);
      return stillGoesOn(times.at(-1) ?? 0, medianGap(times), now);
    });
    const [worst] = fights;
    if (worst !== undefined) findings.push(findingOf(context, history, worst, fights));
  }
  return { findings, notEvaluated: [], resolved: [] };
}

/** Fields in dispute, the ones that both sides set to a value first. */
export function fightsOf(history: SeenHistory, context: FindingContext): readonly Fight[] {
  const byPath = new Map<string, Flip[]>();
  const ofStatus = new Set<string>();
  for (const version of history.versions) {
    const writer = writerOf(history, version);
    for (const change of version.changes) {
      if (isUnder(change, 'status')) ofStatus.add(change.path);
      const flips = byPath.get(change.path) ?? [];
      byPath.set(change.path, flips);
      // Nobody signs what only took fields away: whoever it was, the row of flips ends here.
      if (writer === undefined) flips.length = 0;
      else
        flips.push({
          version,
          manager: writer.manager,
          subresource: writer.subresource ?? '',
          value: JSON.stringify(change.new) ?? '',
          shown: change.new,
        });
    }
  }
  const fights: Fight[] = [];
  for (const [path, flips] of byPath) {
    const alternating = alternatingEnd(flips);
    if (alternating.length < leastFlips) continue;
    const managers = new Set(alternating.map(({ manager }) => manager));
    // Parts of the control plane hand a status over to each other; a dispute of theirs is not an operator's.
    const ours = [...managers].some((manager) => operatorOf(context, manager) !== undefined);
    // People with kubectl change their minds.
    const byHand = [...managers].every((manager) => manager.startsWith('kubectl'));
    if (managers.size === 2 && !byHand && (ours || !ofStatus.has(path)))
      fights.push({ path, flips: alternating });
  }
  return fights.sort(
    (a, b) => unset(a) - unset(b) || b.flips.length - a.flips.length || a.path.length - b.path.length,
  );
}

function unset({ flips }: Fight): number {
  return flips.some(({ shown }) => shown === undefined) ? 1 : 0;
}

/** The longest end of the row in which two values and two managers take turns. */
function alternatingEnd(flips: readonly Flip[]): readonly Flip[] {
  let from = flips.length - 1;
  while (from > 0) {
    const [one, next, after] = [flips[from - 1], flips[from], flips[from + 1]];
    if (one === undefined || next === undefined) break;
    if (one.manager === next.manager || one.value === next.value) break;
    if (after !== undefined && (one.manager !== after.manager || one.value !== after.value)) break;
    from--;
  }
  return flips.slice(Math.max(0, from));
}

function findingOf(
  context: FindingContext,
  history: SeenHistory,
  { path, flips }: Fight,
  all: readonly Fight[],
): Finding {
  const { input } = context;
  const [a, b] = [flips.at(-2), flips.at(-1)].sort((x, y) =>
    operatorOf(context, y?.manager ?? '') === undefined
      ? -1
      : operatorOf(context, x?.manager ?? '') === undefined
        ? 1
        : 0,
  );
  const own = a !== undefined && operatorOf(context, a.manager) !== undefined ? a : b;
  const other = own === a ? b : a;
  // A round is from one write of the operator to its next.
  const rounds = flips.filter(({ manager }) => manager === own?.manager).map(({ version }) => version.at);
  const pace = paceText(medianGap(rounds));
  const others = all.slice(1, 4).map((fight) => fight.path);
  const evidence = flips
    .slice(-4)
    .map(
      ({ version, manager, subresource, shown }): Evidence =>
        evidenceOf(
          version,
          `${manager}${subresource === '' ? '' : ` (${subresource})`} set ${path} to ${valueText(shown)}, version ${version.resourceVersion}`,
          input.objectBasis,
        ),
    );
  return {
    id: `${ruleId}:${history.subject}`,
    rule: ruleId,
    severity: 'error',
    subject: history.subject,
    title: `${path} alternates between ${valueText(own?.shown)} by ${own?.manager ?? '?'} and ${valueText(other?.shown)} by ${other?.manager ?? '?'}, ${pace}`,
    why:
      `${own?.manager} writes ${valueText(own?.shown)}, ${other?.manager} writes ${valueText(other?.shown)}; each write is undone by the other, ${flips.length} times in the versions seen` +
      `${others.length === 0 ? '' : `, and so are ${others.join(', ')}`}. Both act as the owner of the field.`,
    basis: { kind: 'observed', from: input.objectBasis },
    fix: {
      text: `Leave ${path} to one of them: have ${own?.manager} keep the value that is there when somebody else owns it (or leave the field out with server-side apply), or take ${other?.manager}'s rule off this object.`,
    },
    evidence,
    openedAt: new Date(flips[0]?.version.at ?? 0).toISOString(),
  };
}
