/**
 * hotloop/self-triggered-status-write: the operator's own status write is the event that queues the next reconcile, and what
 * it writes says nothing new: times, counters of its own, the same values. A status that is renewed on purpose by a timer
 * (RequeueAfter) is no such loop, and neither is one that reports progress.
 */
import type { Finding } from '../../../shared/model/finding.ts';
import { objectKey } from '../../../shared/model/ids.ts';
import type { OperatorProfile } from '../../../shared/model/profile.ts';
import type { Span } from '../../../shared/model/trace.ts';
import type { SeenHistory, SeenVersion } from '../../trace/detectors/seen.ts';
import type { Evaluation, FindingContext, FindingRule } from '../findingInput.ts';
import {
  evidenceOf,
  isStatusOnly,
  medianGap,
  operatorOf,
  paceText,
  stillGoesOn,
  valueText,
  writerOf,
} from './changeWords.ts';
import { type News, newsOf } from './news.ts';

const ruleId = 'hotloop/self-triggered-status-write';
const leastWrites = 5;
/** Slower ones are renewed by a timer, or cost nobody anything. */
const slowestGapMs = 15_000;
/** Without a word of the operator on what woke its runs, only a pace that no timer has counts. */
const slowestUnexplainedMs = 3000;
/** What wakes a run has it begin within this time, ms; a run that is seen later was woken by something else. */
const soonMs = 500;

export const selfTriggeredWrite: FindingRule = { id: ruleId, evaluate };

function evaluate(context: FindingContext): Evaluation {
  const findings: Finding[] = [];
  const now = Date.parse(context.input.now);
  for (const history of context.input.changes?.histories ?? []) {
    const loop = loopOf(context, history);
    if (loop === undefined) continue;
    const times = loop.versions.map(({ at }) => at);
    const gap = medianGap(times);
    if (gap > slowestGapMs || !stillGoesOn(times.at(-1) ?? 0, gap, now)) continue;
    const woken = wokenByItself(context, history, loop.controllers);
    if (woken === 'no') continue;
    // A counter may be progress: only what woke the runs tells.
    if (woken === 'unknown' && (gap > slowestUnexplainedMs || loop.news !== 'none')) continue;
    findings.push(findingOf(context, history, loop, gap, woken === 'yes'));
  }
  return { findings, notEvaluated: [], resolved: [] };
}

interface Loop {
  readonly manager: string;
  readonly versions: readonly SeenVersion[];
  /** Places that change in each of them. */
  readonly paths: readonly string[];
  readonly controllers: readonly string[];
  /** The most that any of them says. */
  readonly news: News;
}

/** The newest versions, as far back as one manager of an operator wrote nothing but empty news of the status. */
function loopOf(context: FindingContext, history: SeenHistory): Loop | undefined {
  const { versions } = history;
  const newest = versions.at(-1);
  const signed = newest === undefined ? undefined : writerOf(history, newest)?.manager;
  const profile = signed === undefined ? ownerOf(context, history) : operatorOf(context, signed);
  if (profile === undefined) return undefined;
  const controllers = profile.controllers
    .filter(({ for: of }) => {
      const crd = context.crds.byKind(history.group, history.kind);
      return crd === undefined || of.value === `${crd.plural}.${crd.group}`;
    })
    .map(({ name }) => name);
  const inLoop: SeenVersion[] = [];
  let news: News = 'none';
  for (let index = versions.length - 1; index > 0; index--) {
    const version = versions[index];
    const before = versions[index - 1];
    if (version === undefined || before === undefined) break;
    if (version.generation !== before.generation || !isReport(version, history, controllers.length > 0))
      break;
    if (writerOf(history, version)?.manager !== signed) break;
    const said = newsOf(version, before);
    if (said === 'some') break;
    if (said === 'counter') news = said;
    inLoop.unshift(version);
  }
  if (inLoop.length < leastWrites - 1) return undefined;
  const common = inLoop[0]?.changes.map(({ path }) => path) ?? [];
  const paths = common.filter((path) =>
    inLoop.every((one) => one.changes.some((change) => change.path === path)),
  );
  return { manager: signed ?? profile.name, versions: inLoop, paths, controllers, news };
}

/** The status, or a note that the operator keeps in an annotation of a kind it reconciles: both wake its own watch. */
function isReport(version: SeenVersion, { group }: SeenHistory, isReconciled: boolean): boolean {
  if (isStatusOnly(version)) return true;
  // Built-in kinds carry locks and heartbeats of others in annotations.
  if (!isReconciled || !group.includes('.') || group.endsWith('.k8s.io')) return false;
  return (
    version.changes.length > 0 &&
    version.changes.every(({ path }) => path.startsWith('status') || path.startsWith('metadata.annotations'))
  );
}

/**
 * Objects as kubectl prints them carry no managedFields: the status of a kind is written by the one operator that
 * reconciles it.
 */
function ownerOf({ input, crds }: FindingContext, history: SeenHistory): OperatorProfile | undefined {
  const crd = crds.byKind(history.group, history.kind);
  if (crd === undefined || history.managers.length > 0) return undefined;
  const owners = input.profiles.filter(({ controllers }) =>
    controllers.some(({ for: of }) => of.value === `${crd.plural}.${crd.group}`),
  );
  return owners.length === 1 ? owners[0] : undefined;
}

/** What woke the runs that wrote, as far as spans or the operator's own counts tell. */
function wokenByItself(
  { input }: FindingContext,
  history: SeenHistory,
  controllers: readonly string[],
): 'yes' | 'no' | 'unknown' {
  const key = history.namespace === '' ? history.name : `${history.namespace}/${history.name}`;
  const spans = (input.spans ?? [])
    .filter((span) => span.key === key && span.object === objectKey(history))
    .slice(0, 12);
  const causes = spans.flatMap((span) => causeOf(span) ?? []);
  if (causes.length >= 3) {
    const own = causes.filter((cause) => cause === 'own').length;
    if (own * 2 > causes.length) return 'yes';
    if ((causes.length - own) * 2 > causes.length) return 'no';
  }
  const runs = (input.changes?.runs ?? []).filter(({ controller }) => controllers.includes(controller));
  const events = runs.reduce((sum, one) => sum + one.success, 0);
  const timers = runs.reduce((sum, one) => sum + one.requeueAfter + one.requeue + one.error, 0);
  if (events + timers < leastWrites) return 'unknown';
  return timers > events ? 'no' : 'yes';
}

const timers: ReadonlySet<string> = new Set(['retry', 'requeue', 'requeue-after', 'resync']);

/** What came right before a run, anything but an own write first: that explains it without a loop. */
function causeOf({ start, startBasis, triggerList }: Span): 'own' | 'other' | undefined {
  // A start that no line tells lies anywhere before the first sign of the run.
  const began = startBasis.kind === 'inferred' ? start.hi : start.lo;
  const near = triggerList.filter(({ at, type }) => type !== 'unseen' && began - at.hi <= soonMs);
  if (near.some(({ type, writer }) => timers.has(type) || writer?.own === false)) return 'other';
  return near.some(({ writer }) => writer?.own === true) ? 'own' : undefined;
}

function findingOf(
  { input }: FindingContext,
  history: SeenHistory,
  { manager, versions, paths }: Loop,
  gap: number,
  known: boolean,
): Finding {
  const [first, last] = [versions[0], versions.at(-1)];
  const places = paths.length === 0 ? 'nothing but times and counters' : paths.slice(0, 3).join(', ');
  const sample = last?.changes[0];
  const what = versions.some((version) => isStatusOnly(version)) ? 'the status' : 'an annotation';
  return {
    id: `${ruleId}:${history.subject}`,
    rule: ruleId,
    severity: known ? 'error' : 'warning',
    subject: history.subject,
    title: `${manager} writes ${what} ${paceText(gap)} without news, and each write wakes the next reconcile`,
    why: `Generation stays ${last?.generation ?? 'the same'} while the version moves ${versions.length} times in a row; ${manager} alone writes, and changes ${places}. ${known ? 'Its reconciles are woken by events, not by a timer, and there is no other event.' : 'No timer of an operator is that fast.'}`,
    basis: known
      ? { kind: 'observed', from: input.objectBasis }
      : { kind: 'inferred', by: ruleId, because: versions.flatMap(({ place }) => place.seq ?? []) },
    fix: {
      text: 'Compare the old and the new status and leave the write out when they say the same (times and counters aside), or filter the watch of this kind with a generation predicate.',
    },
    evidence: [first, last].flatMap((version) => {
      if (version === undefined) return [];
      const change = version.changes.find(({ path }) => path === sample?.path) ?? version.changes[0];
      const text =
        change === undefined
          ? `version ${version.resourceVersion}`
          : `${change.path} ${valueText(change.old)} → ${valueText(change.new)}, version ${version.resourceVersion}`;
      return [evidenceOf(version, text, input.objectBasis)];
    }),
    openedAt: new Date(first?.at ?? 0).toISOString(),
  };
}
