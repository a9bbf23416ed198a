/** What the rest of the engine and its handlers see of reconcile traces, and what they rest on. Implementation: traces.ts */
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { Emitter } from '../../shared/base/emitter.ts';
import type { RowTable } from '../../shared/contract/rowTable.ts';
import type { FeedRow, GapRow, InformerRow } from '../../shared/contract/views/sources.ts';
import type {
  ControllerHistory,
  HistorySeries,
  ModelCheck,
  RevisionState,
  SourceRow,
  SpanQuery,
  SpanView,
  WalkQuery,
  WalkView,
} from '../../shared/contract/views/traces.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { Span, SpanRow } from '../../shared/model/trace.ts';
import type { AuditFact, LogFact, MetricsFact, ProcessFact } from '../session/facts.ts';
import type { RecordHead } from '../session/record.ts';
import type { Recorded, Recorder } from '../session/recorder.ts';
import type { TraceBook, TraceKnobs } from '../trace/traceTypes.ts';
import type { ObjectChange, ObjectIndex } from './objectIndex.ts';
import type { OperatorsModel } from './operatorsModel.ts';
import type { Shadows } from './shadows.ts';
import type { KeptRecords } from './traceModel.ts';
import type { ChangedFields } from './traceViews.ts';
import type { Watched } from './watched.ts';

export interface Traces extends Disposable {
  /** To be subscribed to at once: a table of the newest spans a query finds; disposed with its last listener. */
  rows(query: SpanQuery): RowTable<SpanRow>;
  /** Newest first. The writes' changed fields are not in them: see changesOf(). */
  spans(query: { readonly controller?: string; readonly key?: string }): readonly Span[];
  /** The same as they were published last: nothing is built for it. */
  shown(): readonly Span[];
  view(id: string): SpanView;
  /** What the write behind this record changed, compared when it is asked for. */
  changesOf(seq: number): ChangedFields;
  walk(query: WalkQuery): WalkView;
  history(controller: string): ControllerHistory;
  modelCheck(controller: string): ModelCheck;
  readonly sources: RowTable<SourceRow>;
  revision(): RevisionState;
  /** What is no longer shown, in a sentence. */
  health(): readonly string[];
  /** Gives up the one that is being made. */
  cancelRevision(): void;
  /** Takes up again what was cancelled. */
  reviseAgain(): void;
  /** Any record, before anything is derived from it: counted for the page of sources. */
  came(recorded: Recorded): void;
  /** `object`: as it is at hand; it is not kept. */
  object(change: ObjectChange, object: () => KubeObject | undefined): void;
  log(fact: LogFact, head: RecordHead): void;
  audit(fact: AuditFact, head: RecordHead): void;
  process(fact: ProcessFact): void;
  metrics(fact: MetricsFact): void;
  /** A record of Loopscope's own: a prediction, a gap. */
  own(head: RecordHead): void;
  /**
   * After records were told quietly: spans are put together behind what is shown, in slices. Until all are there none is
   * shown, and the revision says that they are put together for the `first` time.
   */
  buildBehind(): void;
  /** Builds a little of what waits; false: nothing is left. For who waits for the whole in slices. */
  buildSome(): boolean;
  /** Somebody waits for something else: building rests. */
  rest(on: boolean): void;
  /** Builds what waits, now. */
  settle(): void;
  readonly onChange: Emitter<void>;
  /** Spans were put together for the first time. */
  readonly onFirst: Emitter<void>;
  readonly onRevision: Emitter<RevisionState>;
}

export interface TracesDeps {
  readonly clock: Clock;
  /** What waits between two looks go by; the clock itself where nothing is played. */
  readonly pace: Clock;
  /** Records are told again as fast as they can be read: spans are built when all are there. */
  readonly quiet: () => boolean;
  readonly index: ObjectIndex;
  readonly recorder: Recorder;
  readonly operators: OperatorsModel;
  readonly shadows: Shadows;
  readonly watching: Watched;
  readonly feeds: () => readonly FeedRow[];
  readonly informers: RowTable<InformerRow>;
  readonly gaps: RowTable<GapRow>;
  readonly read: (seq: number) => KubeObject | undefined;
  readonly createBook: (knobs: TraceKnobs) => TraceBook;
  readonly metrics: TraceMetrics;
  /** Records that spans are made of; default: as many as memory has room for. */
  readonly kept?: KeptRecords | undefined;
}

/** What only the operator's metrics tell; given by whoever reads them. */
export interface TraceMetrics {
  /** In slots of `slotMs`. */
  series(controller: string, slotMs: number): HistorySeries | undefined;
  modelCheck(controller: string): ModelCheck;
}

export const noRevision: RevisionState = {
  revision: 0,
  state: 'idle',
  done: 0,
  total: 0,
  added: 0,
  changed: 0,
  removed: 0,
  cancelled: false,
};
