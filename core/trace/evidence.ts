/**
 * EvidenceFold: facts of every source → evidence about keys. What it has given at any time follows from the set of facts it
 * was told, as long as each source kept its own order: a piece that rests on what was not there yet (the key of a
 * reconcileID, an owner, the request behind a version) is given, changed or taken back when that comes.
 * Pure; spec: docs/spec/revisions.md
 */
import type { KubeObject } from '../../shared/model/kube.ts';
import type { Prediction } from '../../shared/model/queue.ts';
import type { Trigger, Within } from '../../shared/model/trace.ts';
import type { AuditFact, LogFact, ObjectFact, ProcessFact } from '../session/facts.ts';
import { createLeaseFold } from '../source/leases.ts';
import { readProbeLine } from '../source/log/probeLine.ts';
import { speakerOf } from './errorSpeakers.ts';
import { askedOfProbe, readOfAudit, requestOfAudit } from './evidenceAudit.ts';
import { createBooks, type LineLookup } from './evidenceBooks.ts';
import { readEvent } from './evidenceEvents.ts';
import { lineEvidence, lineTimeOf, namedInError, placeLine } from './evidenceLines.ts';
import { createKeyNames, type KeyNames } from './evidenceNames.ts';
import { type EvidenceScope, Scope, subjectOf, type VersionChange } from './evidenceScope.ts';
import { tellVersion } from './evidenceVersions.ts';
import type { EventEvidence, Evidence, LineEvidence, PredictionEvidence } from './traceTypes.ts';

/** Takes evidence, or takes it back. */
export interface EvidenceSink {
  add(evidence: Evidence): void;
  remove(evidence: Evidence): void;
}

export interface EvidenceFold {
  /** `object` is read of Kubernetes Events and Leases, and where time stamps do not tell whose version it is. */
  object(change: VersionChange, object: () => KubeObject | undefined): void;
  log(fact: LogFact): void;
  audit(fact: AuditFact): void;
  process(fact: ProcessFact): void;
  prediction(prediction: Prediction, fact: Told): void;
  gap(text: string, at: Within, fact: Told): void;
  /** Metrics count errors of this controller. */
  failed(controller: string): void;
  /** Gives what waited to be put together; afterwards the sink has what all facts tell. */
  settle(): void;
}

type Told = Pick<ObjectFact, 'seq' | 'source' | 'receivedAt'>;

export interface EvidenceFoldDeps {
  readonly scope: EvidenceScope;
  readonly sink: EvidenceSink;
  /** The object of a record, for the few that have to be compared. */
  readonly read: (seq: number) => KubeObject | undefined;
}

export function createEvidenceFold({ scope: given, sink, read }: EvidenceFoldDeps): EvidenceFold {
  const scope = new Scope(given);
  const names = createKeyNames();
  const lines = createLines(scope, sink, names);
  const books = createBooks(scope, sink, lines.lookup, names);
  const leases = createLeaseFold();
  const watchedKinds = new Set(given.controllers.flatMap(({ kinds }) => [...kinds]));
  const holders = new Set<string>();
  /** Requests of the operator that were told: a file that is followed and imported, or imported twice, tells them again. */
  const requests = new Set<string>();

  function woken(change: VersionChange, groupKind: string, writer: Trigger['writer']): void {
    const { fact } = change.now;
    for (const controller of given.controllers) {
      if (!controller.kinds.has(groupKind)) continue;
      const keys = controller.wakes(change);
      if (keys.length === 0) continue;
      const isFor = controller.forKind?.group === fact.group && controller.forKind.kind === fact.kind;
      const type = triggerType(fact);
      for (const key of keys.length === 1 ? keys : new Set(keys))
        sink.add({
          evidence: 'woken',
          ...told(fact),
          at: fact.at,
          ownClock: false,
          controller: controller.name,
          key,
          initial: fact.initial,
          resourceVersion: fact.resourceVersion,
          gone: isFor && change.now.deleted,
          trigger: {
            type,
            object: fact.key,
            subject: subjectOf(fact),
            text: `${fact.kind} ${type}`,
            ...(writer === undefined ? {} : { writer }),
          },
        });
    }
  }

  function lease(fact: ObjectFact, object: KubeObject | undefined): void {
    const name = `${fact.namespace}/${fact.name}`;
    if (name !== given.lease) return;
    const deleted = fact.op === 'deleted' || fact.op === 'vanished';
    const change = leases.apply({
      lease: name,
      uid: fact.uid,
      resourceVersion: fact.resourceVersion,
      seenAt: fact.receivedAt,
      initial: fact.initial,
      deleted,
      spec: object?.spec,
    });
    if (change === undefined) return;
    const at = { lo: Number.isFinite(change.at.lo) ? change.at.lo : change.at.hi, hi: change.at.hi };
    const tell = (event: 'leading' | 'lost', holder: string) =>
      sink.add({
        evidence: 'process',
        ...told(fact),
        at: event === 'leading' ? { lo: change.at.hi, hi: change.at.hi } : at,
        ownClock: false,
        event,
        controller: undefined,
        holder,
        workers: undefined,
      });
    if (change.before !== '') tell('lost', change.before);
    if (change.change === 'taken') {
      holders.add(change.holder);
      tell('leading', change.holder);
    }
  }

  function event(change: VersionChange, object: KubeObject | undefined): void {
    const { fact } = change.now;
    const read1 = object === undefined ? undefined : readEvent(object);
    if (read1 === undefined || change.now.deleted || fact.initial) return;
    const version = tellVersion(change, scope, read);
    if (version.write === undefined) return;
    books.event(
      fact,
      version.write,
      read1.about,
      (place): EventEvidence => ({
        evidence: 'event',
        ...told(fact),
        at: read1.at ?? fact.at,
        ownClock: read1.at !== undefined,
        ...place,
        event: read1.event,
        ...(read1.aboutVersion === undefined ? {} : { aboutVersion: read1.aboutVersion }),
      }),
    );
  }

  return {
    object(change, object) {
      const { fact } = change.now;
      if (fact.kind === 'Lease') {
        lease(fact, object());
        return;
      }
      if (fact.kind === 'Event') {
        if (fact.writers.some(({ manager }) => scope.isOwn(manager))) event(change, object());
        return;
      }
      const groupKind = `${fact.group}/${fact.kind}`;
      const isWatched = watchedKinds.has(groupKind);
      const isOwn = fact.writers.some(({ manager }) => scope.isOwn(manager));
      if (!isWatched && !isOwn) return;
      const version = tellVersion(change, scope, (seq) => (seq === fact.seq ? object() : read(seq)));
      if (isWatched) {
        woken(change, groupKind, version.writer);
        if (scope.reconciling(fact.group, fact.kind).length > 0) books.reconciled(fact);
      }
      books.version(fact, version.write, isOwn);
    },
    log: (fact) => {
      lines.add(fact);
      const probe = readProbeLine(fact.entry.msg, fact.entry.fields);
      if (probe?.kind === 'write') books.asked(...askedOfProbe(fact, probe, placeLine(fact.entry, scope)));
    },
    audit(fact) {
      const { entry } = fact;
      if (entry.user !== given.user || entry.target === undefined) return;
      if (entry.stage !== 'ResponseComplete' && entry.stage !== 'Panic') return;
      const kind = given.kindOf(entry.target.apiGroup, entry.target.resource);
      if (kind === undefined || kind.kind === 'Lease') return;
      if (entry.auditId !== '') {
        // A client may give every request the same id.
        const request = `${entry.auditId} ${entry.at.lo}`;
        if (requests.has(request)) return;
        requests.add(request);
      }
      const object = {
        group: entry.target.apiGroup,
        kind: kind.kind,
        namespace: entry.target.namespace,
        name: entry.target.name,
      };
      const request = requestOfAudit(fact);
      if (request !== undefined) books.asked(object, request);
      else {
        const reading = readOfAudit(fact, object);
        if (reading !== undefined) books.reading(object, reading);
      }
    },
    process(fact) {
      sink.add({
        evidence: 'process',
        ...told(fact),
        at: fact.at,
        ownClock: false,
        event: fact.event,
        controller: undefined,
        holder: undefined,
        workers: undefined,
      });
    },
    prediction(prediction, fact) {
      sink.add({
        evidence: 'prediction',
        ...told(fact),
        at: { lo: prediction.madeAt, hi: prediction.madeAt },
        ownClock: false,
        controller: prediction.controller,
        key: prediction.key,
        predictionId: prediction.id,
        why: prediction.why,
        delayMs: prediction.delayMs,
        runsAt: prediction.runsAt,
        becauseSeq: prediction.becauseSeq,
      } satisfies PredictionEvidence);
    },
    gap(text, at, fact) {
      sink.add({ evidence: 'gap', ...told(fact), at, ownClock: false, text });
    },
    failed: (controller) => lines.failed(controller),
    settle() {
      lines.settle();
      books.settle();
    },
  };
}

function told({ seq, source, receivedAt }: Told): Told {
  return { seq, source, receivedAt };
}

function triggerType(fact: ObjectFact): Trigger['type'] {
  if (fact.initial) return 'initial';
  switch (fact.op) {
    case 'listed':
    case 'added':
      return 'ADDED';
    case 'modified':
      return 'MODIFIED';
    case 'deleted':
    case 'vanished':
      return 'DELETED';
    case 'relisted':
      return 'relist';
  }
}

interface Lines {
  add(fact: LogFact): void;
  /** Gives the error lines that name no key to the one they are about, as far as that is known by now. */
  settle(): void;
  failed(controller: string): void;
  readonly lookup: LineLookup;
}

/** Lines of runs whose key is not known yet wait for it; all that are placed can be found by what they name. */
function createLines(scope: Scope, sink: EvidenceSink, names: KeyNames): Lines {
  const keys = new Map<string, { readonly controller: string; readonly key: string }>();
  const waiting = new Map<string, LogFact[]>();
  const bySecond = new Map<number, LineEvidence[]>();
  const listeners: ((line: LineEvidence) => void)[] = [];
  /** Error lines that name no key but an object, with what was given of them. */
  const nameless: { readonly fact: LogFact; given: LineEvidence | undefined }[] = [];
  const failing = new Set<string>();
  let namesSeen = 0;
  let namelessSettled = 0;

  function give(line: LineEvidence): void {
    sink.add(line);
    const second = Math.floor(line.at.lo / 1000);
    const bucket = bySecond.get(second);
    if (bucket === undefined) bySecond.set(second, [line]);
    else bucket.push(line);
    for (const listener of listeners) listener(line);
  }

  function process(fact: LogFact): void {
    const { event } = fact.entry;
    const isStart = event?.kind === 'startingWorkers';
    if (!isStart && event?.kind !== 'workersFinished') return;
    const speaker = scope.given.controllers.find((one) => one.says(fact.entry));
    sink.add({
      evidence: 'process',
      ...told(fact),
      ...lineTimeOf(fact),
      event: isStart ? 'workers' : 'exited',
      controller: speaker?.name ?? fact.entry.controller,
      holder: undefined,
      workers: event.kind === 'startingWorkers' ? event.workers : undefined,
    });
  }

  return {
    add(fact) {
      process(fact);
      const { reconcileId } = fact.entry;
      const place =
        placeLine(fact.entry, scope) ?? (reconcileId === undefined ? undefined : keys.get(reconcileId));
      if (place === undefined) {
        if (reconcileId === undefined) {
          if (namedInError(fact.entry) !== undefined) nameless.push({ fact, given: undefined });
          return;
        }
        const list = waiting.get(reconcileId);
        if (list === undefined) waiting.set(reconcileId, [fact]);
        else list.push(fact);
        return;
      }
      give(lineEvidence(fact, place));
      if (reconcileId === undefined || keys.has(reconcileId)) return;
      keys.set(reconcileId, place);
      for (const before of waiting.get(reconcileId) ?? []) give(lineEvidence(before, place));
      waiting.delete(reconcileId);
    },
    settle() {
      // Another object may be what an earlier line was about.
      const from = names.size === namesSeen ? namelessSettled : 0;
      namesSeen = names.size;
      namelessSettled = nameless.length;
      for (const one of nameless.slice(from)) {
        const next = lineByName(one.fact, scope, names, failing);
        if (
          one.given?.key === next?.key &&
          one.given?.controller === next?.controller &&
          one.given?.doubt === next?.doubt
        )
          continue;
        if (one.given !== undefined) sink.remove(one.given);
        one.given = next;
        if (next !== undefined) sink.add(next);
      }
    },
    failed(controller) {
      if (failing.has(controller)) return;
      failing.add(controller);
      namelessSettled = 0;
    },
    lookup: {
      *between(lo, hi) {
        for (let second = Math.floor(lo / 1000); second <= Math.floor(hi / 1000); second++)
          for (const line of bySecond.get(second) ?? []) if (line.at.lo <= hi && line.at.hi >= lo) yield line;
      },
      onLine: (listener) => void listeners.push(listener),
    },
  };
}

function lineByName(
  fact: LogFact,
  scope: Scope,
  names: KeyNames,
  failing: ReadonlySet<string>,
): LineEvidence | undefined {
  const name = namedInError(fact.entry);
  const found = name === undefined ? undefined : names.anywhere(name);
  if (found === undefined) return undefined;
  const controllers = [...found.controllers].sort();
  const speaker = speakerOf(fact.entry, controllers, scope, failing);
  if (speaker === undefined) return undefined;
  const line = lineEvidence(fact, { controller: speaker.controller, key: found.key });
  if (!speaker.guess) return line;
  return {
    ...line,
    doubt: `The controller is a guess: the line names none, and ${controllers.length} of this operator reconcile ${found.key}.`,
  };
}
