/**
 * Feeds: logs, metrics and audit files that the user attached. Each is a source of its own; what it gives is recorded
 * line by line with the time we received it. A feed attached before there is a session starts with the session.
 */
import { type Disposable, DisposableStore, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import type { FeedRow, GapRow } from '../../shared/contract/views/sources.ts';
import { type SourceId, sourceId } from '../../shared/model/ids.ts';
import type { RecordKind, TimeInterval } from '../session/record.ts';
import type { Recorder } from '../session/recorder.ts';
import { parseAuditLine } from '../source/audit/auditEntry.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import type { FeedLine, FeedSink } from './host.ts';

export type FeedKind = FeedRow['kind'];

export interface FeedSpec {
  readonly kind: FeedKind;
  readonly label: string;
  start(sink: FeedSink): Disposable;
}

export interface FeedsDeps {
  readonly now: () => number;
  readonly onGap: (source: SourceId, at: number, text: string) => void;
}

export interface Feeds extends Disposable {
  /** Keeps the spec and, when a session runs, starts it. Returns the feed's id. */
  attach(spec: FeedSpec): string;
  detach(id: string): boolean;
  /** Restarts every feed into a new session; undefined stops them. */
  bind(recorder: Recorder | undefined): void;
  rows(): readonly FeedRow[];
  /** Of a followed file: its path and the line being recorded right now, from 1; lines that were lost do not count. */
  positionOf(source: SourceId): { readonly file: string; readonly line: number } | undefined;
  /** True while a line is being recorded that stood in its file before we looked. */
  isBacklog(source: SourceId): boolean;
  readonly onChange: Emitter<void>;
}

interface Feed {
  readonly id: string;
  readonly spec: FeedSpec;
  row: FeedRow;
  running: Disposable | undefined;
  line: number;
  backlog: boolean;
}

export function createFeeds(deps: FeedsDeps): Feeds {
  const feeds = new Map<string, Feed>();
  const onChange = new Emitter<void>();
  const store = new DisposableStore();
  let recorder: Recorder | undefined;
  let counter = 0;

  function update(feed: Feed, change: Partial<FeedRow>): void {
    feed.row = { ...feed.row, ...change };
    onChange.emit();
  }

  function start(feed: Feed): void {
    const target = recorder;
    if (target === undefined) return;
    const source = sourceId(feed.id);
    target.log.sourceState(source, true);
    feed.row = { ...feed.row, records: 0, unparsed: 0, state: 'waiting' };
    feed.line = 0;
    const running = feed.spec.start({
      lines(lines) {
        let unparsed = 0;
        for (const line of lines) {
          feed.line++;
          feed.backlog = line.backlog;
          const { at, parsed } = timeOf(feed.spec.kind, line);
          if (!parsed) unparsed++;
          target.record({
            kind: recordKind(feed.spec.kind),
            source,
            at,
            receivedAt: line.receivedAt,
            payload: line.text,
          });
        }
        const last = lines.at(-1);
        update(feed, {
          records: feed.row.records + lines.length,
          unparsed: feed.row.unparsed + unparsed,
          ...(last === undefined ? {} : { lastAt: last.receivedAt }),
        });
      },
      gap: (text, at) => deps.onGap(source, at, text),
      state(state, detail, problem) {
        if (state === 'ended' || state === 'failed') target.log.sourceState(source, false);
        const { problem: _before, ...row } = feed.row;
        feed.row = problem === undefined ? row : { ...row, problem };
        update(feed, { state, detail });
      },
    });
    feed.running = toDisposable(() => {
      running.dispose();
      target.log.sourceState(source, false);
    });
  }

  function stop(feed: Feed): void {
    feed.running?.dispose();
    feed.running = undefined;
  }

  store.add(onChange);
  return {
    onChange,
    attach(spec) {
      const id = `${spec.kind}:${++counter}`;
      const feed: Feed = {
        id,
        spec,
        row: {
          id,
          kind: spec.kind,
          label: spec.label,
          state: 'waiting',
          records: 0,
          unparsed: 0,
          detail: '',
        },
        running: undefined,
        line: 0,
        backlog: false,
      };
      feeds.set(id, feed);
      start(feed);
      onChange.emit();
      return id;
    },
    detach(id) {
      const feed = feeds.get(id);
      if (feed === undefined) return false;
      stop(feed);
      feeds.delete(id);
      onChange.emit();
      return true;
    },
    bind(next) {
      for (const feed of feeds.values()) stop(feed);
      recorder = next;
      for (const feed of feeds.values()) start(feed);
    },
    rows: () => [...feeds.values()].map((feed) => feed.row),
    positionOf(source) {
      const feed = feeds.get(source);
      if (feed === undefined || (feed.spec.kind !== 'log' && feed.spec.kind !== 'audit')) return undefined;
      return { file: feed.spec.label, line: feed.line };
    },
    isBacklog: (source) => feeds.get(source)?.backlog === true,
    dispose() {
      for (const feed of feeds.values()) stop(feed);
      feeds.clear();
      store.dispose();
    },
  };
}

function recordKind(kind: FeedKind): RecordKind {
  switch (kind) {
    case 'log':
    case 'stdin':
    case 'child':
      return 'log';
    case 'metrics':
      return 'metrics';
    case 'audit':
      return 'audit';
  }
}

/**
 * Where a line happened. A line that came while we followed happened just before we received it; one that stood in the
 * file already happened when it says, as exactly as it says.
 */
function timeOf(kind: FeedKind, line: FeedLine): { at: TimeInterval; parsed: boolean } {
  const received = { lo: line.receivedAt, hi: line.receivedAt };
  if (kind === 'metrics') return { at: received, parsed: true };
  if (kind === 'audit') {
    const entry = parseAuditLine(line.text);
    const at = entry.ok ? entry.value[0]?.at : undefined;
    return { at: at ?? received, parsed: entry.ok };
  }
  const entry = parseLogLine(line.text, { nearMs: line.receivedAt });
  return { at: (line.backlog ? entry.at : undefined) ?? received, parsed: entry.format !== 'text' };
}

/** For the window: the gap of a feed as a row of the gaps table. */
export function feedGap(source: SourceId, seq: number, at: number, text: string): GapRow {
  return { id: `${source}@${seq}`, seq, source, from: at, to: at, why: 'log-rotated', text };
}
