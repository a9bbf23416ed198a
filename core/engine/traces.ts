/**
 * Traces: the reconcile spans of the operator under debug, in the engine. Turns facts into evidence (core/trace), keeps
 * the rows that views look at, and derives the past again when late records came.
 */
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { RowTable } from '../../shared/contract/rowTable.ts';
import type {
  ControllerHistory,
  ModelCheck,
  RevisionState,
  SourceRow,
  SpanQuery,
  SpanView,
  WalkQuery,
  WalkView,
} from '../../shared/contract/views/traces.ts';
import type { Span, SpanRow } from '../../shared/model/trace.ts';

export interface Traces extends Disposable {
  /** To be subscribed to at once: a table of the newest spans a query finds; disposed with its last listener. */
  rows(query: SpanQuery): RowTable<SpanRow>;
  spans(query: { readonly controller?: string; readonly key?: string }): readonly Span[];
  view(id: string): SpanView;
  walk(query: WalkQuery): WalkView;
  history(controller: string): ControllerHistory;
  modelCheck(controller: string): ModelCheck;
  readonly sources: RowTable<SourceRow>;
  revision(): RevisionState;
  /** Gives up the one that is being made. */
  cancelRevision(): void;
  /** Takes up again what was cancelled. */
  reviseAgain(): void;
  readonly onChange: Emitter<void>;
  readonly onRevision: Emitter<RevisionState>;
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

/** Spans of nothing: what a session shows before its operator is known. */
export function createTraces(): Traces {
  const store = new DisposableStore();
  const onChange = store.add(new Emitter<void>());
  const onRevision = store.add(new Emitter<RevisionState>());
  const sources = new RowTable<SourceRow>((row) => row.id);
  return {
    rows: () => new RowTable<SpanRow>((row) => row.id),
    spans: () => [],
    view: (id) => ({ id, state: 'unknown' }),
    walk: () => ({ reason: 'choose-operator' }),
    history: (controller) => ({
      controller,
      slotMs: 10_000,
      from: 0,
      to: 0,
      series: [],
      marks: [],
      reason: 'choose-operator',
    }),
    modelCheck: (controller) => ({ controller, rows: [], reason: 'choose-operator' }),
    sources,
    revision: () => noRevision,
    cancelRevision() {},
    reviseAgain() {},
    onChange,
    onRevision,
    dispose: () => store.dispose(),
  };
}
