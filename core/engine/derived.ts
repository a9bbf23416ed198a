/**
 * Derived: everything of a session that follows from its records: index, model, operators, shadow queues, verdicts, events,
 * gaps, requests. Fed one record after another, by a live recorder or by one that plays; the same records give the same.
 */
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { asRecord, parseJson } from '../../shared/base/json.ts';
import { RowTable } from '../../shared/contract/rowTable.ts';
import type { SessionStats } from '../../shared/contract/views/connection.ts';
import type { FeedRow, GapRow, InformerRow, RequestRow } from '../../shared/contract/views/sources.ts';
import { type ObjectKey, recordSeq } from '../../shared/model/ids.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import type { LogFact, ObjectFact } from '../session/facts.ts';
import type { RecordHead } from '../session/record.ts';
import type { Recorded, Recorder } from '../session/recorder.ts';
import { createEntryStitcher } from '../source/log/stitchEntries.ts';
import { operatorMetrics } from '../source/metrics/controllerMetrics.ts';
import { createTraceBook } from '../trace/traceBook.ts';
import { createClusterModel } from './clusterModel.ts';
import type { EngineSession } from './engineSession.ts';
import { createEventFeed } from './eventFeed.ts';
import type { EngineHost } from './host.ts';
import { createObjectIndex, type ObjectChange } from './objectIndex.ts';
import { searchObjects } from './objectSearch.ts';
import { objectHistory, parse } from './objectViews.ts';
import { createOperatorsModel } from './operatorsModel.ts';
import { createReportedMetrics } from './reportedMetrics.ts';
import { createShadows } from './shadows.ts';
import { createTraces } from './traces.ts';
import { createVerdicts, type VerdictsDeps } from './verdicts.ts';
import type { Watched } from './watched.ts';

export interface DerivedOptions {
  readonly host: Pick<EngineHost, 'onBug'>;
  readonly clock: Clock;
  /** What waits between two looks go by; the clock itself where nothing is played. */
  readonly pace: Clock;
  readonly recorder: Recorder;
  readonly watching: Watched;
  /** How records come now. */
  readonly mode: DerivedMode;
  readonly profileFile: ProfileFile | undefined;
  readonly profilePath: string | undefined;
  /** The file and line behind the record that is told, for evidence that names both. */
  readonly positionOf: VerdictsDeps['positionOf'];
  /** The record stood in its file before we looked: it is old, not late. */
  readonly isBacklog: (head: RecordHead) => boolean;
  readonly review: VerdictsDeps['review'];
  readonly feeds: () => readonly FeedRow[];
}

export interface DerivedMode {
  /** Records are told again: predictions, outcomes and the times of findings are theirs. */
  replaying: boolean;
  /** As fast as they can be read: nobody is told until all are there. */
  quiet: boolean;
  /** Records tell when operators were inferred. */
  inferredByRecord: boolean;
}

export type DerivedSession = Omit<EngineSession, 'watching' | 'connection' | 'upgrade' | 'onConnection'>;

export interface Derived extends DerivedSession {
  apply(recorded: Recorded): void;
  /** An object changed; told before anything follows from it. One listener. */
  onChange(listener: (change: ObjectChange, head: RecordHead) => void): Disposable;
  addGap(gap: GapRow): void;
  addRequest(row: RequestRow): void;
  /** A record of Loopscope's own is told again; false: of a kind that is somebody else's. */
  applyRetold(head: RecordHead, payload: string): boolean;
  /** After a quiet stretch: builds and judges what waited, but for reconciles: those are built behind what is shown. */
  settle(): void;
}

/** Requests kept for the audit of ourselves; older ones are in the session. */
const requestsShown = 2000;

export function createDerived(options: DerivedOptions): Derived {
  const { clock, pace, recorder, watching, mode } = options;
  const store = new DisposableStore();
  const index = createObjectIndex();
  const model = createClusterModel();
  const events = createEventFeed((seq) => parse(recorder.log, seq));
  const informers = new RowTable<InformerRow>((row) => row.id);
  const gaps = new RowTable<GapRow>((row) => row.id);
  const requests = new RowTable<RequestRow>((row) => row.id);
  const onStats = store.add(new Emitter<void>());
  const onObject = store.add(new Emitter<ObjectKey>());
  const onFeeds = store.add(new Emitter<void>());
  let changeListener: ((change: ObjectChange, head: RecordHead) => void) | undefined;
  const replaying = () => mode.replaying;

  const operators = store.add(
    createOperatorsModel({
      clock,
      pace,
      infers: () => !mode.replaying || (!mode.inferredByRecord && !mode.quiet),
      index,
      model,
      recorder,
      resources: () => watching.resources(),
      rbacUnreadable: () => watching.unreadable().some((name) => name.endsWith('.rbac.authorization.k8s.io')),
      file: options.profileFile,
      filePath: options.profilePath,
    }),
  );
  const shadows = store.add(
    createShadows({
      clock,
      pace,
      replaying,
      quiet: () => mode.quiet,
      index,
      recorder,
      operators,
      resolve: (name) => watching.resolve(name),
    }),
  );
  const verdicts = store.add(
    createVerdicts({
      clock,
      pace,
      replaying,
      index,
      model,
      recorder,
      operators,
      resolve: (name) => watching.resolve(name)[0],
      resourceOfKind: (kind, where) => watching.resourceOfKind(kind, where),
      ready: () => watching.policyKnown(),
      positionOf: options.positionOf,
      unreadable: () => watching.unreadable(),
      failing: () => watching.failing(),
      spans: () => traces.shown(),
      review: options.review,
    }),
  );

  const metrics = createReportedMetrics({
    log: recorder.log,
    shadows,
    // What happened just now has not reached us in full; what is told again has.
    settledUntil: () => (mode.replaying ? clock.now() : clock.now() - 2_000),
    watchedSince: () => watchedSince,
  });
  const traces = store.add(
    createTraces({
      clock,
      pace,
      quiet: () => mode.quiet,
      index,
      recorder,
      operators,
      shadows,
      watching,
      feeds: options.feeds,
      informers,
      gaps,
      read: (seq) => parse(recorder.log, recordSeq(seq)),
      createBook: createTraceBook,
      metrics,
    }),
  );

  store.add(traces.onFirst.on(() => verdicts.judgeTurn()));

  let late = 0;
  let watchedSince: number | undefined;
  let notDerived = 0;

  const lines = createEntryStitcher<LogFact>((fact) => recorder.log.payload(fact.seq));

  function derive(recorded: Recorded): void {
    const { fact } = recorded;
    switch (fact.fact) {
      case 'object':
        applyObject(fact, recorded);
        return;
      case 'log':
        for (const line of lines.push(fact)) {
          operators.applyLog(line);
          shadows.applyLog(line);
          verdicts.applyLog(line);
        }
        traces.log(fact, recorded.head);
        return;
      case 'audit':
        verdicts.applyAudit(fact);
        traces.audit(fact, recorded.head);
        return;
      case 'metrics': {
        const text = recorder.log.payload(fact.seq);
        const told = text === undefined ? undefined : operatorMetrics(text);
        if (told !== undefined) operators.applyMetrics(told);
        metrics.apply(fact);
        if (told !== undefined) verdicts.applyMetrics(told);
        traces.metrics(fact);
        return;
      }
      case 'process':
        operators.applyProcess(fact);
        shadows.applyProcess(fact);
        traces.process(fact);
        return;
      case 'other':
        traces.own(recorded.head);
        return;
    }
  }

  function applyObject(fact: ObjectFact, recorded: Recorded): void {
    const change = index.apply(fact);
    changeListener?.(change, recorded.head);
    const before = change.before;
    const older =
      before === undefined || before.deleted || fact.initial || before.fact.metadataOnly !== fact.metadataOnly
        ? undefined
        : before.fact.seq;
    // Parsed for the few that read it: a played record brings text.
    const object = fact.kind === 'Event' || model.reads(fact) ? recorded.object : undefined;
    const same = before?.fact.resourceVersion === fact.resourceVersion && !change.now.deleted;
    if (!same) events.change(fact, object, older);
    const matters = model.apply(fact, object);
    operators.applyObject(change, matters);
    shadows.applyObject(change);
    verdicts.applyObject(change, object, matters);
    traces.object(change, () => recorded.object);
    if (!mode.quiet) onObject.emit(fact.key);
  }

  const shownRequests: number[] = [];
  function addRequest(row: RequestRow): void {
    requests.set(row);
    shownRequests.push(row.id);
    if (shownRequests.length > requestsShown) requests.delete(shownRequests.shift() ?? 0);
  }

  return {
    clock,
    recorder,
    model,
    index,
    events,
    operators,
    shadows,
    verdicts,
    traces,
    informers,
    gaps,
    requests,
    onStats,
    onObject,
    onFeeds,
    apply(recorded) {
      const { head } = recorded;
      // Our own requests are recorded when they are answered, with the time they were sent: that is not late either.
      if (head.late && head.kind !== 'request' && !options.isBacklog(head)) late++;
      if (head.kind === 'object') watchedSince ??= head.receivedAt;
      traces.came(recorded);
      try {
        derive(recorded);
      } catch (error) {
        // One odd record must not end the session: it is on record, and the health line says that it was not judged.
        notDerived++;
        options.host.onBug(`record ${head.seq} of ${head.source}`, error);
      }
    },
    onChange(listener) {
      changeListener = listener;
      return toDisposable(() => {
        changeListener = undefined;
      });
    },
    addGap(gap) {
      gaps.set(gap);
      if (gap.why !== 'forbidden') events.gap(gap);
      if (!mode.quiet) onStats.emit();
    },
    addRequest,
    applyRetold({ kind }, payload) {
      switch (kind) {
        case 'profile':
          operators.applyRetold(payload);
          return true;
        case 'prediction':
        case 'outcome':
          shadows.applyRetold(kind, payload);
          return true;
        case 'finding':
        case 'access':
          verdicts.applyRetold(kind, payload);
          return true;
        case 'request': {
          const row = asRecord(parseJson(payload));
          if (typeof row?.id === 'number') addRequest(row as unknown as RequestRow);
          return true;
        }
        default:
          return false;
      }
    },
    settle() {
      if (!mode.inferredByRecord) operators.inferNow();
      shadows.settle();
      verdicts.judgeTurn();
    },
    feeds: options.feeds,
    history: (key) => objectHistory(recorder.log, key, watching.detailOf(key)),
    search: (text, limit) => searchObjects(index, text, limit),
    stats(): SessionStats {
      // What was read to its end, as an imported file, is not missed.
      const feeds = options.feeds().filter((feed) => feed.state !== 'ended');
      const stats = recorder.log.stats();
      const rows = informers.rows.filter((row) => row.state !== 'ended');
      const live = rows.filter((row) => ['live', 'recovered', 'relisted'].includes(row.state)).length;
      return {
        id: stats.id,
        startedAt: stats.startedAt,
        records: stats.records,
        bytes: stats.bytes,
        gaps: gaps.rows.filter((gap) => gap.why !== 'forbidden').length,
        late,
        objects: index.size,
        sourcesLive: live + feeds.filter((feed) => feed.state === 'live').length,
        sourcesTotal: rows.length + feeds.length,
        health: [
          ...stats.health,
          ...traces.health(),
          ...(notDerived === 0
            ? []
            : [
                `${notDerived} records are kept but could not be judged: a bug of Loopscope, see its output.`,
              ]),
        ],
        ...(stats.paused === undefined ? {} : { paused: stats.paused }),
      };
    },
    dispose: () => store.dispose(),
  };
}
