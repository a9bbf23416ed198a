/**
 * hotloop/defaulting-diff: what the server fills in or writes in its own way is taken for drift, so a child is written again
 * and again. Shown by requests that pass and change nothing (the next one is based on the same version), or by versions in
 * which one manager undoes its own value each time.
 */
import type { Evidence, Finding } from '../../../shared/model/finding.ts';
import { groupResource } from '../../../shared/model/ids.ts';
import type { SeenHistory, SeenWrite } from '../../trace/detectors/seen.ts';
import type { Evaluation, FindingContext, FindingRule } from '../findingInput.ts';
import {
  evidenceOf,
  medianGap,
  operatorOf,
  paceText,
  stillGoesOn,
  valueText,
  writerOf,
} from './changeWords.ts';
import { spentWrites } from './spentWrites.ts';
import { countWord } from './wording.ts';

const ruleId = 'hotloop/defaulting-diff';
const leastWrites = 4;
/** Requests of one reconcile are one try, ms. */
const oneRunMs = 20;
/** An operator that applies all it owns every few minutes does no harm. */
const slowestGapMs = 60_000;

export const defaultingDiff: FindingRule = { id: ruleId, evaluate };

function evaluate(context: FindingContext): Evaluation {
  const found = new Map<string, Finding>();
  for (const finding of [...emptyWrites(context), ...undoneWrites(context), ...spentWrites(context)])
    if (!found.has(finding.id)) found.set(finding.id, finding);
  return { findings: [...found.values()], notEvaluated: [], resolved: [] };
}

/** Audited updates of one object by an operator that left its version as it was. */
function emptyWrites(context: FindingContext): readonly Finding[] {
  const { input } = context;
  const byObject = new Map<string, SeenWrite[]>();
  for (const write of input.changes?.writes ?? []) {
    const profile = input.profiles.find(({ identity }) => identity.value.user === write.user);
    if (profile === undefined || write.subresource !== '') continue;
    const isFor = profile.controllers.some(({ for: of }) => of.value === nameOf(write));
    if (isFor) continue;
    const id = `${write.user}\0${nameOf(write)}\0${write.namespace}/${write.name}`;
    const list = byObject.get(id);
    if (list === undefined) byObject.set(id, [write]);
    else list.push(write);
  }
  const now = Date.parse(input.now);
  const findings: Finding[] = [];
  for (const writes of byObject.values()) {
    writes.sort((a, b) => a.at.lo - b.at.lo);
    const empty = writes.filter((write, index) => {
      if (write.answered !== undefined) return write.answered === write.basedOn;
      const next = writes[index + 1];
      return write.basedOn !== undefined && next?.basedOn === write.basedOn;
    });
    const runs = empty.filter((write, index) => {
      const before = empty[index - 1];
      return before === undefined || write.at.lo - before.at.lo > oneRunMs;
    });
    const times = runs.map(({ at }) => at.lo);
    const gap = medianGap(times);
    if (runs.length < leastWrites || gap > slowestGapMs || !stillGoesOn(times.at(-1) ?? 0, gap, now))
      continue;
    const kind = childKind(context, runs[0]);
    if (kind !== undefined) findings.push(emptyFinding(context, kind, runs, gap));
  }
  return findings;
}

function nameOf({ group, resource }: SeenWrite): string {
  return groupResource(group, resource);
}

/** The kind of an owned object, by the object itself; undefined where it is not known, or nobody owns it. */
function childKind({ input, crds }: FindingContext, write: SeenWrite | undefined): string | undefined {
  if (write === undefined) return undefined;
  const kinds = [
    crds.byResource(write.group, write.resource)?.kind,
    ...(owned[write.resource] === undefined ? [] : [owned[write.resource]]),
  ];
  return kinds.find(
    (kind) =>
      kind !== undefined &&
      [...input.objects.heads(`${write.group}/${kind}`)].some(
        (head) =>
          head.name === write.name && head.namespace === write.namespace && head.ownerReferences.length > 0,
      ),
  );
}

const owned: Readonly<Record<string, string>> = {
  configmaps: 'ConfigMap',
  cronjobs: 'CronJob',
  daemonsets: 'DaemonSet',
  deployments: 'Deployment',
  horizontalpodautoscalers: 'HorizontalPodAutoscaler',
  ingresses: 'Ingress',
  jobs: 'Job',
  networkpolicies: 'NetworkPolicy',
  poddisruptionbudgets: 'PodDisruptionBudget',
  rolebindings: 'RoleBinding',
  roles: 'Role',
  secrets: 'Secret',
  serviceaccounts: 'ServiceAccount',
  services: 'Service',
  statefulsets: 'StatefulSet',
};

function emptyFinding(
  { input }: FindingContext,
  kind: string,
  writes: readonly SeenWrite[],
  gap: number,
): Finding {
  const [first] = writes;
  const last = writes.at(-1);
  const subject = `${kind}/${first?.namespace === '' ? '-' : first?.namespace}/${first?.name}`;
  const evidence = [first, last].flatMap((write): Evidence[] =>
    write === undefined
      ? []
      : [
          {
            text: `${write.verb} of ${write.resource} ${write.name} passed, the version stayed ${write.basedOn ?? 'the same'}`,
            basis: { kind: 'observed', from: 'audit' },
            at: new Date(write.at.lo).toISOString(),
            ...write.place,
          },
        ],
  );
  return {
    id: `${ruleId}:${subject}`,
    rule: ruleId,
    severity: 'error',
    subject,
    title: `${first?.user} writes it ${paceText(gap)} and nothing changes: ${countWord(writes.length)} in what was audited`,
    why: `Each request is answered with the version that was there (${last?.basedOn ?? 'unchanged'}), so what the operator sends and what is stored mean the same. It takes what the server filled in, or writes in its own way, for drift.`,
    basis: { kind: 'observed', from: 'audit' },
    fix: {
      text: 'Compare only the fields the operator sets (equality.Semantic.DeepDerivative, or server-side apply and the answered version), and write defaulted fields out in what it sends.',
    },
    evidence,
    openedAt: evidence[0]?.at ?? input.now,
  };
}

/** Versions of an owned object in which one manager of an operator sets a value and takes it back, over and over. */
function undoneWrites(context: FindingContext): readonly Finding[] {
  const { input } = context;
  const now = Date.parse(input.now);
  return (input.changes?.histories ?? []).flatMap((history) => {
    if (history.ownerKinds.length === 0) return [];
    const undone = undoneEnd(context, history);
    const times = undone.map(({ at }) => at);
    const gap = medianGap(times);
    if (undone.length < leastWrites || gap > slowestGapMs || !stillGoesOn(times.at(-1) ?? 0, gap, now))
      return [];
    const last = undone.at(-1);
    const manager = last === undefined ? undefined : writerOf(history, last)?.manager;
    const change = last?.changes[0];
    if (last === undefined || manager === undefined) return [];
    const place = change === undefined ? 'no field' : change.path;
    const finding: Finding = {
      id: `${ruleId}:${history.subject}`,
      rule: ruleId,
      severity: 'error',
      subject: history.subject,
      title: `${manager} writes it ${paceText(gap)} and undoes itself: ${place} goes back and forth`,
      why: `Nobody else writes it. ${change === undefined ? 'Versions differ in nothing that anybody set' : `${change.path} is ${valueText(change.old)} and ${valueText(change.new)} by turns`}: what the server fills in, or writes in its own way, is taken for drift.`,
      basis: { kind: 'observed', from: input.objectBasis },
      fix: {
        text: 'Compare only the fields the operator sets (equality.Semantic.DeepDerivative, or server-side apply), and write defaulted fields out in what it sends.',
      },
      evidence: undone
        .slice(-2)
        .map((version) =>
          evidenceOf(version, `version ${version.resourceVersion} by ${manager}`, input.objectBasis),
        ),
      openedAt: new Date(undone[0]?.at ?? 0).toISOString(),
    };
    return [finding];
  });
}

/** The newest versions, as far back as one manager of an operator alone wrote and each change took one before it back. */
function undoneEnd(context: FindingContext, history: SeenHistory): SeenHistory['versions'] {
  const { versions } = history;
  const newest = versions.at(-1);
  const manager = newest === undefined ? undefined : writerOf(history, newest)?.manager;
  if (manager === undefined || operatorOf(context, manager) === undefined) return [];
  let from = versions.length;
  while (from > 1) {
    const version = versions[from - 1];
    if (version === undefined || writerOf(history, version)?.manager !== manager) break;
    if (version.changes.some(({ path }) => path.startsWith('status'))) break;
    const before = versions.slice(Math.max(1, from - 3), from - 1).flatMap(({ changes }) => changes);
    const isUndoing = version.changes.every((change) =>
      before.some(
        (old) => old.path === change.path && JSON.stringify(old.old) === JSON.stringify(change.new),
      ),
    );
    if (!isUndoing) break;
    from--;
  }
  return versions.slice(from);
}
