/** Rows of reconcile lists: what a query finds of the spans, newest first, and how many there are. */
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import { RowTable } from '../../shared/contract/rowTable.ts';
import type { TableFeed, TableSink } from '../../shared/contract/streams.ts';
import { spanSchema } from '../../shared/contract/views/spanFilter.ts';
import type { SpanQuery } from '../../shared/contract/views/traces.ts';
import { compileFilter } from '../../shared/model/filter.ts';
import type { Span, SpanRow } from '../../shared/model/trace.ts';

export interface SpanRows extends Disposable {
  /** To be subscribed to at once: disposed with its last listener. */
  table(query: SpanQuery): RowTable<SpanRow>;
  /** Spans that came or changed, and ids that went. */
  apply(upserts: readonly Span[], removed: readonly string[]): void;
  /** Other spans altogether. */
  replace(spans: Iterable<Span>): void;
  /** Newest first. */
  newest(): readonly Span[];
}

export function createSpanRows(): SpanRows {
  const spans = new Map<string, Span>();
  let ordered: readonly Span[] | undefined = [];
  const tables = new Set<QueryTable>();

  function newest(): readonly Span[] {
    ordered ??= [...spans.values()].sort(newestFirst);
    return ordered;
  }

  return {
    newest,
    table(query) {
      const table: QueryTable = new QueryTable(query, newest, () =>
        toDisposable(() => void tables.delete(table)),
      );
      tables.add(table);
      return table;
    },
    apply(upserts, removed) {
      if (upserts.length === 0 && removed.length === 0) return;
      for (const id of removed) spans.delete(id);
      const before = ordered;
      const inPlace = before !== undefined && removed.length === 0 && upserts.length < fewChanges;
      const fresh =
        (inPlace ? placed(before, upserts, spans) : undefined) ??
        (before === undefined ? undefined : merged(before, upserts, removed, spans));
      for (const span of upserts) spans.set(span.id, span);
      ordered = fresh;
      for (const table of tables) table.changed(upserts, removed);
    },
    replace(next) {
      spans.clear();
      for (const span of next) spans.set(span.id, span);
      ordered = undefined;
      for (const table of tables) table.again();
    },
    dispose() {
      tables.clear();
      spans.clear();
      ordered = [];
    },
  };
}

const fewChanges = 64;

/** The same list with a few spans put in or replaced; undefined where one of them has to move. */
function placed(
  list: readonly Span[],
  upserts: readonly Span[],
  before: ReadonlyMap<string, Span>,
): readonly Span[] | undefined {
  const next = [...list];
  for (const span of upserts) {
    const was = before.get(span.id);
    let [lo, hi] = [0, next.length];
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      const other = next[mid];
      if (other !== undefined && newestFirst(other, span) < 0) lo = mid + 1;
      else hi = mid;
    }
    if (was === undefined) next.splice(lo, 0, span);
    else if (next[lo]?.id === span.id) next[lo] = span;
    else return undefined;
  }
  return next;
}

/** The same list without what was removed, and with the spans put in where they belong now. */
function merged(
  list: readonly Span[],
  upserts: readonly Span[],
  removed: readonly string[],
  before: ReadonlyMap<string, Span>,
): readonly Span[] {
  const gone = new Set(removed);
  for (const { id } of upserts) if (before.has(id)) gone.add(id);
  const fresh = upserts.toSorted(newestFirst);
  const next: Span[] = [];
  let at = 0;
  for (const other of list) {
    if (gone.has(other.id)) continue;
    for (let span = fresh[at]; span !== undefined && newestFirst(span, other) < 0; span = fresh[at]) {
      next.push(span);
      at += 1;
    }
    next.push(other);
  }
  for (const span of fresh.slice(at)) next.push(span);
  return next;
}

export function newestFirst(a: SpanRow, b: SpanRow): number {
  return b.start.lo - a.start.lo || b.start.hi - a.start.hi || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Counts all that match and holds the newest of them. */
class QueryTable extends RowTable<SpanRow> {
  private readonly query: SpanQuery;
  private readonly newest: () => readonly Span[];
  private readonly release: () => Disposable;
  private readonly test: (row: SpanRow) => boolean;
  private readonly matching = new Set<string>();
  private filled = false;

  constructor(query: SpanQuery, newest: () => readonly Span[], release: () => Disposable) {
    super((row) => row.id);
    this.query = query;
    this.newest = newest;
    this.release = release;
    this.test = compileFilter(query.text, spanSchema).test;
  }

  private finds(row: SpanRow): boolean {
    const { controller, object } = this.query;
    if (controller !== undefined && row.controller !== controller) return false;
    if (object !== undefined && row.object !== object) return false;
    return this.test(row);
  }

  /** Counts and shows from the beginning. */
  again(): void {
    this.filled = true;
    this.matching.clear();
    for (const span of this.newest()) if (this.finds(span)) this.matching.add(span.id);
    this.show();
  }

  changed(upserts: readonly Span[], removed: readonly string[]): void {
    if (!this.filled) return;
    let touched = false;
    for (const id of removed) touched = this.matching.delete(id) || touched;
    for (const span of upserts) {
      if (this.finds(span)) {
        this.matching.add(span.id);
        touched = true;
      } else touched = this.matching.delete(span.id) || touched;
    }
    if (touched) this.show();
  }

  private show(): void {
    const shown: SpanRow[] = [];
    for (const span of this.newest()) {
      if (shown.length >= this.query.limit) break;
      if (this.matching.has(span.id)) shown.push(rowOf(span));
    }
    this.replace(shown);
  }

  override subscribe(sink: TableSink<SpanRow>): TableFeed<SpanRow> {
    if (!this.filled) this.again();
    const feed = super.subscribe(sink);
    return {
      snapshot: () => feed.snapshot(),
      total: () => this.matching.size,
      dispose: () => {
        feed.dispose();
        if (!this.isWatched) this.release().dispose();
      },
    };
  }
}

const rows = new WeakMap<Span, SpanRow>();

/** What a list shows of a span; the same row for the same span, so that one that did not change is not looked at again. */
export function rowOf(span: Span): SpanRow {
  let row = rows.get(span);
  if (row === undefined) {
    row = makeRow(span);
    rows.set(span, row);
  }
  return row;
}

function makeRow(span: Span): SpanRow {
  const {
    startBasis: _startBasis,
    endBasis: _endBasis,
    resultBasis: _resultBasis,
    triggerList: _triggerList,
    readList: _readList,
    readsObservable: _readsObservable,
    cache: _cache,
    writeList: _writeList,
    eventList: _eventList,
    lineList: _lineList,
    next: _next,
    life: _life,
    leader: _leader,
    notes: _notes,
    ...row
  } = span;
  const versions = storedVersions(span);
  return {
    ...row,
    ...(versions.length === 0 ? {} : { versions }),
    ...(span.triggerList.some((trigger) => trigger.writer?.own === true) ? { selfWoken: true } : {}),
  };
}

/** Of the versions that a run stored the first eight: enough to put them under it. */
function storedVersions(span: Span): NonNullable<SpanRow['versions']> {
  return span.writeList
    .flatMap(({ outcome, object, resourceVersion }) =>
      outcome !== 'stored' || object === undefined || resourceVersion === undefined
        ? []
        : [{ object, resourceVersion }],
    )
    .slice(0, 8);
}
