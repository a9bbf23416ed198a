/**
 * conflict/stale-cache-write and conflict/contended-object: the same write is answered 409 again and again. Who made the
 * version that stood in the way decides which: the writer itself (it wrote from a cached read, or twice in one pass), or
 * somebody who updates the object all the time. A conflict that the next try clears is how optimistic locking works.
 */
import type { Evidence, Finding } from '../../../shared/model/finding.ts';
import type { SeenConflict, SeenHistory, SeenWrite } from '../../trace/detectors/seen.ts';
import type { Evaluation, FindingContext, FindingRule } from '../findingInput.ts';
import { operatorOf, writerOf } from './changeWords.ts';
import { fightsOf } from './fieldFight.ts';
import { countWord, joinWords } from './wording.ts';

const staleId = 'conflict/stale-cache-write';
const contendedId = 'conflict/contended-object';
const leastConflicts = 3;
/** Conflicts of one fault come close together, ms. */
const burstMs = 300_000;
/** How long before the answer the version in the way can have been written, ms. */
const longestRaceMs = 10_000;

export const staleCacheWrite: FindingRule = {
  id: staleId,
  evaluate: (context) => judge(context, 'own'),
};
export const contendedObject: FindingRule = {
  id: contendedId,
  evaluate: (context) => judge(context, 'other'),
};

interface Target {
  readonly kind: string;
  readonly subject: string;
  readonly conflicts: readonly SeenConflict[];
  readonly history: SeenHistory | undefined;
}

function judge(context: FindingContext, side: 'own' | 'other'): Evaluation {
  const findings: Finding[] = [];
  for (const target of targets(context)) {
    const recent = target.conflicts.slice(-50);
    const causes = recent.map((conflict) => causeOf(context, target, conflict));
    const own = causes.filter((cause) => cause?.side === 'own').length;
    const others = causes.flatMap((cause) => (cause?.side === 'other' ? [cause.by] : []));
    const isOwn = own >= others.length && own > 0;
    if (side === 'own' ? !isOwn : isOwn || others.length < leastConflicts) continue;
    // A field in dispute is the cause of both the conflicts and the writes behind them.
    if (target.history !== undefined && fightsOf(target.history, context).length > 0) continue;
    findings.push(
      side === 'own' ? staleFinding(context, target, own) : contendedFinding(context, target, others),
    );
  }
  return { findings, notEvaluated: [], resolved: [] };
}

/** Objects with several conflicts lately, counted by the fullest source: log and audit tell of the same. */
function targets(context: FindingContext): readonly Target[] {
  const { input } = context;
  const byObject = new Map<string, SeenConflict[]>();
  for (const conflict of input.changes?.conflicts ?? []) {
    const id = `${conflict.group}\0${conflict.resource}\0${conflict.name}`;
    const list = byObject.get(id);
    if (list === undefined) byObject.set(id, [conflict]);
    else list.push(conflict);
  }
  const found: Target[] = [];
  const now = Date.parse(input.now);
  for (const all of byObject.values()) {
    for (const namespace of namespacesOf(all)) {
      const here = all.filter((one) => one.namespace === namespace || one.namespace === '');
      const audit = here.filter(({ from }) => from === 'audit');
      const log = here.filter(({ from }) => from === 'log');
      const conflicts = (audit.length >= log.length ? audit : log).sort((a, b) => a.at.lo - b.at.lo);
      const last = conflicts.at(-1);
      const third = conflicts.at(-leastConflicts);
      if (last === undefined || third === undefined) continue;
      if (last.at.lo - third.at.lo > burstMs || now - last.at.hi > burstMs) continue;
      const kind = kindOf(context, last);
      if (kind === undefined) continue;
      const history = input.changes?.histories.find(
        (one) =>
          one.kind === kind &&
          one.group === last.group &&
          one.name === last.name &&
          (namespace === '' || one.namespace === namespace),
      );
      const place = namespace === '' ? (history?.namespace ?? onlyNamespace(context, last, kind)) : namespace;
      found.push({ kind, subject: `${kind}/${place === '' ? '-' : place}/${last.name}`, conflicts, history });
    }
  }
  return found;
}

/** Lines that name no namespace count for the one that others name. */
function namespacesOf(conflicts: readonly SeenConflict[]): readonly string[] {
  const named = new Set(conflicts.map(({ namespace }) => namespace));
  if (named.size > 1) named.delete('');
  return [...named];
}

function kindOf({ input, crds }: FindingContext, { group, resource }: SeenConflict): string | undefined {
  const crd = crds.byResource(group, resource);
  if (crd !== undefined) return crd.kind;
  const plural = (kind: string) => `${kind.toLowerCase()}${/[sx]$/i.test(kind) ? 'es' : 's'}`;
  const known = input.changes?.histories.find(
    (one) =>
      one.group === group &&
      (plural(one.kind) === resource || plural(one.kind).replace(/ys$/, 'ies') === resource),
  );
  return known?.kind ?? builtIn[resource];
}

const builtIn: Readonly<Record<string, string>> = {
  configmaps: 'ConfigMap',
  daemonsets: 'DaemonSet',
  deployments: 'Deployment',
  jobs: 'Job',
  pods: 'Pod',
  secrets: 'Secret',
  serviceaccounts: 'ServiceAccount',
  services: 'Service',
  statefulsets: 'StatefulSet',
};

function onlyNamespace({ input }: FindingContext, { group, name }: SeenConflict, kind: string): string {
  const places = [...input.objects.heads(`${group}/${kind}`)].filter((head) => head.name === name);
  return places.length === 1 ? (places[0]?.namespace ?? '') : '';
}

type Cause = { readonly side: 'own' | 'other'; readonly by: string } | undefined;

/** Who made the version that stood in the way; undefined where nothing tells. */
function causeOf(context: FindingContext, { history }: Target, conflict: SeenConflict): Cause {
  const writes = (context.input.changes?.writes ?? []).filter((write) => isSameObject(write, conflict));
  const before = writes.filter(
    (write) => write.at.lo <= conflict.at.lo && conflict.at.lo - write.at.hi <= longestRaceMs,
  );
  // Based on one and the same version: the write that got there first is the one in the way.
  const first = before.find((write) => write.basedOn !== undefined && write.basedOn === conflict.basedOn);
  const audited = first ?? before.at(-1);
  if (audited !== undefined && conflict.user !== undefined)
    return { side: audited.user === conflict.user ? 'own' : 'other', by: audited.user };
  if (history === undefined) return undefined;
  const inTheWay = history.versions.findLast(
    ({ at, changes }) =>
      at <= conflict.at.hi + 50 && conflict.at.lo - at <= longestRaceMs && changes.length > 0,
  );
  const manager = inTheWay === undefined ? undefined : writerOf(history, inTheWay)?.manager;
  if (manager === undefined) return undefined;
  return { side: operatorOf(context, manager) === undefined ? 'other' : 'own', by: manager };
}

function isSameObject(a: SeenWrite, b: SeenConflict): boolean {
  return (
    a.group === b.group &&
    a.resource === b.resource &&
    a.name === b.name &&
    (b.namespace === '' || a.namespace === b.namespace)
  );
}

function staleFinding({ input }: FindingContext, target: Target, own: number): Finding {
  const { conflicts, subject } = target;
  const subresource = conflicts.find((one) => one.subresource !== '')?.subresource;
  const what = subresource === undefined ? 'writes' : `writes of ${subresource}`;
  return {
    id: `${staleId}:${subject}`,
    rule: staleId,
    severity: 'error',
    subject,
    title: `The operator's ${what} are answered 409 again and again: ${countWord(conflicts.length)} lately`,
    why: `The version in the way was made by the operator itself ${own} of ${conflicts.length} times: it writes from a copy that is older than its own last write (a read from the cache, or a second write in one pass).`,
    basis: basisOf(conflicts),
    fix: {
      text: 'Go on from the object that the first write returned, or write status and object in one pass from one fresh read; use a patch without a resourceVersion where no other writer can get in between.',
    },
    evidence: conflictEvidence(conflicts, input.changes?.writes ?? []),
    openedAt: timeOf(conflicts[0]),
  };
}

function contendedFinding({ input }: FindingContext, target: Target, others: readonly string[]): Finding {
  const { conflicts, subject } = target;
  const names = [...new Set(others)];
  return {
    id: `${contendedId}:${subject}`,
    rule: contendedId,
    severity: 'warning',
    subject,
    title: `${joinWords(names)} ${names.length === 1 ? 'updates' : 'update'} the object so often that the operator's writes are answered 409: ${countWord(conflicts.length)} lately`,
    why: `No field is in dispute; the version simply moves between the operator's read and its write. The one in the way was made by ${joinWords(names)} ${others.length} of ${conflicts.length} times.`,
    basis: basisOf(conflicts),
    fix: {
      text: 'Patch only the fields that are yours, without a resourceVersion (server-side apply, or a merge patch), or read again and retry at once (retry.RetryOnConflict).',
    },
    evidence: conflictEvidence(conflicts, input.changes?.writes ?? []),
    openedAt: timeOf(conflicts[0]),
  };
}

function basisOf(conflicts: readonly SeenConflict[]): Finding['basis'] {
  return conflicts[0]?.from === 'audit'
    ? { kind: 'observed', from: 'audit' }
    : { kind: 'reported', from: 'log' };
}

function conflictEvidence(
  conflicts: readonly SeenConflict[],
  writes: readonly SeenWrite[],
): readonly Evidence[] {
  const first = conflicts[0];
  const last = conflicts.at(-1);
  const shown = first === last ? [first] : [first, last];
  const evidence = shown.flatMap((conflict, index): Evidence[] => {
    if (conflict === undefined) return [];
    const target = `${conflict.resource}${conflict.subresource === '' ? '' : `/${conflict.subresource}`} ${conflict.name}`;
    const based = conflict.basedOn === undefined ? '' : `, based on version ${conflict.basedOn}`;
    return [
      {
        text: `${index === 0 ? '' : `last of ${conflicts.length}: `}409 on ${target}${based}`,
        basis: basisOf([conflict]),
        at: timeOf(conflict),
        ...conflict.place,
      },
    ];
  });
  const before = writes.findLast(
    (write) => first !== undefined && isSameObject(write, first) && write.at.lo <= first.at.lo,
  );
  if (before === undefined) return evidence;
  const write: Evidence = {
    text: `${before.user} wrote ${before.resource}${before.subresource === '' ? '' : `/${before.subresource}`} ${before.name} before it${before.basedOn === undefined ? '' : `, from version ${before.basedOn} too`}`,
    basis: { kind: 'observed', from: 'audit' },
    at: new Date(before.at.lo).toISOString(),
    ...before.place,
  };
  return [write, ...evidence];
}

function timeOf(conflict: SeenConflict | undefined): string {
  if (conflict === undefined) return '';
  const text = new Date(conflict.at.lo).toISOString();
  return conflict.at.hi - conflict.at.lo >= 999 ? text.replace('.000Z', 'Z') : text;
}
