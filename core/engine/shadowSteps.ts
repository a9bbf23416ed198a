/**
 * ShadowSteps: facts → calls on one controller's shadow queue. Used as facts come and, in order of time, when a queue is
 * built again from the session.
 */

import type { Basis } from '../../shared/model/basis.ts';
import { reconcileKey } from '../../shared/model/ids.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type { ShadowQueue } from '../queue/shadowQueue.ts';
import type { Fact, LogFact, ObjectFact, ProcessFact } from '../session/facts.ts';
import type { SessionLog } from '../session/record.ts';
import { createEntryStitcher } from '../source/log/stitchEntries.ts';
import { isPodLine } from '../source/podLogs/podLine.ts';
import type { ControllerSources } from './controllerSources.ts';
import { groupKindName } from './groupKinds.ts';
import { createObjectIndex, type ObjectChange, type ObjectIndex } from './objectIndex.ts';

export interface ShadowStep {
  /** ms; the queue takes steps in this order. */
  readonly at: number;
  apply(queue: ShadowQueue): void;
}

const reported: Basis = { kind: 'reported', from: 'log' };

/**
 * What a change of an object means to this controller, told to its queue: a status write that ends a run well, and keys
 * it wakes. False when it means nothing.
 */
export function tellObject(
  change: ObjectChange,
  sources: ControllerSources,
  fieldManagers: readonly string[],
  queue: Pick<ShadowQueue, 'wroteStatus' | 'enqueue'>,
): boolean {
  const { fact } = change.now;
  if (!sources.kinds.has(groupKindName(fact.group, fact.kind))) return false;
  const at = fact.receivedAt;
  const isFor = sources.forKind?.group === fact.group && sources.forKind.kind === fact.kind;
  // Written first, then seen: the write ended before its event wakes anything.
  const wrote = isFor && wroteStatus(change, fieldManagers);
  if (wrote) queue.wroteStatus({ key: reconcileKey(fact.namespace, fact.name), at, basis: observed });
  const calls = sources.calls(change);
  if (calls.length === 0) return wrote;
  const cause = {
    subject: fact.key,
    text: `${fact.kind} ${verbOf(fact)}`,
    kind: fact.initial ? 'initial' : 'event',
  } as const;
  for (const call of calls)
    queue.enqueue({
      key: call.key,
      at,
      cause,
      ...(call.method === 'AddWithOpts' && call.priority !== undefined ? { priority: call.priority } : {}),
      ...(isFor && fact.op === 'added' && !fact.initial ? { fresh: true } : {}),
      ...(isFor && (fact.op === 'deleted' || fact.op === 'vanished') ? { gone: true } : {}),
    });
  return true;
}

const observed: Basis = { kind: 'observed', from: 'watch' };

function verbOf(fact: ObjectFact): string {
  switch (fact.op) {
    case 'listed':
    case 'added':
      return 'ADDED';
    case 'deleted':
    case 'vanished':
      return 'DELETED';
    case 'modified':
      return 'MODIFIED';
    case 'relisted':
      return 'relist';
  }
}

/** One of the operator's managers has a status entry that is new or moved since the version before. */
function wroteStatus(change: ObjectChange, fieldManagers: readonly string[]): boolean {
  const before = change.before;
  if (before === undefined || before.deleted) return false;
  const statusTime = (manager: string) =>
    before.fact.writers.findLast((one) => one.manager === manager && one.subresource === 'status')?.time;
  return change.now.fact.writers.some(
    (writer) =>
      writer.subresource === 'status' &&
      fieldManagers.includes(writer.manager) &&
      statusTime(writer.manager) !== writer.time,
  );
}

/**
 * The line stood in the file before we looked: only its own time stamp tells when it was written. A pod's lines all carry
 * their node's time, whose clock may be another: they say it themselves.
 */
export function wasThere({ at, receivedAt, source, initial }: LogFact): boolean {
  return isPodLine(source) ? initial === true : at.lo < receivedAt - 1;
}

/** ms. Of a time stamp the middle of what it may mean, and nothing that was still to come when we read it. */
export function lineTime(fact: LogFact): number {
  if (!wasThere(fact)) return fact.receivedAt;
  return (fact.at.lo + Math.min(fact.at.hi, fact.receivedAt)) / 2;
}

/** What a log line says of this controller's queue; undefined when it is about something else. */
export function logStep(
  fact: LogFact,
  profile: ControllerProfile,
  sources: ControllerSources,
  index: ObjectIndex,
): ShadowStep | undefined {
  const { entry } = fact;
  const event = entry.event;
  if ((event ?? entry.reconcileId) === undefined || !isOfController(entry, profile, sources))
    return undefined;
  const at = lineTime(fact);
  const precision = wasThere(fact) ? { precisionMs: fact.at.hi - fact.at.lo } : {};
  if (event?.kind === 'startingWorkers') {
    // Its informers have listed everything by now: all of that is queued before the first worker takes a key.
    const initialKeys = keysOfForKind(sources, index);
    return {
      at,
      apply(queue) {
        queue.processStarted({ at, ...precision, initialKeys });
        queue.workersStarted({ at, ...precision });
      },
    };
  }
  const { key } = entry;
  if (key === undefined) return undefined;
  const base = {
    key: reconcileKey(key.namespace, key.name),
    at,
    seq: fact.seq as number,
    basis: reported,
    ...precision,
    ...(entry.reconcileId === undefined ? {} : { reconcileId: entry.reconcileId }),
  };
  switch (event?.kind) {
    case 'reconciling':
      return { at, apply: (queue) => queue.reconcileStarted(base) };
    case 'reconciled':
      return { at, apply: (queue) => queue.reconcileEnded({ ...base, result: 'success' }) };
    case 'requeued': {
      const { afterMs } = event;
      return {
        at,
        apply: (queue) =>
          queue.reconcileEnded(
            afterMs === undefined
              ? { ...base, result: 'requeue' }
              : { ...base, result: 'requeueAfter', afterMs },
          ),
      };
    }
    case 'reconcilerError': {
      // controller-runtime's TerminalError puts its name before the text it wraps, and may itself be wrapped.
      const terminal = entry.error?.includes('terminal error: ') === true;
      return {
        at,
        apply: (queue) => queue.reconcileEnded({ ...base, result: terminal ? 'terminal' : 'error' }),
      };
    }
    default:
      return entry.reconcileId === undefined
        ? undefined
        : { at, apply: (queue) => queue.reconcileSeen(base) };
  }
}

function keysOfForKind(sources: ControllerSources, index: ObjectIndex): string[] {
  const { forKind } = sources;
  if (forKind === undefined) return [];
  return Array.from(index.ofKind(forKind.group, forKind.kind), ({ fact }) =>
    reconcileKey(fact.namespace, fact.name),
  );
}

/** Does this controller say the line? */
export function isOfController(
  entry: LogFact['entry'],
  profile: ControllerProfile,
  sources: ControllerSources,
): boolean {
  if (entry.controller === profile.name) return true;
  const { forKind } = sources;
  // The profile may have another name for it than the operator gave; the kind decides then.
  return (
    forKind !== undefined &&
    entry.controllerKind === forKind.kind &&
    (entry.controllerGroup ?? forKind.group) === forKind.group &&
    (entry.controller === undefined || profile.for.basis.kind !== 'reported')
  );
}

/** A child process that started has an empty queue and no failures; one that ended has no queue. */
export function processStep(fact: ProcessFact): ShadowStep {
  const at = fact.receivedAt;
  return {
    at,
    apply: (queue) => (fact.event === 'started' ? queue.processStarted({ at }) : queue.processEnded({ at })),
  };
}

/** Records, or steps, between two places where whoever builds a queue may do something else. */
export const buildSlice = 16;

/**
 * Every step of the session for one controller, by time; ties keep the order of arrival. Halts after every few records, for
 * sessions are long.
 */
export function* collectSteps(
  log: SessionLog,
  profile: ControllerProfile,
  sources: ControllerSources,
  fieldManagers: readonly string[],
): Generator<void, ShadowStep[]> {
  const index = createObjectIndex();
  const steps: ShadowStep[] = [];
  const lines = createEntryStitcher<LogFact>((fact) => log.payload(fact.seq));
  const tellLine = (fact: LogFact): void => {
    const step = logStep(fact, profile, sources, index);
    if (step !== undefined) steps.push(step);
  };
  let read = 0;
  for (const head of log.heads({ kinds: ['object', 'log', 'process'] })) {
    if (++read % buildSlice === 0) yield;
    for (const fact of (log.facts(head.seq) ?? []) as readonly Fact[]) {
      if (fact.fact === 'object') {
        if (!sources.kinds.has(groupKindName(fact.group, fact.kind))) continue;
        tellObject(index.apply(fact), sources, fieldManagers, {
          wroteStatus: (write) => steps.push({ at: write.at, apply: (queue) => queue.wroteStatus(write) }),
          enqueue: (event) => steps.push({ at: event.at, apply: (queue) => queue.enqueue(event) }),
        });
      } else if (fact.fact === 'log') lines.push(fact).forEach(tellLine);
      else if (fact.fact === 'process') steps.push(processStep(fact));
    }
  }
  lines.flush().forEach(tellLine);
  return steps.sort((a, b) => a.at - b.at);
}
