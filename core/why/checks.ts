/** What is looked at besides the cause: in order, a problem, or not evaluated with what would allow it. */
import type { Sentence, WhyCheck } from '../../shared/contract/views/why.ts';
import { say } from '../../shared/model/whySentences.ts';
import { statusWriter, wroteStatus } from './versions.ts';
import { latestOf, type WhyInput } from './whyInput.ts';

/** In the order of the page. */
export function checksOf(input: WhyInput, cause: string | undefined): readonly WhyCheck[] {
  return [alive(input), crd(input), owned(input), writers(input), generation(input), rights(input, cause)];
}

function check(id: string, state: WhyCheck['state'], title: Sentence, detail?: Sentence): WhyCheck {
  return { id, state, title, ...(detail === undefined ? {} : { detail }) };
}

function alive({ operator, now }: WhyInput): WhyCheck {
  if (operator === undefined)
    return check('alive', 'notEvaluated', say('check.alive.unknown'), say('check.operator.none'));
  const [sign] = operator.signs;
  const detail = sign === undefined ? say('check.alive.nothing') : signText(sign);
  if (operator.runs === 'notRunning') return check('alive', 'problem', say('check.alive.problem'), detail);
  const recent = sign !== undefined && ('detail' in sign || now - sign.at < 60_000);
  return operator.runs === 'running' || recent
    ? check('alive', 'ok', say('check.alive.ok'), detail)
    : check('alive', 'notEvaluated', say('check.alive.unknown'), detail);
}

function signText(sign: NonNullable<WhyInput['operator']>['signs'][number]): Sentence {
  switch (sign.kind) {
    case 'lease':
      return say('check.alive.lease', { renewedForAt: sign.at });
    case 'log':
      return say('check.alive.logged', { loggedForAt: sign.at });
    case 'write':
      return say('check.alive.wrote', { wroteForAt: sign.at });
    case 'workload':
    case 'process':
      return say('check.alive.workload', { detail: sign.detail });
  }
}

function owned({ owned: all, ownedUnreadable }: WhyInput): WhyCheck {
  const list = (some: typeof all) =>
    say('check.owned.list', { owned: some.map(({ kind, text }) => `${kind} ${text}`.trim()) });
  const bad = all.filter(({ state }) => state === 'notReady');
  if (bad.length > 0) return check('owned', 'problem', say('check.owned.problem'), list(bad));
  if (ownedUnreadable.length > 0)
    return check(
      'owned',
      'notEvaluated',
      say('check.owned.unknown'),
      say('check.needs', { permission: `list ${ownedUnreadable.join(', ')}` }),
    );
  if (all.length === 0) return check('owned', 'ok', say('check.owned.ok'), say('check.owned.none'));
  return check('owned', 'ok', say('check.owned.ok'), list(all));
}

function generation(input: WhyInput): WhyCheck {
  const latest = latestOf(input);
  const [wanted, observed] = [latest?.generation, latest?.observedGeneration];
  if (input.detail === 'metadata')
    return check('generation', 'notEvaluated', say('check.generation.unknown'), say('check.metadata'));
  if (wanted === undefined || observed === undefined)
    return check(
      'generation',
      'notEvaluated',
      say('check.generation.unknown'),
      say('check.generation.absent'),
    );
  const of = say('check.generation.of', { observed, generation: wanted });
  return observed >= wanted
    ? check('generation', 'ok', say('check.generation.ok'), of)
    : check('generation', 'problem', say('check.generation.problem'), of);
}

function crd({ crd: about }: WhyInput): WhyCheck {
  switch (about.kind) {
    case 'builtIn':
      return check('crd', 'ok', say('check.crd.ok'), say('check.crd.builtIn'));
    case 'unreadable':
      return check(
        'crd',
        'notEvaluated',
        say('check.crd.unknown'),
        say('check.needs', { permission: about.permission }),
      );
    case 'unknown':
      return check('crd', 'notEvaluated', say('check.crd.unknown'));
    case 'crd':
      return check(
        'crd',
        about.servesStatus ? 'ok' : 'problem',
        say(about.servesStatus ? 'check.crd.ok' : 'check.crd.problem'),
        say('check.crd.versions', { versions: about.versions }),
      );
  }
}

/** Managers other than the operator's that wrote the status while it was watched. */
function writers({ versions, operator, detail }: WhyInput): WhyCheck {
  const title = say('check.writer.unknown');
  if (detail === 'metadata') return check('writer', 'notEvaluated', title, say('check.metadata'));
  if (operator === undefined || operator.managers.length === 0)
    return check('writer', 'notEvaluated', title, say('check.operator.none'));
  const others = new Set<string>();
  for (const note of versions) {
    const manager = wroteStatus(note) ? statusWriter(note)?.manager : undefined;
    if (manager !== undefined && !operator.managers.includes(manager)) others.add(manager);
  }
  if (others.size > 0)
    return check(
      'writer',
      'problem',
      say('check.writer.problem'),
      say('check.writer.others', { managers: [...others] }),
    );
  const since = versions[0]?.at.hi;
  return check(
    'writer',
    'ok',
    say('check.writer.ok'),
    since === undefined ? undefined : say('check.writer.since', { sinceAt: since }),
  );
}

function rights(
  { otherGaps, neededRights, rightsPermission, operator }: WhyInput,
  cause: string | undefined,
): WhyCheck {
  if (otherGaps === undefined)
    return check(
      'rights',
      'notEvaluated',
      say('check.rights.unknown'),
      rightsPermission === undefined
        ? operator === undefined
          ? say('check.operator.none')
          : undefined
        : say('check.needs', { permission: rightsPermission }),
    );
  if (otherGaps.length > 0)
    return check(
      'rights',
      'problem',
      say(cause === 'status-refused' ? 'check.rights.problem.others' : 'check.rights.problem'),
      say('check.rights.gaps', { gaps: otherGaps }),
    );
  return check(
    'rights',
    'ok',
    say(cause === 'status-refused' ? 'check.rights.others' : 'check.rights.ok'),
    say('check.rights.needed', { n: neededRights }),
  );
}
