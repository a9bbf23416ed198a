/**
 * Traces: the reconcile spans of the operator under debug, in the engine. Turns facts into evidence (core/trace), keeps
 * the rows that views look at, and derives the past again when late records came: in slices, beside what is shown, and
 * published in one step. Spec: docs/spec/revisions.md
 */
import { sleep } from '../../shared/base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { structurallyEqual } from '../../shared/contract/rowTable.ts';
import type { RevisionState } from '../../shared/contract/views/traces.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { RecordHead } from '../session/record.ts';
import type { SpansChange } from '../trace/traceTypes.ts';
import { createSourceTable } from './sourceRows.ts';
import { every, throttled } from './throttle.ts';
import { spansHistory } from './traceHistory.ts';
import {
  type BuiltModel,
  buildModel,
  isLate,
  keptFrom,
  lateQuietMs,
  type TraceModel,
  type TraceModelDeps,
} from './traceModel.ts';
import { createSpanRows } from './traceRows.ts';
import { sameForTraces } from './traceScope.ts';
import { noRevision, type Traces, type TracesDeps } from './tracesPort.ts';
import { createSpanViews } from './traceViews.ts';
import { createWalks } from './walks.ts';

/** Shown spans change at most this often, ms. */
const tellEveryMs = 250;
/** Longest stretch of assembling before the event loop gets its turn, ms. */
const stretchMs = 8;
/**
 * While so many records come in a second assembling pauses for so many times as long as it took: a fifth of the time goes to
 * spans. Of more than can be followed, what is recorded comes first: a twentieth.
 */
const burstRecords = 300;
const burstPauses = 4;
const floodRecords = 3000;
const floodPauses = 19;

/** Building rests so many times as long as it took: what is looked at meanwhile stays smooth. */
const buildingPauses = 0.5;
/** While it rests for others it looks this seldom whether it may go on, ms. */
const restingMs = 25;

interface Building {
  readonly profile: OperatorProfile;
  readonly work: Generator<void, BuiltModel>;
  readonly stop: AbortController;
}

interface Skipped {
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

export function createTraces(deps: TracesDeps): Traces {
  const { pace, index, recorder, operators } = deps;
  const { log } = recorder;
  const store = new DisposableStore();
  const onChange = store.add(new Emitter<void>());
  const onRevision = store.add(new Emitter<RevisionState>());
  const onFirst = store.add(new Emitter<void>());
  const rows = store.add(createSpanRows());
  const modelDeps: TraceModelDeps = {
    log,
    resolve: (name) => deps.watching.resolve(name),
    resources: () => deps.watching.resources(),
    read: deps.read,
    createBook: deps.createBook,
  };

  let model: TraceModel | undefined;
  /** Records up to this one are in the model. */
  let upTo = 0;
  /** The first record that is in the model, and when it came where older ones are not. */
  let from = 1;
  let fromAt: number | undefined;
  /** The model lacks something until it is built again. */
  let outdated = false;
  let building: Building | undefined;
  let rests = false;
  /** Late records that are in no model yet, by source. */
  const pending = new Map<string, { from: number; to: number }>();
  let lateAt = Number.NEGATIVE_INFINITY;
  let skipped: readonly Skipped[] = [];
  let state: RevisionState = noRevision;

  function setState(change: Partial<RevisionState>): void {
    const next = { ...state, ...change };
    if (structurallyEqual(next, state)) return;
    state = next;
    onRevision.emit(state);
  }

  const labelOf = (source: string) => deps.feeds().find(({ id }) => id === source)?.label ?? source;

  // What was built goes on: a profile that reads otherwise, or records that came late, make another.

  const rebuild = store.add(throttled(pace, lateQuietMs, () => beginNow()));
  store.add(
    operators.onChange.on(() => {
      const profile = operators.profile();
      if (profile === undefined) {
        forget();
        return;
      }
      if (model !== undefined && building === undefined && sameForTraces(model.profile, profile)) return;
      outdated = true;
      if (!deps.quiet()) rebuild.poke();
    }),
  );

  function forget(): void {
    building?.stop.abort();
    building = undefined;
    if (model === undefined && state.state === 'idle') return;
    model = undefined;
    rows.replace([]);
    state = { ...noRevision, cancelled: skipped.length > 0 };
    onRevision.emit(state);
    onChange.emit();
  }

  function begin(): boolean {
    const profile = operators.profile();
    if (profile === undefined) return false;
    building?.stop.abort();
    outdated = false;
    const given = skipped;
    const isFirst = model === undefined;
    const because = isFirst ? undefined : pending.keys().next().value;
    pending.clear();
    let toldAt = pace.monotonic();
    const work = buildModel(profile, modelDeps, {
      labelOf,
      kept: deps.kept,
      skips: ({ source, seq }) =>
        given.some((one) => one.source === source && one.from <= seq && seq <= one.to),
      progress(done, total) {
        if (pace.monotonic() - toldAt < tellEveryMs) return;
        toldAt = pace.monotonic();
        const records = total / 2;
        if (because !== undefined) setState({ done: Math.min(done, records), total: records });
        // Of few records it is done before anybody could read it.
        else if (isFirst) setState({ state: 'deriving', first: true, done, total });
      },
    });
    building = { profile, work, stop: new AbortController() };
    if (because !== undefined)
      setState({ state: 'deriving', source: labelOf(because), done: 0, total: log.stats().records });
    return true;
  }

  /** In the background, beside what is shown. */
  function beginNow(): void {
    if (deps.quiet() || (!outdated && pending.size === 0)) return;
    if (pending.size > 0 && pace.monotonic() - lateAt < lateQuietMs) {
      rebuild.poke();
      return;
    }
    if (begin()) void buildInTurns();
  }

  async function buildInTurns(): Promise<void> {
    const mine = building;
    while (mine !== undefined && building === mine && !mine.stop.signal.aborted) {
      const began = pace.monotonic();
      if (!rests) while (buildSome() && building === mine && pace.monotonic() < began + stretchMs);
      const wait = rests ? restingMs : buildingPauses * (pace.monotonic() - began);
      if (building === mine) await sleep(pace, wait, mine.stop.signal);
    }
  }

  function buildBehind(): void {
    const profile = operators.profile();
    if (profile === undefined || (!outdated && pending.size === 0 && building === undefined)) return;
    rows.replace([]);
    model = undefined;
    setState({ state: 'deriving', first: true, done: 0, total: log.stats().records, source: undefined });
    // What is being built reads on to the end.
    if (building !== undefined && sameForTraces(building.profile, profile)) outdated = false;
    else if (begin()) void buildInTurns();
    if (model === undefined) onChange.emit();
  }

  function buildSome(): boolean {
    if (building === undefined) return false;
    const step = building.work.next();
    if (step.done !== true) return true;
    building = undefined;
    publish(step.value);
    return true;
  }

  function finishBuilding(): void {
    while (buildSome());
  }

  function publish(built: BuiltModel): void {
    const isFirst = model === undefined;
    model = built.model;
    ({ upTo, from, fromAt } = built);
    model.follow((key) => index.get(key)?.fact);
    for (const [source, { to }] of pending) if (to <= upTo) pending.delete(source);
    views.gone(rows.newest().filter(({ id }) => model?.spans.has(id) === false));
    rows.replace(model.spans.values());
    const last = built.revisions.at(-1);
    setState({
      revision: built.revisions.length,
      state: 'idle',
      first: undefined,
      done: 0,
      total: 0,
      cancelled: skipped.length > 0,
      ...(last === undefined
        ? {}
        : {
            source: last.source,
            added: last.added,
            changed: last.changed,
            removed: last.removed,
            at: last.at,
          }),
    });
    onChange.emit();
    if (isFirst) first = pace.setTimer(0, tellFirst);
    if (outdated || pending.size > 0) rebuild.poke();
  }

  /** What is judged by them takes a turn of its own. */
  let first: Disposable | undefined;
  function tellFirst(): void {
    first = undefined;
    onFirst.emit();
  }
  store.add(toDisposable(() => first?.dispose()));

  // What comes in time is told to what is shown.

  const flush = store.add(throttled(pace, tellEveryMs, () => pump()));
  let pumping: Disposable | undefined;
  let settledAt = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  /** In this second, and in the one before. */
  let toldRecords = 0;
  let toldBefore = 0;
  function pump(): void {
    if (model === undefined || pumping !== undefined) return;
    model.gather();
    assemble(model);
  }

  function assemble(mine: TraceModel): void {
    pumping = undefined;
    if (mine !== model) return;
    const began = pace.monotonic();
    let steps = 0;
    while (mine.some())
      if (++steps % 4 === 0 && pace.monotonic() >= began + stretchMs) {
        // What is assembled by now is shown: it may go on for as long as the burst does.
        if (pace.monotonic() - shownAt >= tellEveryMs) show(mine.changesSoFar());
        const rate = Math.max(toldRecords, toldBefore);
        const pauses = rate > floodRecords ? floodPauses : rate > burstRecords ? burstPauses : 0;
        pumping = pace.setTimer(pauses * (pace.monotonic() - began), () => assemble(mine));
        return;
      }
    showAll(mine);
  }

  function showAll(mine: TraceModel): void {
    settledAt = log.watermark();
    show(mine.changes(settledAt));
  }

  function show({ upserts, removed }: SpansChange): void {
    shownAt = pace.monotonic();
    if (upserts.length === 0 && removed.length === 0) return;
    const ids = new Set(removed);
    if (ids.size > 0) views.gone(rows.newest().filter(({ id }) => ids.has(id)));
    rows.apply(upserts, removed);
    onChange.emit();
  }
  store.add(toDisposable(() => pumping?.dispose()));
  store.add(toDisposable(() => building?.stop.abort()));
  // What was provisional settles although nothing was received.
  store.add(
    every(pace, 1000, () => {
      toldBefore = toldRecords;
      toldRecords = 0;
      if (outdated && building === undefined && !deps.quiet()) rebuild.poke();
      if (model !== undefined && log.watermark() !== settledAt) flush.poke();
    }),
  );

  /** The model that is to be told of this record; it has it already where it was built since. */
  function toTell(seq: number): TraceModel | undefined {
    if (deps.quiet()) {
      outdated = true;
      return undefined;
    }
    if (model === undefined || seq <= upTo) return undefined;
    if (building === undefined && keptFrom(seq, deps.kept) > from) {
      outdated = true;
      rebuild.poke();
    }
    toldRecords++;
    flush.poke();
    return model;
  }

  function cameLate(head: RecordHead): boolean {
    if (deps.quiet() || !isLate(head)) return false;
    const range = pending.get(head.source);
    if (range === undefined) pending.set(head.source, { from: head.seq, to: head.seq });
    else range.to = head.seq;
    lateAt = pace.monotonic();
    // What is being built reads on until it has everything.
    rebuild.poke();
    return true;
  }

  function finished(): TraceModel | undefined {
    if (model === undefined && (building !== undefined || (outdated && begin()))) finishBuilding();
    return model;
  }

  const views = createSpanViews({
    read: deps.read,
    log,
    newest: () => rows.newest(),
    span: (id) => model?.spans.get(id),
  });
  const sources = store.add(createSourceTable(deps));
  const walks = createWalks({
    ...deps,
    profile: () => operators.profile(),
    newest: () => rows.newest(),
    span: (id) => model?.spans.get(id),
  });

  return {
    rows(query) {
      return rows.table(query);
    },
    spans({ controller, key }) {
      finished();
      const all = rows.newest();
      if (controller === undefined && key === undefined) return all;
      return all.filter(
        (span) =>
          (controller === undefined || span.controller === controller) &&
          (key === undefined || span.key === key),
      );
    },
    shown: () => rows.newest(),
    view: (id) => views.view(id),
    changesOf: (seq) => views.changesOf(seq),
    walk: (query) => walks.walk(query),
    history: (controller) =>
      spansHistory(controller, {
        profile: operators.profile(),
        spans: rows.newest(),
        metrics: (slotMs) => deps.metrics.series(controller, slotMs),
        gaps: deps.gaps.rows,
        log,
      }),
    modelCheck: (controller) =>
      operators.profile() === undefined
        ? { controller, rows: [], reason: 'choose-operator' }
        : deps.metrics.modelCheck(controller),
    sources: sources.table,
    revision: () => state,
    health: () =>
      fromAt === undefined
        ? []
        : [
            `Reconciles before ${new Date(fromAt).toISOString()} are not shown: memory has room for those of the newest records. All records are kept, and their logs and versions can be looked at.`,
          ],
    cancelRevision() {
      if (building === undefined && pending.size === 0) return;
      // What is put together for the first time takes the place of nothing.
      if (model === undefined || (state.state !== 'deriving' && pending.size === 0)) return;
      building?.stop.abort();
      building = undefined;
      skipped = [...skipped, ...lateRanges()];
      pending.clear();
      // A profile that changed meanwhile is still to be followed.
      if (model === undefined || !isFor(operators.profile())) outdated = true;
      setState({ state: 'idle', done: 0, total: 0, cancelled: true });
      if (outdated) rebuild.poke();
    },
    reviseAgain() {
      if (skipped.length === 0) return;
      for (const { source, from, to } of skipped) pending.set(source, { from, to });
      skipped = [];
      setState({ cancelled: false });
      rebuild.poke();
    },
    came: ({ head, fact }) => sources.came(head, fact),
    object(change, object) {
      const { fact } = change.now;
      toTell(fact.seq)?.object(change, () => object() ?? deps.read(fact.seq));
    },
    log(fact, head) {
      if (!cameLate(head)) toTell(fact.seq)?.log(fact);
    },
    audit(fact, head) {
      if (!cameLate(head)) toTell(fact.seq)?.audit(fact);
    },
    process: (fact) => toTell(fact.seq)?.process(fact),
    metrics: (fact) => toTell(fact.seq)?.metrics(fact),
    own(head) {
      if (head.kind !== 'prediction' && head.kind !== 'gap') return;
      if (head.seq > 0) toTell(head.seq)?.own(head, log.payload(head.seq));
    },
    buildBehind,
    buildSome: () => (building !== undefined || ((outdated || pending.size > 0) && begin())) && buildSome(),
    rest(on) {
      rests = on;
    },
    settle() {
      if (outdated || pending.size > 0) begin();
      finishBuilding();
      if (model === undefined) return;
      if (first !== undefined) {
        first.dispose();
        tellFirst();
      }
      model.gather();
      while (model.some());
      showAll(model);
    },
    onChange,
    onRevision,
    onFirst,
    dispose: () => store.dispose(),
  };

  function isFor(profile: OperatorProfile | undefined): boolean {
    return profile !== undefined && model !== undefined && sameForTraces(model.profile, profile);
  }

  /** Late records that the shown model does not have: those after the last that it read. */
  function lateRanges(): readonly Skipped[] {
    const ranges = new Map<string, { from: number; to: number }>();
    const known = model === undefined ? 0 : upTo;
    for (const head of log.heads({ kinds: ['log', 'audit'] })) {
      if (!isLate(head) || head.seq <= known) continue;
      const range = ranges.get(head.source);
      if (range === undefined) ranges.set(head.source, { from: head.seq, to: head.seq });
      else range.to = head.seq;
    }
    return [...ranges].map(([source, { from, to }]) => ({ source, from, to }));
  }
}
