/**
 * Shadows: one shadow workqueue per controller of the operator under debug, fed by the same facts as everything else.
 * What a queue predicts is recorded before its outcome can be known. A changed profile, or a log that told of the past,
 * builds the queue again from the session's facts; predictions that are on record stay as they were made.
 */
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import type { PredictionRow, QueueView } from '../../shared/contract/api.ts';
import { RowTable, structurallyEqual } from '../../shared/contract/rowTable.ts';
import type { KeyRow } from '../../shared/contract/views/operators.ts';
import { reconcileKey } from '../../shared/model/ids.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type { QueueSnapshot } from '../../shared/model/queue.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { ShadowQueue } from '../queue/shadowQueue.ts';
import type { KeyDetail } from '../queue/shadowSnapshot.ts';
import type { LogFact, ProcessFact } from '../session/facts.ts';
import type { Recorder } from '../session/recorder.ts';
import { type ControllerSources, createControllerSources } from './controllerSources.ts';
import { createErrorNotes } from './errorNotes.ts';
import { compareKeyRows, type FailureNotes, keyRow } from './keyRows.ts';
import { type Doubt, missedPredictions } from './limiterDoubt.ts';
import type { ObjectChange, ObjectIndex } from './objectIndex.ts';
import type { OperatorsModel } from './operatorsModel.ts';
import { createPredictionLedger } from './predictionLedger.ts';
import {
  buildSlice,
  collectSteps,
  logStep,
  processStep,
  type ShadowStep,
  tellObject,
  wasThere,
} from './shadowSteps.ts';
import { every, throttled } from './throttle.ts';

export interface ShadowsDeps {
  readonly clock: Clock;
  /** What waits between two looks go by; the clock itself where nothing is played. */
  readonly pace: Clock;
  /** Records are told again: what is predicted meanwhile is theirs to say. */
  readonly replaying: () => boolean;
  /** Records are told again as fast as they can be read: queues are built when somebody needs them. */
  readonly quiet: () => boolean;
  readonly index: ObjectIndex;
  readonly recorder: Recorder;
  readonly operators: OperatorsModel;
  /** Served versions of a resource named `resource.group`, the preferred one first. */
  readonly resolve: (name: string) => readonly ApiResource[];
}

export interface Shadows extends Disposable {
  view(controller: string): QueueView;
  /** One key, also where the lists of the view are cut; undefined while no such controller is known. */
  keyState(controller: string, key: string): KeyState | undefined;
  /** What the controller's runs count up to, as intervals; undefined while no such controller is known. */
  runCounts(controller: string): ShadowQueue['runCounts'] | undefined;
  /** To be subscribed to at once: rows are up to date as long as somebody is, and let go otherwise. */
  keys(controller: string): RowTable<KeyRow>;
  predictions(controller: string): RowTable<PredictionRow>;
  applyObject(change: ObjectChange): void;
  applyLog(fact: LogFact): void;
  applyProcess(fact: ProcessFact): void;
  /** A record of a prediction or an outcome is told again. */
  applyRetold(kind: 'prediction' | 'outcome', payload: string): void;
  /** Builds what waits for it, and tells where the queues stand. */
  settle(): void;
  /**
   * Goes on a little with a queue that is to be built; false: there is none. For who reads records in slices: while they are
   * told quietly a queue is built between two of them, and whoever does not ask gets it built at once with the next.
   */
  buildSome(): boolean;
  /** Begins with what waits for being built; false: nothing does. */
  beginBuilding(): boolean;
  /** Nobody was there for a while, up to now: what was predicted for that time has no outcome. To be told before anything else. */
  interrupted(because: string): void;
  /** Lines of a log were lost: what was counted may be too little from now on. */
  linesLost(at: number): void;
  readonly onChange: Emitter<void>;
}

/** What the page of an object reads of its key. */
export interface KeyState extends KeyDetail {
  readonly state: KeyRow['state'];
  readonly nextRunAt: number | undefined;
  /** The limiter does not explain what was seen: no delay of it is certain. */
  readonly doubted: boolean;
  /** Delays of the limiter, failure by failure, up to its cap, ms. */
  readonly stepsMs: readonly number[];
}

interface Shadow {
  profile: ControllerProfile;
  sources: ControllerSources;
  queue: ShadowQueue;
  /** While the past is told again nothing is predicted anew. */
  live: boolean;
  /** Facts up to this record are in the queue: the fact that changed the profile was replayed with the rest. */
  upTo: number;
}

/** A log that tells of the past does so in one go: queues are built again when it has, ms. */
const rebuildAfterMs = 500;

/** Rows of a snapshot: a queue of thousands is told by its totals. */
const shown = { ready: 500, waiting: 500, failures: 500 };

export function createShadows(deps: ShadowsDeps): Shadows {
  const { clock, pace, index, recorder, operators } = deps;
  const store = new DisposableStore();
  const onChange = store.add(new Emitter<void>());
  const shadows = new Map<string, Shadow>();
  const keyTables = new Map<string, RowTable<KeyRow>>();
  const ledger = createPredictionLedger(recorder, deps.replaying);
  const errors = createErrorNotes();
  /** The limiter of each controller and since when it is believed. */
  const limiters = new Map<string, { readonly profile: ControllerProfile; readonly since: number }>();
  let fieldManagers: readonly string[] = [];

  const tell = store.add(throttled(pace, 250, tellNow));
  let toldAt = Number.NaN;
  function tellNow(): void {
    const now = clock.now();
    toldAt = now;
    for (const [name, shadow] of shadows) {
      shadow.queue.advanceTo(now);
      const table = keyTable(name);
      if (table.isWatched) refreshKeys(table, shadow);
      else if (table.size > 0) table.clear();
    }
    onChange.emit();
  }
  // Due times pass by themselves: the queue moves although nothing was received. Where time stands still it does not.
  store.add(
    every(pace, 250, () => {
      if (clock.now() !== toldAt) tell.poke();
    }),
  );
  store.add(operators.onChange.on(adopt));
  /** A log told of the past: the queues lack it until they are built again. */
  let outdated = false;
  /** Receipt of the last such line, ms. */
  let outdatedAt = 0;
  const rebuildAll = store.add(throttled(pace, rebuildAfterMs, rebuildOutdated));
  function rebuildOutdated(): void {
    if (!outdated) return;
    outdated = false;
    for (const [name, shadow] of shadows) {
      supersede(shadow);
      begin(name, shadow.profile);
    }
    tell.poke();
  }

  /** Queues that are being built; nothing is told to any of them before. */
  const building = new Map<string, Generator<void, Shadow>>();
  function begin(name: string, profile: ControllerProfile): void {
    const work = build(profile);
    building.set(name, work);
    goOn(name, work);
    if (!deps.quiet()) finishBuilding();
  }

  function finishBuilding(): void {
    while (buildSome());
  }

  function buildSome(): boolean {
    for (const [name, work] of building) {
      goOn(name, work);
      return true;
    }
    return false;
  }

  function goOn(name: string, work: Generator<void, Shadow>): void {
    let isOver = true;
    try {
      const step = work.next();
      isOver = step.done === true;
      if (step.done === true) shadows.set(name, step.value);
    } finally {
      // What throws is not gone on with either.
      if (isOver) building.delete(name);
    }
  }

  /** Brings the queues to what the profile says now. */
  function adopt(): void {
    if (deps.replaying()) rebuildOutdated();
    finishBuilding();
    const profile = operators.profile();
    const wanted = new Map((profile?.controllers ?? []).map((controller) => [controller.name, controller]));
    for (const name of shadows.keys()) if (!wanted.has(name)) drop(name);
    const managers = profile?.fieldManagers.value ?? [];
    const managersChanged = !structurallyEqual(managers, fieldManagers);
    fieldManagers = managers;
    for (const [name, controller] of wanted) {
      const believed = limiters.get(name);
      if (believed === undefined || !sameValues(believed.profile, controller, delaying))
        limiters.set(name, { profile: controller, since: clock.now() });
      const current = shadows.get(name);
      const stale = current?.sources.unresolved.some((one) => deps.resolve(one).length > 0) === true;
      if (
        current === undefined ||
        managersChanged ||
        stale ||
        !sameValues(current.profile, controller, feeding)
      ) {
        if (current !== undefined) supersede(current);
        begin(name, controller);
        continue;
      }
      // Another limiter or worker count goes on from where the queue is.
      if (!sameValues(current.profile, controller, queueing))
        current.queue.changeProfile({ at: clock.now(), profile: controller });
      current.profile = controller;
    }
    tell.poke();
  }

  /** A prediction of a model that is given up has no outcome of its own any more. */
  function supersede(shadow: Shadow): void {
    const at = clock.now();
    for (const { id, controller, key } of shadow.queue.pendingPredictions())
      ledger.resolved(
        {
          kind: 'superseded',
          predictionId: id,
          controller,
          key,
          at,
          because: 'the model was built again from what is known now',
        },
        at,
      );
  }

  /** What was predicted stays to be seen, should the controller come back. */
  function drop(name: string): void {
    const shadow = shadows.get(name);
    if (shadow !== undefined) supersede(shadow);
    shadows.delete(name);
    keyTables.get(name)?.clear();
  }

  function* build(profile: ControllerProfile): Generator<void, Shadow> {
    const sources = createControllerSources(profile, deps.resolve);
    const past = yield* collectSteps(recorder.log, profile, sources, fieldManagers);
    const shadow: Shadow = {
      profile,
      sources,
      live: false,
      upTo: recorder.log.stats().records,
      queue: new ShadowQueue({
        profile,
        at: past[0]?.at ?? clock.now(),
        idPrefix: `${profile.name}/${Math.round(clock.now())}/`,
        onPrediction: (prediction) => {
          if (shadow.live) ledger.predicted(prediction, clock.now());
        },
        onOutcome: (outcome) => ledger.resolved(outcome, clock.now()),
      }),
    };
    for (const [index, step] of past.entries()) {
      step.apply(shadow.queue);
      if (index % buildSlice === buildSlice - 1) yield;
    }
    shadow.queue.advanceTo(clock.now());
    shadow.live = true;
    // What still lies ahead was predicted from facts on record: it is said now, before it can be known.
    for (const prediction of shadow.queue.pendingPredictions()) ledger.predicted(prediction, clock.now());
    return shadow;
  }

  /**
   * What comes is built in with the rest: told one by one it would come before what lies before it. As live, queues are
   * built again when the log is past telling of old times, here by the time of the records.
   */
  function lacksPast(receivedAt: number): boolean {
    finishBuilding();
    if (!outdated || !deps.quiet()) return false;
    if (receivedAt - outdatedAt < rebuildAfterMs) return true;
    rebuildOutdated();
    finishBuilding();
    return false;
  }

  function apply(seq: number, step: ShadowStep | undefined, shadow: Shadow): void {
    if (step === undefined || seq <= shadow.upTo) return;
    step.apply(shadow.queue);
    tell.poke();
  }

  /** Rows of thousands of keys are kept up to date only while somebody looks at them. */
  function keys(controller: string): RowTable<KeyRow> {
    const table = keyTable(controller);
    const shadow = shadows.get(controller);
    if (shadow !== undefined && !table.isWatched) refreshKeys(table, shadow);
    return table;
  }

  function keyTable(controller: string): RowTable<KeyRow> {
    return tableOf(keyTables, controller, () => new RowTable<KeyRow>((row) => row.key));
  }

  function refreshKeys(table: RowTable<KeyRow>, shadow: Shadow): void {
    const kind = shadow.sources.forKind;
    if (kind === undefined) return;
    const rows: KeyRow[] = [];
    const notes = failureNotes(shadow);
    for (const { fact } of index.ofKind(kind.group, kind.kind)) {
      const key = reconcileKey(fact.namespace, fact.name);
      rows.push(keyRow(fact, shadow.queue.keyInfo(key), notes));
    }
    table.replace(rows.sort(compareKeyRows));
  }

  function failureNotes(shadow: Shadow): (key: string) => FailureNotes {
    const doubted = doubtOf(shadow) !== undefined;
    const { failures } = shadow.queue.snapshot(clock.now(), { ...shown, ready: 0, waiting: 0 });
    const guessed = new Set(failures.flatMap((row) => (row.certain ? [] : [row.key])));
    return (key) => ({ certain: !doubted && !guessed.has(key), lastError: errors.lastError(shadow, key) });
  }

  function doubtOf(shadow: Shadow): Doubt | undefined {
    const { name } = shadow.profile;
    const missed = missedPredictions(ledger.table(name).rows, limiters.get(name)?.since ?? 0);
    return missed && { ...missed, gapsMs: errors.gapsMs(shadow) };
  }

  /** With what the log says of its failures. Where the limiter is in doubt, no count that rests on it is certain. */
  function annotated(snapshot: QueueSnapshot, shadow: Shadow, doubt: Doubt | undefined): QueueSnapshot {
    const failures = snapshot.failures.map((row) => {
      const lastError = errors.lastError(shadow, row.key);
      return {
        ...row,
        certain: row.certain && doubt === undefined,
        ...(lastError === undefined ? {} : { lastError }),
      };
    });
    return { ...snapshot, failures };
  }

  store.add(toDisposable(() => shadows.clear()));
  return {
    onChange,
    view(controller) {
      const shadow = shadows.get(controller);
      if (shadow === undefined)
        return {
          controller,
          history: [],
          reason: operators.profile() === undefined ? 'choose-operator' : 'no-controller',
        };
      const now = clock.now();
      shadow.queue.advanceTo(now);
      const { unresolved } = shadow.sources;
      const doubt = doubtOf(shadow);
      return {
        controller,
        snapshot: annotated(shadow.queue.snapshot(now, shown), shadow, doubt),
        history: shadow.queue.history(),
        ...(doubt === undefined ? {} : { doubt }),
        ...(unresolved.length === 0 ? {} : { reason: `not-served: ${unresolved.join(', ')}` }),
      };
    },
    runCounts: (controller) => shadows.get(controller)?.queue.runCounts,
    keyState(controller, key) {
      const shadow = shadows.get(controller);
      if (shadow === undefined) return undefined;
      const { queue } = shadow;
      queue.advanceTo(clock.now());
      const { state, nextRunAt } = queue.keyInfo(key);
      return {
        ...queue.keyDetail(key),
        state,
        nextRunAt,
        doubted: doubtOf(shadow) !== undefined,
        stepsMs: queue.limiterStepsMs(),
      };
    },
    keys,
    predictions: (controller) => ledger.table(controller),
    applyObject(change) {
      if (lacksPast(change.now.fact.receivedAt)) return;
      for (const shadow of shadows.values())
        if (
          change.now.fact.seq > shadow.upTo &&
          tellObject(change, shadow.sources, fieldManagers, shadow.queue)
        )
          tell.poke();
    },
    applyLog(fact) {
      errors.add(fact);
      // A line that stood there before us tells of the past: it must come before what was seen since.
      if (wasThere(fact)) {
        outdated = true;
        outdatedAt = fact.receivedAt;
        rebuildAll.poke();
        return;
      }
      if (lacksPast(fact.receivedAt)) return;
      for (const shadow of shadows.values())
        apply(fact.seq, logStep(fact, shadow.profile, shadow.sources, index), shadow);
    },
    applyProcess(fact) {
      if (lacksPast(fact.receivedAt)) return;
      for (const shadow of shadows.values()) apply(fact.seq, processStep(fact), shadow);
    },
    applyRetold: (kind, payload) => ledger.retold(kind, payload),
    settle() {
      rebuildOutdated();
      finishBuilding();
      tellNow();
    },
    buildSome,
    beginBuilding() {
      rebuildOutdated();
      return building.size > 0;
    },
    interrupted(because) {
      finishBuilding();
      const now = clock.now();
      const pending = [...shadows.values()].flatMap(({ queue }) => queue.pendingPredictions());
      const ids = new Set(pending.map(({ id }) => id));
      ledger.supersedeOpen(now, because, ({ id, predictedAt }) => predictedAt <= now || !ids.has(id));
      // Said, and not on record any more: the last moments before the break.
      for (const prediction of pending)
        if (prediction.runsAt > now && !ledger.has(prediction)) ledger.predicted(prediction, now);
    },
    linesLost(at) {
      finishBuilding();
      for (const { queue } of shadows.values()) {
        const { evidence } = queue.snapshot(at, { ready: 0, waiting: 0, failures: 0 });
        if (evidence !== 'none') queue.setEvidence({ at, evidence, linesLost: true });
      }
    },
    dispose: () => store.dispose(),
  };
}

function tableOf<Row>(
  tables: Map<string, RowTable<Row>>,
  name: string,
  make: () => RowTable<Row>,
): RowTable<Row> {
  let table = tables.get(name);
  if (table === undefined) {
    table = make();
    tables.set(name, table);
  }
  return table;
}

type ProfileField =
  | 'for'
  | 'owns'
  | 'watches'
  | 'predicates'
  | 'queue'
  | 'limiter'
  | 'maxConcurrentReconciles';

/** What decides which events wake which keys. The queue kind decides priorities too. */
const feeding: readonly ProfileField[] = ['for', 'owns', 'watches', 'predicates', 'queue'];
/** What decides how long a key waits: `default` is another limiter for the other kind of queue. */
const delaying: readonly ProfileField[] = ['limiter', 'queue'];
const queueing: readonly ProfileField[] = ['limiter', 'maxConcurrentReconciles'];

/** Only values matter to the queue, not how they are known. */
function sameValues(a: ControllerProfile, b: ControllerProfile, fields: readonly ProfileField[]): boolean {
  return fields.every((field) => structurallyEqual(a[field].value, b[field].value));
}
