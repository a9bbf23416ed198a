/**
 * trace/stale-state, trace/unobserved-state, trace/intermediate-state: what spans show of a controller that acts on an old
 * view, misses a state between two runs, or leaves its work half done. Each needs runs that are known to have happened; a
 * run that was only inferred proves nothing about another.
 */
import type { Evidence, Finding } from '../../../shared/model/finding.ts';
import { type ObjectKey, objectKey, parseObjectKey } from '../../../shared/model/ids.ts';
import type { Span, TraceWrite } from '../../../shared/model/trace.ts';
import type { SeenHistory, SeenVersion } from '../../trace/detectors/seen.ts';
import { subjectOf } from '../../trace/evidenceScope.ts';
import type { Evaluation, FindingContext, FindingRule } from '../findingInput.ts';
import { evidenceOf, isUnder, operatorOf, valueText, writerOf } from './changeWords.ts';
import { joinWords } from './wording.ts';

const staleId = 'trace/stale-state';
const unobservedId = 'trace/unobserved-state';
const intermediateId = 'trace/intermediate-state';
const leastStale = 2;
/** A pass that follows its own write at once reads what the cache had before it, ms. */
const cacheLagMs = 5000;
/** What is left undone this long is not just going on, ms. */
const atRestMs = 30_000;
const leastSiblings = 3;

export const staleState: FindingRule = { id: staleId, evaluate: judgeStale };
export const unobservedState: FindingRule = { id: unobservedId, evaluate: judgeUnobserved };
export const intermediateState: FindingRule = { id: intermediateId, evaluate: judgeIntermediate };

function only(findings: readonly Finding[]): Evaluation {
  return { findings, notEvaluated: [], resolved: [] };
}

/** A create that was answered "already exists", of an object an earlier run of the same key had created just before. */
function judgeStale({ input }: FindingContext): Evaluation {
  const byKey = grouped(input.spans ?? []);
  return only(
    [...byKey.values()].flatMap((spans) => {
      const cases = spans.flatMap((span) => {
        const existing = existingName(span);
        if (existing === undefined) return [];
        const made = spans
          .filter((one) => one !== span && one.start.lo <= span.start.lo)
          .flatMap((one) => one.writeList)
          .find(
            (write) =>
              write.outcome === 'stored' &&
              (write.verb === 'create' || write.verb === 'apply') &&
              write.subject.endsWith(`/${existing}`) &&
              span.start.hi - write.at.lo <= cacheLagMs,
          );
        return made === undefined ? [] : [{ span, made }];
      });
      const [first] = cases;
      const last = cases.at(-1);
      if (cases.length < leastStale || first === undefined || last === undefined) return [];
      const subject = subjectOfKey(first.span.object);
      return [
        {
          id: `${staleId}:${subject}`,
          rule: staleId,
          severity: 'warning' as const,
          subject,
          title: `A reconcile acts on a cache that lacks its own last write: ${first.made.subject} is created again`,
          why: `The run before had created it; this one did not see it yet, tried again and was told that it exists, ${cases.length} times lately.`,
          basis: last.span.resultBasis ?? last.span.basis,
          fix: {
            text: 'Take AlreadyExists for success and read the object again, or give children names that follow from the parent and apply them.',
          },
          evidence: [writeEvidence(first.made, 'created by the run before'), spanEvidence(last.span)],
          openedAt: iso(first.span.start.lo),
        },
      ];
    }),
  );
}

/** The name in `… "x" already exists`, of the run's error or of a create that was answered 409. */
function existingName(span: Span): string | undefined {
  const failed = span.writeList.find(
    (write) => write.verb === 'create' && write.code === 409 && write.outcome !== 'stored',
  );
  if (failed !== undefined) return failed.subject.slice(failed.subject.lastIndexOf('/') + 1);
  return /"([^"\\]+)\\*" already exists/.exec(span.error ?? '')?.[1];
}

/** The spec went to a value and back between two runs that are known: no run saw it. */
function judgeUnobserved(context: FindingContext): Evaluation {
  const { input } = context;
  const byObject = new Map<string, Span[]>();
  for (const span of input.spans ?? []) {
    const list = byObject.get(span.object);
    if (list === undefined) byObject.set(span.object, [span]);
    else list.push(span);
  }
  return only(
    (input.changes?.histories ?? []).flatMap((history) => {
      const spans = byObject.get(objectKey(history)) ?? [];
      if (spans.length === 0) return [];
      const missed = missedState(context, history, spans);
      if (missed === undefined) return [];
      const { gone, back, path, value } = missed;
      return [
        {
          id: `${unobservedId}:${history.subject}`,
          rule: unobservedId,
          severity: 'warning' as const,
          subject: history.subject,
          title: `${path} was ${valueText(value)} between two reconciles, and no reconcile saw it`,
          why: `It was set and taken back within ${Math.round(back.at - gone.at)} ms; no run of the key started in between. A controller that must act on each value never sees this one.`,
          basis: { kind: 'inferred' as const, by: unobservedId, because: seqs([gone, back]) },
          fix: {
            text: 'Decide by what is there, not by what changed (level, not edge); where each value counts, let a field or an object of its own carry it until it was handled.',
          },
          evidence: [
            evidenceOf(gone, `${path} set to ${valueText(value)}`, input.objectBasis),
            evidenceOf(back, `${path} taken back`, input.objectBasis),
          ],
          openedAt: iso(gone.at),
        },
      ];
    }),
  );
}

interface Missed {
  readonly gone: SeenVersion;
  readonly back: SeenVersion;
  readonly path: string;
  readonly value: unknown;
}

function missedState(
  context: FindingContext,
  history: SeenHistory,
  spans: readonly Span[],
): Missed | undefined {
  const known = spans.filter(({ basis }) => basis.kind !== 'inferred');
  for (let index = history.versions.length - 1; index > 1; index--) {
    const back = history.versions[index];
    const gone = history.versions[index - 1];
    if (back === undefined || gone === undefined) continue;
    if (back.generation === gone.generation) continue;
    const writers = [back, gone].map((version) => writerOf(history, version)?.manager ?? '');
    if (writers.some((manager) => operatorOf(context, manager) !== undefined)) continue;
    const change = gone.changes.find(
      (one) =>
        isUnder(one, 'spec') &&
        back.changes.some((two) => two.path === one.path && same(two.new, one.old) && same(two.old, one.new)),
    );
    if (change === undefined) continue;
    const saw = spans.some((span) => span.start.hi >= gone.at && span.start.lo <= back.at);
    const before = known.some((span) => span.start.hi < gone.at);
    const after = known.some((span) => span.start.lo > back.at);
    if (!saw && before && after) return { gone, back, path: change.path, value: change.new };
  }
  return undefined;
}

/** The last run of a key made some of its children and ended; the others, which its siblings have, nobody makes. */
function judgeIntermediate({ input }: FindingContext): Evaluation {
  const now = Date.parse(input.now);
  const byController = new Map<string, Map<string, Span[]>>();
  for (const [, spans] of grouped(input.spans ?? [])) {
    const [span] = spans;
    if (span === undefined) continue;
    const keys = byController.get(span.controller) ?? new Map<string, Span[]>();
    byController.set(span.controller, keys.set(span.key, [...spans]));
  }
  const findings: Finding[] = [];
  for (const keys of byController.values()) {
    const kinds = new Map([...keys].map(([key, spans]) => [key, madeKinds(spans)]));
    for (const [key, spans] of keys) {
      const last = spans.at(-1);
      const own = kinds.get(key);
      if (last?.end === undefined || own === undefined || own.size === 0) continue;
      if (!leftUndone(last, now)) continue;
      const others = [...kinds]
        .filter(([name, set]) => name !== key && set.size > own.size)
        .map(([, set]) => set);
      if (others.length < leastSiblings) continue;
      const missing = [...new Set(others.flatMap((set) => [...set]))].filter(
        (kind) => !own.has(kind) && others.every((set) => set.has(kind)) && !hasChild(input, last, kind),
      );
      if (missing.length > 0) findings.push(intermediateFinding(last, [...own], missing));
    }
  }
  return only(findings);
}

/** It ended otherwise than well or by a timer, nothing is due, and no other finding says why. */
function leftUndone(last: Span, now: number): boolean {
  if (last.end === undefined || now - last.end.hi < atRestMs) return false;
  const waits = last.next?.predicted !== undefined && last.next.predicted > now - atRestMs;
  if (waits || last.result === 'success' || last.result === 'requeue-after' || last.result === 'requeue')
    return false;
  const told = /forbidden|denied|has been modified|already exists|no matches for kind|timeout|deadline/i;
  return last.error === undefined || !told.test(last.error);
}

function madeKinds(spans: readonly Span[]): Set<string> {
  const made = new Set<string>();
  for (const { writeList, object } of spans)
    for (const write of writeList)
      if (
        write.outcome === 'stored' &&
        (write.verb === 'create' || write.verb === 'apply') &&
        write.object !== object &&
        !write.subject.startsWith('Event/')
      )
        made.add(write.subject.slice(0, write.subject.indexOf('/')));
  return made;
}

function hasChild({ objects }: FindingContext['input'], span: Span, kind: string): boolean {
  const { name } = parseObjectKey(span.object as ObjectKey);
  return ['', 'apps', 'batch', 'networking.k8s.io', 'policy', 'rbac.authorization.k8s.io'].some((group) =>
    [...objects.heads(`${group}/${kind}`)].some((head) =>
      head.ownerReferences.some((owner) => owner.name === name),
    ),
  );
}

function intermediateFinding(last: Span, made: readonly string[], missing: readonly string[]): Finding {
  const subject = subjectOfKey(last.object);
  return {
    id: `${intermediateId}:${subject}`,
    rule: intermediateId,
    severity: last.basis.kind === 'inferred' ? 'warning' : 'error',
    subject,
    title: `The last reconcile made ${joinWords([...made].sort())} and ended before ${joinWords([...missing].sort())}; no later one went on`,
    why: `Every other object of this controller has ${joinWords([...missing].sort())}. This run ended with ${last.result ?? 'no result'}, and nothing is queued that would bring the next one.`,
    basis: last.basis,
    fix: {
      text: 'Make each pass bring the object to its wanted state from wherever it is, and return the error of a step that failed, so that the key is tried again.',
    },
    evidence: [
      ...last.writeList.slice(-2).map((write) => writeEvidence(write, 'written by that run')),
      spanEvidence(last),
    ],
    openedAt: iso(last.end?.lo ?? last.start.lo),
  };
}

/** Spans of each controller and key, oldest first. */
function grouped(spans: readonly Span[]): ReadonlyMap<string, readonly Span[]> {
  const byKey = new Map<string, Span[]>();
  for (const span of spans) {
    const id = `${span.controller}\0${span.key}`;
    const list = byKey.get(id);
    if (list === undefined) byKey.set(id, [span]);
    else list.push(span);
  }
  for (const list of byKey.values()) list.sort((a, b) => a.start.lo - b.start.lo);
  return byKey;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function seqs(versions: readonly SeenVersion[]): readonly number[] {
  return versions.flatMap(({ place }) => place.seq ?? []);
}

function subjectOfKey(object: string): string {
  return subjectOf(parseObjectKey(object as ObjectKey));
}

function writeEvidence(write: TraceWrite, text: string): Evidence {
  return {
    text: `${write.verb} ${write.subject}: ${text}`,
    basis: write.basis,
    seq: write.seq,
    at: iso(write.at.lo),
  };
}

function spanEvidence(span: Span): Evidence {
  return {
    text: `reconcile of ${span.key} ended with ${span.result ?? 'no result'}${span.error === undefined ? '' : `: ${span.error}`}`,
    basis: span.resultBasis ?? span.basis,
    at: iso(span.end?.lo ?? span.start.lo),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
