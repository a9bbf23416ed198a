/**
 * TraceModel: facts → evidence → spans, of one operator as its profile stands. Told one record after another; what it holds
 * follows from the set of what it was told. buildModel() makes one from the session's records: the one way in which a
 * profile that changed, an opened session, and the past with late records in it become spans.
 */
import { asRecord, parseJson } from '../../shared/base/json.ts';
import { structurallyEqual } from '../../shared/contract/rowTable.ts';
import { type ObjectKey, recordSeq } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { Prediction } from '../../shared/model/queue.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { Span } from '../../shared/model/trace.ts';
import { readScrape, syncErrors } from '../metrics/scrape.ts';
import type { AuditFact, Fact, LogFact, MetricsFact, ObjectFact, ProcessFact } from '../session/facts.ts';
import { watermarkMarginMs } from '../session/logWatermark.ts';
import type { RecordHead, RecordKind, SessionLog } from '../session/record.ts';
import { createEntryStitcher } from '../source/log/stitchEntries.ts';
import { followedStamp } from '../source/podLogs/podLine.ts';
import { createEvidenceFold, type EvidenceFold } from '../trace/evidence.ts';
import type { Evidence, SpansChange, TraceBook, TraceKnobs } from '../trace/traceTypes.ts';
import type { ResolveResource } from './controllerSources.ts';
import { createObjectIndex, type ObjectChange } from './objectIndex.ts';
import { appliedSkew, createSkewFold, type SkewFold } from './skew.ts';
import { knobsOf, scopeOf } from './traceScope.ts';
import { gapOfRecord } from './watchRecords.ts';

export interface TraceModelDeps {
  readonly log: SessionLog;
  readonly resolve: ResolveResource;
  readonly resources: () => readonly ApiResource[];
  readonly read: (seq: number) => KubeObject | undefined;
  readonly createBook: (knobs: TraceKnobs) => TraceBook;
}

/** The revision that is being made: what it changes is marked with it. */
export interface RevisionMark {
  readonly revision: number;
  /** Label of the source whose late records make it. */
  readonly source: string;
}

export interface TraceModel {
  readonly profile: OperatorProfile;
  readonly fold: EvidenceFold;
  readonly skew: SkewFold;
  /** Spans as they were assembled last. */
  readonly spans: ReadonlyMap<string, Span>;
  object(change: ObjectChange, object: () => KubeObject | undefined): void;
  log(fact: LogFact): void;
  audit(fact: AuditFact): void;
  process(fact: ProcessFact): void;
  metrics(fact: MetricsFact): void;
  /** A record that is no source's: a prediction, a gap. */
  own(head: RecordHead, payload: string | undefined): void;
  /** Who tells of objects from now on. */
  follow(stateOf: (key: ObjectKey) => ObjectFact | undefined): void;
  /** Puts together what waited, and sets the clocks. */
  gather(): void;
  /** Keys that are to be assembled. */
  readonly waiting: number;
  /** Assembles a little; false: nothing is left. */
  some(): boolean;
  /** What changed since it was asked last. `mark`: by this revision. */
  changes(watermark: number, mark?: RevisionMark): SpansChange;
  /** The same, halting after every few spans. */
  changesInTurns(watermark: number, mark?: RevisionMark): Generator<void, SpansChange>;
  /** The same of what is assembled by now. */
  changesSoFar(): SpansChange;
}

export function createTraceModel(profile: OperatorProfile, deps: TraceModelDeps): TraceModel {
  const skew = createSkewFold();
  let stateOf: (key: ObjectKey) => ObjectFact | undefined = () => undefined;
  const scope = scopeOf(profile, {
    stateOf: (key) => stateOf(key),
    resolve: deps.resolve,
    resources: deps.resources,
  });
  const controllers = knobsOf(profile, deps.resolve);
  let applied = new Map<string, ReturnType<typeof appliedSkew>>();
  const knobs = (): TraceKnobs => {
    const now = applied;
    return { controllers, skewOf: (source) => now.get(clockOf(source)) ?? { ms: 0, errorMs: 0 } };
  };
  const book = deps.createBook(knobs());
  const sink = {
    add: (evidence: Evidence) => book.add(evidence),
    remove: (evidence: Evidence) => book.remove(evidence),
  };
  const fold = createEvidenceFold({ scope, sink, read: deps.read });
  const lines = createEntryStitcher<LogFact>((fact) => deps.log.payload(fact.seq));
  const spans = new Map<string, Span>();
  /** By which revision spans were changed; one that goes and comes back keeps its mark. */
  const marks = new Map<string, RevisionMark>();
  const clocks = new Set<string>();
  let settledTo = Number.NEGATIVE_INFINITY;
  let touched = false;

  function pair(clock: string, stated: { lo: number; hi: number }, receivedAt: number): void {
    clocks.add(clock);
    skew.pair(clock, stated, receivedAt);
  }

  function setClocks(): void {
    const now = new Map([...clocks].map((clock) => [clock, appliedSkew(skew.estimate(clock))]));
    const moved = [...now].some(([clock, { ms }]) => (applied.get(clock)?.ms ?? 0) !== ms);
    if (!moved) return;
    applied = now;
    book.setKnobs(knobs());
  }

  return {
    profile,
    fold,
    skew,
    spans,
    object(change, object) {
      touched = true;
      const { fact } = change.now;
      if (!fact.initial && (fact.op === 'added' || fact.op === 'modified')) {
        const stated = newestTime(fact);
        // An older time stamp tells that this version has none of its own.
        if (stated !== undefined && fact.receivedAt - stated < freshMs)
          pair(apiServer, { lo: stated, hi: stated + 999 }, fact.receivedAt);
      }
      fold.object(change, object);
    },
    log(fact) {
      touched = true;
      const stated = followedStamp(fact);
      if (stated !== undefined) pair(fact.source, stated, fact.receivedAt);
      for (const line of lines.push(fact)) fold.log(line);
    },
    audit(fact) {
      touched = true;
      fold.audit(fact);
    },
    process(fact) {
      touched = true;
      fold.process(fact);
    },
    metrics(fact) {
      const text = deps.log.payload(fact.seq);
      // Lines of controller-runtime name their controller.
      if (text?.includes(syncErrors) !== true) return;
      touched = true;
      for (const [controller, { errors = 0 }] of readScrape(text, new Map()).controllers)
        if (errors > 0) fold.failed(controller);
    },
    own(head, payload) {
      if (payload === undefined) return;
      if (head.kind === 'prediction') {
        const value = asRecord(parseJson(payload));
        if (typeof value?.id !== 'string') return;
        touched = true;
        fold.prediction(value as unknown as Prediction, head);
        return;
      }
      const gap = head.kind === 'gap' ? gapOfRecord(head, payload, () => undefined) : undefined;
      // One that is still open is told of again when it ends.
      if (gap?.to === undefined || gap.why === 'forbidden') return;
      touched = true;
      fold.gap(gap.text, { lo: gap.from, hi: gap.to }, head);
    },
    follow(next) {
      stateOf = next;
    },
    gather() {
      if (!touched) return;
      touched = false;
      fold.settle();
      setClocks();
    },
    get waiting() {
      return book.waiting;
    },
    some: () => book.some(),
    changes(watermark, mark) {
      settledTo = Math.max(settledTo, watermark);
      book.settle(settledTo);
      return take(book.changes(), mark);
    },
    changesInTurns(watermark, mark) {
      settledTo = Math.max(settledTo, watermark);
      book.settle(settledTo);
      return taking(book.changes(), mark);
    },
    changesSoFar: () => take(book.changesSoFar(), undefined),
  };

  function take(change: SpansChange, mark: RevisionMark | undefined): SpansChange {
    const work = taking(change, mark);
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
  }

  function* taking(change: SpansChange, mark: RevisionMark | undefined): Generator<void, SpansChange> {
    const upserts: Span[] = [];
    let count = 0;
    for (const span of change.upserts) {
      if (++count % sliceRecords === 0) yield;
      const before = spans.get(span.id);
      const next = marked(span, before, mark, marks.get(span.id));
      if (mark !== undefined && next.revisedBy !== undefined && next.revision === mark.revision)
        marks.set(span.id, mark);
      if (before !== undefined && structurallyEqual(before, next)) continue;
      spans.set(span.id, next);
      upserts.push(next);
    }
    const removed = change.removed.filter((id) => spans.delete(id));
    return { upserts, removed };
  }
}

/** What the API server says of its own clock: all watches and its audit log. */
export const apiServer = 'apiserver';

/** The clock by which a source tells the time. */
export function clockOf(source: string): string {
  return source.startsWith('watch:') || source.startsWith('audit') ? apiServer : source;
}

/** A version whose newest time stamp is older than this was made by a write that left none, ms. */
const freshMs = 5000;

function newestTime(fact: ObjectFact): number | undefined {
  let newest = '';
  for (const { time } of fact.writers) if (time !== undefined && time > newest) newest = time;
  const at = Date.parse(newest);
  return Number.isNaN(at) ? undefined : at;
}

/** Keeps the mark of the revision that changed it last; one that only settles is not changed. */
function marked(
  span: Span,
  before: Span | undefined,
  mark: RevisionMark | undefined,
  last: RevisionMark | undefined,
): Span {
  const { revisedBy: _own, ...plain } = span;
  const isChange =
    mark !== undefined &&
    (before === undefined || !structurallyEqual(withoutMarks(before), withoutMarks(span)));
  const by = isChange ? mark : last;
  return by === undefined
    ? { ...plain, revision: 0 }
    : { ...plain, revision: by.revision, revisedBy: by.source };
}

function withoutMarks(span: Span): unknown {
  const { revision: _revision, revisedBy: _by, provisional: _provisional, ...rest } = span;
  return rest;
}

const told: readonly RecordKind[] = ['object', 'log', 'audit', 'process', 'metrics', 'prediction', 'gap'];

/** Late records of one source that came in one go. */
interface LateGroup {
  readonly source: string;
  /** Receipt of the last of them, ms. */
  until: number;
  readonly facts: Fact[];
}

/** A source that says nothing late for this long has told it all, ms. */
export const lateQuietMs = 500;

/** Which records spans are made of: what came longer ago is on record, and no longer in memory. */
export interface KeptRecords {
  readonly most: number;
  /** The first record that is kept is the first one or one after a multiple of this. */
  readonly step: number;
}

/** About 2 KB a record, and twice while the next stretch is made. */
const keptRecords: KeptRecords = { most: 500_000, step: 100_000 };

/** The first record that is kept when there are so many; a function of their count, so that it is the same live and played. */
export function keptFrom(records: number, { most, step }: KeptRecords = keptRecords): number {
  return records <= most ? 1 : Math.ceil((records - most) / step) * step + 1;
}

export interface BuiltModel {
  readonly model: TraceModel;
  /** Of the records before this one only the state that objects had is in it. */
  readonly from: number;
  /** Our clock when that record came, ms; undefined where everything is in it. */
  readonly fromAt: number | undefined;
  /** Records up to this one are in it. */
  readonly upTo: number;
  /** Revisions, by the late records of a source each, in the order in which they came. */
  readonly revisions: readonly (RevisionMark & {
    readonly at: number;
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
  })[];
}

export interface BuildOptions {
  readonly labelOf: (source: string) => string;
  /** Late records that are not to be told: their revision was given up. */
  readonly skips: (head: RecordHead) => boolean;
  /** The first half counts records that are read, the second what is assembled then. */
  readonly progress: (done: number, total: number) => void;
  readonly kept?: KeptRecords | undefined;
}

/** Whether a record can make a revision. Watches tell of now; what Loopscope says itself is not late. */
export function isLate(head: RecordHead): boolean {
  return head.late && (head.kind === 'log' || head.kind === 'audit');
}

/**
 * Every record of the session so far: first what came in time, then what came late, a revision for each source that told of
 * the past. Halts after every few records.
 */
export function* buildModel(
  profile: OperatorProfile,
  deps: TraceModelDeps,
  options: BuildOptions,
): Generator<void, BuiltModel> {
  const { log } = deps;
  const index = createObjectIndex();
  const model = createTraceModel(profile, deps);
  model.follow((key) => index.get(key)?.fact);
  const late: LateGroup[] = [];
  const from = keptFrom(log.stats().records, options.kept);
  const fromAt = from === 1 ? undefined : log.head(recordSeq(from))?.receivedAt;
  let upTo = 0;
  let steps = 0;
  /** Records that are read; as many steps again stand for what is assembled then. */
  let total = 0;
  const revisions: BuiltModel['revisions'][number][] = [];

  function* readOn(): Generator<void, void> {
    const end = log.stats().records;
    if (end <= upTo) return;
    for (const head of log.heads({ kinds: told, from: recordSeq(upTo + 1), to: recordSeq(end) })) {
      if (++steps % sliceRecords === 0) {
        total = Math.max(end, log.stats().records);
        options.progress(head.seq, 2 * total);
        yield;
      }
      // As live: what came late makes its revision when its source has been quiet for a while.
      for (const group of late.splice(0))
        if (head.receivedAt - group.until > lateQuietMs) yield* revise(group);
        else late.push(group);
      if (head.kind === 'prediction' || head.kind === 'gap') {
        if (head.seq < from) continue;
        model.own(head, log.payload(head.seq));
        continue;
      }
      if (head.seq < from && head.kind !== 'object' && head.kind !== 'process') continue;
      const facts = (log.facts(head.seq) ?? []) as readonly Fact[];
      if (head.seq < from) {
        for (const fact of facts)
          if (fact.fact === 'object' && fact.kind !== 'Lease') index.apply(fact);
          else tell(fact);
        continue;
      }
      if (isLate(head)) {
        if (!options.skips(head) && head.at.hi >= (fromAt ?? head.at.hi)) addLate(head, facts);
        continue;
      }
      for (const fact of facts) tell(fact);
    }
    upTo = end;
  }

  function addLate(head: RecordHead, facts: readonly Fact[]): void {
    let group = late.find(({ source }) => source === head.source);
    if (group === undefined) {
      group = { source: head.source, until: head.receivedAt, facts: [] };
      late.push(group);
    }
    group.until = head.receivedAt;
    group.facts.push(...facts);
  }

  function tell(fact: Fact): void {
    tellFact(model, fact, (object) => index.apply(object), deps.read);
  }

  function* assemble(): Generator<void, void> {
    model.gather();
    let most = 0;
    while (model.some()) {
      if (++steps % sliceRecords === 0) {
        const { waiting } = model;
        most = Math.max(most, waiting, 1);
        // Reading is about the half of it.
        options.progress(total * (2 - waiting / most), 2 * total);
      }
      yield;
    }
  }

  function* revise(group: LateGroup): Generator<void, void> {
    // What was settled when they came, whenever they are told again.
    const settled = group.until - watermarkMarginMs;
    yield* assemble();
    yield* model.changesInTurns(settled);
    const before = new Set(model.spans.keys());
    for (const fact of group.facts) {
      if (++steps % sliceRecords === 0) yield;
      tell(fact);
    }
    yield* assemble();
    const mark = { revision: revisions.length + 1, source: options.labelOf(group.source) };
    const { upserts, removed } = yield* model.changesInTurns(settled, mark);
    const mine = upserts.filter((span) => span.revision === mark.revision);
    const added = mine.filter((span) => !before.has(span.id)).length;
    const counts = { added, changed: mine.length - added, removed: removed.length };
    revisions.push({ ...mark, at: group.until, ...counts });
  }

  // What came meanwhile is read as well: at the end nothing is missing.
  do {
    yield* readOn();
    for (const group of late.splice(0)) yield* revise(group);
    yield* assemble();
    yield* model.changesInTurns(log.watermark());
  } while (log.stats().records > upTo);
  model.changes(log.watermark());
  return { model, from, fromAt, upTo, revisions };
}

/** Records, or facts, between two places where whoever builds may do something else. */
const sliceRecords = 32;

/** Gives a fact to a model. `apply`: to the index of objects that goes with it. */
export function tellFact(
  model: TraceModel,
  fact: Fact,
  apply: (fact: ObjectFact) => ObjectChange,
  read: (seq: number) => KubeObject | undefined,
): void {
  switch (fact.fact) {
    case 'object':
      model.object(apply(fact), () => read(fact.seq));
      return;
    case 'log':
      model.log(fact);
      return;
    case 'audit':
      model.audit(fact);
      return;
    case 'process':
      model.process(fact);
      return;
    case 'metrics':
      model.metrics(fact);
      return;
    case 'other':
      return;
  }
}
