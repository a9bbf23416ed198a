/** One span as its page shows it: with what its writes changed, its neighbours of the same key, and where it went. */
import type { SpanView } from '../../shared/contract/views/traces.ts';
import { type RecordSeq, recordSeq } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { Span, TraceWrite } from '../../shared/model/trace.ts';
import { changesBetween } from '../objects/changes.ts';
import type { SessionLog } from '../session/record.ts';
import { cacheAtStart } from './spanCache.ts';
import { rowOf } from './traceRows.ts';

/** Changed paths, at most eight; `changes` counts all. */
export interface ChangedFields {
  readonly fields: readonly string[];
  readonly changes: number;
}

export interface SpanViews {
  view(id: string): SpanView;
  changesOf(seq: number): ChangedFields;
  /** Spans that were shown and are none any more. */
  gone(spans: readonly Span[]): void;
}

export interface SpanViewsDeps {
  readonly log: SessionLog;
  readonly read: (seq: number) => KubeObject | undefined;
  readonly newest: () => readonly Span[];
  readonly span: (id: string) => Span | undefined;
}

const pathsShown = 8;
const goneKept = 2000;
const comparedKept = 5000;
const nothing: ChangedFields = { fields: [], changes: 0 };

export function createSpanViews({ log, read, newest, span }: SpanViewsDeps): SpanViews {
  const gone = new Map<string, Pick<Span, 'controller' | 'key' | 'start' | 'end'>>();
  const compared = new Map<number, ChangedFields>();

  function compare(seq: number): ChangedFields {
    const head = log.head(recordSeq(seq));
    if (head?.object === undefined || head.kind !== 'object') return nothing;
    if (head.op === 'deleted' || head.op === 'vanished') return nothing;
    const older = before(log.historyOf(head.object), head.seq);
    const newer = read(seq);
    const was = older === undefined ? undefined : read(older);
    if (newer === undefined || was === undefined || was.metadata.uid !== newer.metadata.uid) return nothing;
    const metadataOnly = head.metadataOnly || log.head(recordSeq(older ?? 0))?.metadataOnly === true;
    const changes = changesBetween(was, newer, { metadataOnly }).filter((change) => !change.bookkeeping);
    return { fields: changes.slice(0, pathsShown).map(({ path }) => path), changes: changes.length };
  }

  function changesOf(seq: number): ChangedFields {
    let found = compared.get(seq);
    if (found === undefined) {
      if (compared.size >= comparedKept) compared.clear();
      found = compare(seq);
      compared.set(seq, found);
    }
    return found;
  }

  function withFields(write: TraceWrite): TraceWrite {
    return write.outcome === 'stored' && write.changes === 0 ? { ...write, ...changesOf(write.seq) } : write;
  }

  return {
    changesOf,
    gone(spans) {
      for (const { id, controller, key, start, end } of spans)
        gone.set(id, { controller, key, start, ...(end === undefined ? {} : { end }) });
      for (const id of gone.keys()) {
        if (gone.size <= goneKept) break;
        gone.delete(id);
      }
    },
    view(id) {
      const found = span(id);
      const was = found === undefined ? gone.get(id) : undefined;
      const about = found ?? was;
      if (about === undefined) return { id, state: 'unknown' };
      const ofKey = newest().filter(
        ({ controller, key }) => controller === about.controller && key === about.key,
      );
      if (found === undefined) {
        // Another covers the time in which it was.
        const cover = ofKey.find(
          (one) => one.start.lo <= about.start.hi && (one.end === undefined || one.end.hi >= about.start.lo),
        );
        return { id, state: 'gone', ...(cover === undefined ? {} : { span: cover }) };
      }
      const at = ofKey.findIndex((one) => one.id === id);
      const [later, earlier] = [ofKey[at - 1], ofKey[at + 1]];
      return {
        id,
        state: 'found',
        span: { ...found, cache: cacheAtStart(found, log), writeList: found.writeList.map(withFields) },
        ...(earlier === undefined ? {} : { earlier: rowOf(earlier) }),
        ...(later === undefined ? {} : { later: rowOf(later) }),
      };
    },
  };
}

/** The record of the version before; `history` is in order of arrival. */
function before(history: readonly RecordSeq[], seq: RecordSeq): RecordSeq | undefined {
  let [lo, hi] = [0, history.length];
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if ((history[mid] ?? 0) < seq) lo = mid + 1;
    else hi = mid;
  }
  return history[lo - 1];
}
