/**
 * Feeds: logs, metrics and audit files that the user attached. Each is a source of its own; what it gives is recorded
 * line by line with the time we received it. A feed attached before there is a session starts with the session.
 */
import { type Disposable, DisposableStore, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { asRecord, parseJson } from '../../shared/base/json.ts';
import type { FeedRow } from '../../shared/contract/views/sources.ts';
import { recordSeq, type SourceId, sourceId } from '../../shared/model/ids.ts';
import type { RecordKind, SessionLog, TimeInterval } from '../session/record.ts';
import type { Recorder } from '../session/recorder.ts';
import { withoutBodies } from '../source/audit/auditBodies.ts';
import { parseAuditLine } from '../source/audit/auditEntry.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import type { StampedLine } from '../source/podLogs/stampedLine.ts';
import type { FeedLine, FeedSink } from './host.ts';
import { type ConnectionRecord, recordedLabel, self, withoutSecrets } from './watchRecords.ts';

export type FeedKind = FeedRow['kind'];

export interface FeedSpec {
  readonly kind: FeedKind;
  readonly label: string;
  /** `before`: of a pod's log, the newest lines that are on record, in order; they are not told again. */
  start(sink: FeedSink, before: readonly StampedLine[]): Disposable;
}

export interface FeedsDeps {
  readonly now: () => number;
  /** `restart`: the file begins anew, lines before are no longer in it. What is missing lies in [from, at]. */
  readonly onGap: (source: SourceId, at: number, text: string, restart: boolean, from: number) => void;
}

export interface Feeds extends Disposable {
  /**
   * Keeps the spec and, when a session runs, starts it. Returns the feed's id, `id` where one is given. A file or pod that
   * was attached before has the id it had: nothing of it is recorded twice.
   */
  attach(spec: FeedSpec, id?: string): string;
  detach(id: string): boolean;
  /**
   * Restarts every feed into a session; undefined stops them. A session that goes on has lines of them already: what a file
   * still holds of those is passed over.
   */
  bind(recorder: Recorder | undefined): void;
  /** What can be attached again by its kind and label alone. */
  specs(): readonly { readonly id: string; readonly kind: FeedKind; readonly label: string }[];
  rows(): readonly FeedRow[];
  /** Of a followed file: its path and the line being recorded right now, from 1; lines that were lost do not count. */
  positionOf(source: SourceId): { readonly file: string; readonly line: number } | undefined;
  /** True while a line is being recorded that stood in its file before we looked. */
  isBacklog(source: SourceId): boolean;
  /** Said now and then: what is followed and quiet has nothing from before now to say, and holds no watermark back. */
  signOfLife(): void;
  readonly onChange: Emitter<void>;
}

interface Feed {
  readonly id: string;
  readonly spec: FeedSpec;
  row: FeedRow;
  running: Disposable | undefined;
  line: number;
  backlog: boolean;
  /** As it was recorded last. */
  told: string;
  known: KnownLines | undefined;
  /** Of its newest line: from when it was written by its own clock to our receipt, ms. */
  lagMs: number;
}

/** A source whose own clock is that far behind ours still has lines to say from before now, ms. */
const mostLagMs = 1000;

export function createFeeds(deps: FeedsDeps): Feeds {
  const feeds = new Map<string, Feed>();
  const onChange = new Emitter<void>();
  const store = new DisposableStore();
  let recorder: Recorder | undefined;
  let counter = 0;
  /** Ids that were given out, by kind and label: what is attached again is the same source, and goes on. */
  const ids = new Map<string, string>();

  function update(feed: Feed, change: Partial<FeedRow>): void {
    feed.row = { ...feed.row, ...change };
    recordState(feed);
    onChange.emit();
  }

  function record(value: ConnectionRecord): void {
    const now = deps.now();
    recorder?.record({
      kind: 'connection',
      source: self,
      at: { lo: now, hi: now },
      receivedAt: now,
      payload: JSON.stringify(value),
    });
  }

  function recordState(feed: Feed): void {
    const { id, kind, label, state, detail, problem } = feed.row;
    const text = `${state} ${detail} ${problem?.message ?? ''}`;
    if (recorder === undefined || text === feed.told) return;
    feed.told = text;
    const shown = recordedLabel(kind, label);
    const without = (words: string) => withoutSecrets(words.replaceAll(label, shown));
    const told = { id, kind, label: shown, state, detail: without(detail) };
    record({
      what: 'feed',
      feed:
        problem === undefined
          ? told
          : { ...told, problem: { ...problem, message: without(problem.message) } },
    });
  }

  function lost(feed: Feed, source: SourceId, at: number, text: string, restart: boolean, from = at): void {
    if (restart) feed.line = 0;
    deps.onGap(source, at, text, restart, from);
  }

  function start(feed: Feed): void {
    const target = recorder;
    if (target === undefined) return;
    const source = sourceId(feed.id);
    target.log.sourceState(source, true);
    feed.row = { ...feed.row, records: 0, unparsed: 0, state: 'waiting' };
    feed.line = 0;
    feed.told = '';
    feed.known = rereads(feed.spec.kind) ? knownLines(target.log, source) : undefined;
    recordState(feed);
    const sink: FeedSink = {
      lines(lines) {
        let unparsed = 0;
        for (const given of lines) {
          const line = feed.spec.kind === 'audit' ? { ...given, text: withoutBodies(given.text) } : given;
          feed.line++;
          if (feed.known !== undefined && isKnown(feed, feed.known, line, source)) continue;
          feed.backlog = line.backlog;
          if (line.at !== undefined) feed.lagMs = line.receivedAt - line.at;
          const { at, parsed } = timeOf(feed.spec.kind, line);
          if (!parsed) unparsed++;
          target.record({
            kind: recordKind(feed.spec.kind),
            source,
            at,
            receivedAt: line.receivedAt,
            payload: line.text,
            ...(line.at !== undefined && line.backlog ? { initial: true } : {}),
          });
        }
        const last = lines.at(-1);
        update(feed, {
          records: feed.row.records + lines.length,
          unparsed: feed.row.unparsed + unparsed,
          ...(last === undefined ? {} : { lastAt: last.receivedAt }),
        });
      },
      gap(text, at, restart = false, from = at) {
        if (restart) feed.known = undefined;
        lost(feed, source, at, text, restart, from);
      },
      state(given, detail, said) {
        const problem = said ?? (given === 'ended' ? noAuditLog(feed.row) : undefined);
        const state = problem === undefined || given !== 'ended' ? given : 'failed';
        // Nothing can be said of when something comes from one that cannot be read: others go on without it.
        target.log.sourceState(source, state === 'live');
        const { problem: _before, ...row } = feed.row;
        feed.row = problem === undefined ? row : { ...row, problem };
        update(feed, { state, detail });
      },
    };
    const running = feed.spec.start(sink, feed.spec.kind === 'podLog' ? newestLines(target.log, source) : []);
    feed.running = toDisposable(() => {
      running.dispose();
      target.log.sourceState(source, false);
    });
  }

  /** Whether the line is on record from before Loopscope itself ended. Where it is another one, so is the file. */
  function isKnown(feed: Feed, known: KnownLines, line: FeedLine, source: SourceId): boolean {
    let next = line.backlog ? known.next() : undefined;
    // A file that was gone and came back holds the later ones alone.
    while (feed.line === 1 && next !== undefined && next !== line.text) next = known.next();
    if (next === line.text) return true;
    feed.known = undefined;
    if (line.backlog && (next !== undefined || feed.line === 1)) {
      const text = `${feed.row.label} is not the file it was before; lines written to the old one meanwhile are lost`;
      lost(feed, source, line.receivedAt, text, true);
      feed.line = 1;
    }
    return false;
  }

  function stop(feed: Feed): void {
    feed.running?.dispose();
    feed.running = undefined;
  }

  store.add(onChange);
  return {
    onChange,
    attach(spec, given) {
      const name = `${spec.kind} ${spec.label}`;
      const id = given ?? (goesOn(spec.kind) ? ids.get(name) : undefined) ?? `${spec.kind}:${++counter}`;
      ids.set(name, id);
      const before = feeds.get(id);
      if (before !== undefined) stop(before);
      counter = Math.max(counter, Number(id.slice(id.lastIndexOf(':') + 1)) || 0);
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
        told: '',
        known: undefined,
        lagMs: 0,
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
      record({ what: 'feedGone', id });
      onChange.emit();
      return true;
    },
    bind(next) {
      for (const feed of feeds.values()) stop(feed);
      recorder = next;
      for (const feed of feeds.values()) start(feed);
    },
    specs: () => [...feeds.values()].map(({ id, spec: { kind, label } }) => ({ id, kind, label })),
    rows: () => [...feeds.values()].map((feed) => feed.row),
    positionOf(source) {
      const feed = feeds.get(source);
      if (feed === undefined || (feed.spec.kind !== 'log' && feed.spec.kind !== 'audit')) return undefined;
      return { file: feed.spec.label, line: feed.line };
    },
    isBacklog: (source) => feeds.get(source)?.backlog === true,
    signOfLife() {
      for (const { id, row, lagMs } of feeds.values())
        if (row.state === 'live' && lagMs < mostLagMs) recorder?.log.sourceState(sourceId(id), true);
    },
    dispose() {
      for (const feed of feeds.values()) stop(feed);
      feeds.clear();
      store.dispose();
    },
  };
}

/** A file was given that is no audit log: what was read of it is on record as text, and tells nothing. */
function noAuditLog({ kind, label, records, unparsed }: FeedRow): FeedRow['problem'] {
  if (kind !== 'audit' || records === 0 || unparsed < records) return undefined;
  const message = `No line of ${label} is an audit.k8s.io event. Give the file that --audit-log-path of the API server names.`;
  return { code: 'audit-nothing', message };
}

function recordKind(kind: FeedKind): RecordKind {
  switch (kind) {
    case 'log':
    case 'stdin':
    case 'child':
    case 'podLog':
      return 'log';
    case 'metrics':
    case 'podMetrics':
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
  if (recordKind(kind) === 'metrics') return { at: received, parsed: true };
  if (kind === 'audit') {
    const entry = parseAuditLine(line.text);
    const at = entry.ok ? entry.value[0]?.at : undefined;
    return { at: at ?? received, parsed: entry.ok };
  }
  const entry = parseLogLine(line.text, { nearMs: line.receivedAt });
  // The runtime took the time when it was written, to the nanosecond: no line states its own as well.
  if (line.at !== undefined) return { at: { lo: line.at, hi: line.at }, parsed: entry.format !== 'text' };
  return { at: (line.backlog ? entry.at : undefined) ?? received, parsed: entry.format !== 'text' };
}

/** Followed files are read from their beginning each time. */
function rereads(kind: FeedKind): boolean {
  return kind === 'log' || kind === 'audit';
}

/** Lines that are on record already are passed over when it is read again. */
function goesOn(kind: FeedKind): boolean {
  return rereads(kind) || kind === 'podLog';
}

/** Lines of a source that are on record, of the file as it is since it last began anew, oldest first. */
interface KnownLines {
  next(): string | undefined;
}

/** Lines on record that a pod's log may bring again: those of the whole second of the newest, and some before. */
function newestLines(log: SessionLog, source: SourceId): readonly StampedLine[] {
  const lines: StampedLine[] = [];
  let since = Number.POSITIVE_INFINITY;
  for (const { seq, at } of log.heads({ source, kinds: ['log'], reverse: true })) {
    if (lines.length === 0) since = Math.floor(at.lo / 1000) * 1000;
    if (lines.length >= linesBefore && at.lo < since) break;
    lines.push({ ms: at.lo, text: log.payload(seq) ?? '' });
  }
  return lines.reverse();
}
const linesBefore = 200;

/** Undefined where there are none. */
function knownLines(log: SessionLog, source: SourceId): KnownLines | undefined {
  let from = 1;
  for (const { seq } of log.heads({ source, kinds: ['gap'], reverse: true })) {
    if (asRecord(parseJson(log.payload(seq) ?? ''))?.restart !== true) continue;
    from = seq + 1;
    break;
  }
  const heads = log.heads({ source, kinds: ['log', 'audit'], from: recordSeq(from) })[Symbol.iterator]();
  let first = heads.next();
  if (first.done === true) return undefined;
  return {
    next() {
      if (first.done === true) return undefined;
      const { seq } = first.value;
      first = heads.next();
      return log.payload(seq);
    },
  };
}
