/**
 * hotloop/self-triggered-status-write: the operator's own status write is the event that queues the next reconcile, and what
 * it writes says nothing new: times, counters of its own, the same values. A status that is renewed on purpose by a timer
 * (RequeueAfter) is no such loop, and neither is one that reports progress.
 */
import type { Finding } from '../../../shared/model/finding.ts';
import type { Change } from '../../objects/changes.ts';
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

const ruleId = 'hotloop/self-triggered-status-write';
const leastWrites = 5;
/** Slower ones are renewed by a timer, or cost nobody anything. */
const slowestGapMs = 15_000;
/** Without a word of the operator on what woke its runs, only a pace that no timer has counts. */
const slowestUnexplainedMs = 3000;

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
    if (woken === 'no' || (woken === 'unknown' && gap > slowestUnexplainedMs)) continue;
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
}

/** The newest versions, as far back as one manager of an operator wrote nothing but empty news of the status. */
function loopOf(context: FindingContext, history: SeenHistory): Loop | undefined {
  const { versions } = history;
  const newest = versions.at(-1);
  const manager = newest === undefined ? undefined : writerOf(history, newest)?.manager;
  const profile = manager === undefined ? undefined : operatorOf(context, manager);
  if (manager === undefined || profile === undefined) return undefined;
  const controllers = profile.controllers
    .filter(({ for: of }) => {
      const crd = context.crds.byKind(history.group, history.kind);
      return crd === undefined || of.value === `${crd.plural}.${crd.group}`;
    })
    .map(({ name }) => name);
  const inLoop: SeenVersion[] = [];
  for (let index = versions.length - 1; index > 0; index--) {
    const version = versions[index];
    const before = versions[index - 1];
    if (version === undefined || before === undefined) break;
    if (version.generation !== before.generation || !isStatusOnly(version)) break;
    if (writerOf(history, version)?.manager !== manager) break;
    if (!version.changes.every(isEmptyNews)) break;
    inLoop.unshift(version);
  }
  if (inLoop.length < leastWrites - 1) return undefined;
  const common = inLoop[0]?.changes.map(({ path }) => path) ?? [];
  const paths = common.filter((path) =>
    inLoop.every((one) => one.changes.some((change) => change.path === path)),
  );
  return { manager, versions: inLoop, paths, controllers };
}

/** A time that moved on, a counter that went up by one, a random name: nothing anybody waits for. */
function isEmptyNews({ sign, old, new: value }: Change): boolean {
  if (sign !== '~') return false;
  if (typeof old === 'string' && typeof value === 'string')
    return (isTime(old) && isTime(value)) || (isToken(old) && isToken(value));
  return (
    typeof old === 'number' &&
    typeof value === 'number' &&
    (value === old + 1 || (isEpoch(old) && isEpoch(value)))
  );
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) || (/^\d{10,19}$/.test(text) && isEpoch(Number(text)));
}

/** Seconds, ms, µs or ns since 1970 of a year between 2001 and 2100. */
function isEpoch(value: number): boolean {
  return [1, 1e3, 1e6, 1e9].some((unit) => value / unit >= 978_307_200 && value / unit <= 4_102_444_800);
}

/** Made anew each time: a uuid, or a hash of at least twelve places. */
function isToken(text: string): boolean {
  return /^[0-9a-f-]{12,}$/i.test(text) && /\d/.test(text) && /[a-f-]/i.test(text);
}

/** What woke the runs that wrote, as far as spans or the operator's own counts tell. */
function wokenByItself(
  { input }: FindingContext,
  history: SeenHistory,
  controllers: readonly string[],
): 'yes' | 'no' | 'unknown' {
  const key = history.namespace === '' ? history.name : `${history.namespace}/${history.name}`;
  const spans = (input.spans ?? [])
    .filter((span) => span.key === key && span.object === keyOf(history))
    .slice(0, 12);
  const explained = spans.filter(({ trigger }) => trigger !== undefined && trigger.type !== 'unseen');
  if (explained.length >= 3) {
    const own = explained.filter((span) =>
      span.triggerList.some(({ writer, collapsed }) => writer?.own === true && !collapsed),
    );
    const timed = explained.filter(({ trigger }) => trigger?.type === 'requeue-after');
    if (timed.length * 2 > explained.length) return 'no';
    if (own.length * 2 > explained.length) return 'yes';
  }
  const runs = (input.changes?.runs ?? []).filter(({ controller }) => controllers.includes(controller));
  const events = runs.reduce((sum, one) => sum + one.success, 0);
  const timers = runs.reduce((sum, one) => sum + one.requeueAfter + one.requeue + one.error, 0);
  if (events + timers < leastWrites) return 'unknown';
  return timers > events ? 'no' : 'yes';
}

function keyOf({ group, kind, namespace, name }: SeenHistory): string {
  return `${group}/${kind}/${namespace}/${name}`;
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
  return {
    id: `${ruleId}:${history.subject}`,
    rule: ruleId,
    severity: known ? 'error' : 'warning',
    subject: history.subject,
    title: `${manager} writes the status ${paceText(gap)} without news, and each write wakes the next reconcile`,
    why: `Generation stays ${last?.generation ?? 'the same'} while the version moves ${versions.length} times in a row; ${manager} alone writes, on the status, and changes ${places}. ${known ? 'Its reconciles are woken by events, not by a timer, and there is no other event.' : 'No timer of an operator is that fast.'}`,
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
