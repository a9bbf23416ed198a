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
import { reconcileKey, sourceId } from '../../shared/model/ids.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type { Prediction, PredictionOutcome, QueueSnapshot } from '../../shared/model/queue.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { ShadowQueue } from '../queue/shadowQueue.ts';
import type { LogFact, ProcessFact } from '../session/facts.ts';
import type { Recorder } from '../session/recorder.ts';
import { type ControllerSources, createControllerSources } from './controllerSources.ts';
import { createErrorNotes } from './errorNotes.ts';
import { compareKeyRows, type FailureNotes, keyRow } from './keyRows.ts';
import { type Doubt, missedPredictions } from './limiterDoubt.ts';
import type { ObjectChange, ObjectIndex } from './objectIndex.ts';
import type { OperatorsModel } from './operatorsModel.ts';
import { collectSteps, logStep, processStep, type ShadowStep, tellObject, wasThere } from './shadowSteps.ts';
import { every, throttled } from './throttle.ts';

export interface ShadowsDeps {
  readonly clock: Clock;
  readonly index: ObjectIndex;
  readonly recorder: Recorder;
  readonly operators: OperatorsModel;
  /** Served versions of a resource named `resource.group`, the preferred one first. */
  readonly resolve: (name: string) => readonly ApiResource[];
}

export interface Shadows extends Disposable {
  view(controller: string): QueueView;
  /** To be subscribed to at once: rows are up to date as long as somebody is, and let go otherwise. */
  keys(controller: string): RowTable<KeyRow>;
  predictions(controller: string): RowTable<PredictionRow>;
  applyObject(change: ObjectChange): void;
  applyLog(fact: LogFact): void;
  applyProcess(fact: ProcessFact): void;
  /** Lines of a log were lost: what was counted may be too little from now on. */
  linesLost(at: number): void;
  readonly onChange: Emitter<void>;
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

/** Rows of a snapshot: a queue of thousands is told by its totals. */
const shown = { ready: 500, waiting: 500, failures: 500 };

/** Rows kept for the window; the session has them all. */
const predictionsShown = 2000;

export function createShadows(deps: ShadowsDeps): Shadows {
  const { clock, index, recorder, operators } = deps;
  const store = new DisposableStore();
  const onChange = store.add(new Emitter<void>());
  const shadows = new Map<string, Shadow>();
  const keyTables = new Map<string, RowTable<KeyRow>>();
  const predictionTables = new Map<string, RowTable<PredictionRow>>();
  const errors = createErrorNotes();
  /** The limiter of each controller and since when it is believed. */
  const limiters = new Map<string, { readonly profile: ControllerProfile; readonly since: number }>();
  let fieldManagers: readonly string[] = [];

  const tell = store.add(
    throttled(clock, 250, () => {
      const now = clock.now();
      for (const [name, shadow] of shadows) {
        shadow.queue.advanceTo(now);
        const table = keyTable(name);
        if (table.isWatched) refreshKeys(table, shadow);
        else if (table.size > 0) table.clear();
      }
      onChange.emit();
    }),
  );
  // Due times pass by themselves: the queue moves although nothing was received.
  store.add(every(clock, 250, () => tell.poke()));
  store.add(operators.onChange.on(adopt));
  const rebuildAll = store.add(
    throttled(clock, 500, () => {
      for (const [name, shadow] of shadows) {
        supersede(shadow);
        shadows.set(name, build(shadow.profile));
      }
      tell.poke();
    }),
  );

  /** Brings the queues to what the profile says now. */
  function adopt(): void {
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
        shadows.set(name, build(controller));
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
      keepOutcome({
        kind: 'superseded',
        predictionId: id,
        controller,
        key,
        at,
        because: 'the model was built again from what is known now',
      });
  }

  function drop(name: string): void {
    shadows.delete(name);
    keyTables.get(name)?.clear();
    predictionTables.get(name)?.clear();
  }

  function build(profile: ControllerProfile): Shadow {
    const sources = createControllerSources(profile, deps.resolve);
    const past = collectSteps(recorder.log, profile, sources, fieldManagers);
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
          if (shadow.live) keepPrediction(prediction);
        },
        onOutcome: (outcome) => keepOutcome(outcome),
      }),
    };
    for (const step of past) step.apply(shadow.queue);
    shadow.queue.advanceTo(clock.now());
    shadow.live = true;
    // What still lies ahead was predicted from facts on record: it is said now, before it can be known.
    for (const prediction of shadow.queue.pendingPredictions()) keepPrediction(prediction);
    return shadow;
  }

  function keepPrediction(prediction: Prediction): void {
    record('prediction', prediction.madeAt, prediction);
    const table = predictions(prediction.controller);
    table.set({ prediction });
    if (table.size > predictionsShown) {
      const oldest = table.rows[0];
      if (oldest !== undefined) table.delete(oldest.prediction.id);
    }
  }

  function keepOutcome(outcome: PredictionOutcome): void {
    const table = predictions(outcome.controller);
    const row = table.get(outcome.predictionId);
    // An outcome belongs to a prediction that is on record; those of a replayed past have none.
    if (row === undefined) return;
    record('outcome', outcome.at, outcome);
    table.set({ ...row, outcome });
  }

  function record(kind: 'prediction' | 'outcome', at: number, value: unknown): void {
    recorder.record({
      kind,
      source: sourceId('self'),
      at: { lo: at, hi: at },
      receivedAt: clock.now(),
      payload: JSON.stringify(value),
    });
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

  function predictions(controller: string): RowTable<PredictionRow> {
    return tableOf(
      predictionTables,
      controller,
      () => new RowTable<PredictionRow>((row) => row.prediction.id),
    );
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
    const missed = missedPredictions(predictions(name).rows, limiters.get(name)?.since ?? 0);
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
    keys,
    predictions,
    applyObject(change) {
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
        rebuildAll.poke();
        return;
      }
      for (const shadow of shadows.values())
        apply(fact.seq, logStep(fact, shadow.profile, shadow.sources, index), shadow);
    },
    applyProcess(fact) {
      for (const shadow of shadows.values()) apply(fact.seq, processStep(fact), shadow);
    },
    linesLost(at) {
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
