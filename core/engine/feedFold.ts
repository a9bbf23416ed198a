/**
 * FeedFold: the feeds that were attached to a recording, folded from what was recorded of them and from their lines, and
 * where in its file the line stands that is read just now.
 */
import type { FeedRow } from '../../shared/contract/views/sources.ts';
import type { SourceId } from '../../shared/model/ids.ts';
import type { Fact } from '../session/facts.ts';
import type { RecordHead } from '../session/record.ts';
import type { RecordedFeed } from './watchRecords.ts';

export interface FeedFold {
  told(feed: RecordedFeed, at: number): void;
  gone(id: string): void;
  /** A line, or a scrape: a record of a feed with its facts. */
  line(head: RecordHead, facts: readonly Fact[]): void;
  rows(): readonly FeedRow[];
  positionOf(source: SourceId): { readonly file: string; readonly line: number } | undefined;
  /** The line stood in its file before the feed was attached. */
  isBacklog(head: RecordHead): boolean;
}

interface FoldedFeed {
  row: FeedRow;
  readonly attachedAt: number;
  line: number;
}

export function createFeedFold(): FeedFold {
  const feeds = new Map<string, FoldedFeed>();

  function feedOf(head: RecordHead): FoldedFeed {
    let feed = feeds.get(head.source);
    if (feed === undefined) {
      // From before feeds were recorded: its lines are all that is known of it.
      feed = { row: unknownFeed(head), attachedAt: head.receivedAt, line: 0 };
      feeds.set(head.source, feed);
    }
    return feed;
  }

  return {
    told({ id, kind, label, state, detail, problem }, at) {
      const before = feeds.get(id);
      const { problem: _before, ...row } = before?.row ?? { records: 0, unparsed: 0, problem: undefined };
      feeds.set(id, {
        // It waits when it is attached, and when a session goes on: what its file holds then is from before.
        attachedAt: state === 'waiting' ? at : (before?.attachedAt ?? at),
        line: before?.line ?? 0,
        row: { ...row, id, kind, label, state, detail, ...(problem === undefined ? {} : { problem }) },
      });
    },
    gone: (id) => void feeds.delete(id),
    line(head, facts) {
      const feed = feedOf(head);
      feed.line++;
      feed.row = {
        ...feed.row,
        records: feed.row.records + 1,
        unparsed: feed.row.unparsed + (isParsed(head, facts) ? 0 : 1),
        lastAt: head.receivedAt,
      };
    },
    rows: () => [...feeds.values()].map(({ row }) => row),
    positionOf(source) {
      const feed = feeds.get(source);
      if (feed === undefined || (feed.row.kind !== 'log' && feed.row.kind !== 'audit')) return undefined;
      return { file: feed.row.label, line: feed.line };
    },
    isBacklog: (head) => {
      const feed = feeds.get(head.source);
      // A pod's lines carry their node's time, and say it themselves.
      return (
        feed !== undefined && (head.initial || (feed.row.kind !== 'podLog' && head.at.hi < feed.attachedAt))
      );
    },
  };
}

/** Records of feeds, as against those of watches and of Loopscope itself. */
export function isFeedLine({ kind }: RecordHead): boolean {
  return kind === 'log' || kind === 'audit' || kind === 'metrics';
}

function isParsed(head: RecordHead, facts: readonly Fact[]): boolean {
  if (head.kind === 'metrics') return true;
  const [fact] = facts;
  return fact !== undefined && (fact.fact !== 'log' || fact.entry.format !== 'text');
}

function unknownFeed(head: RecordHead): FeedRow {
  const kind = head.kind === 'audit' || head.kind === 'metrics' ? head.kind : 'log';
  return { id: head.source, kind, label: head.source, state: 'ended', records: 0, unparsed: 0, detail: '' };
}
