/**
 * Retelling: gives a record of a session to everything that folds it, in the order in which it was told live. For sessions
 * that are played and for those that go on.
 */
import type { Disposable } from '../../shared/base/disposable.ts';
import type { Fact } from '../session/facts.ts';
import type { RecordHead, SessionLog } from '../session/record.ts';
import type { Derived } from './derived.ts';
import { type FeedFold, isFeedLine } from './feedFold.ts';
import type { WatchFold } from './watchFold.ts';
import { gapOfRecord, readConnectionRecord, readDiscoveryRecord } from './watchRecords.ts';

export interface RetellingParts {
  readonly log: SessionLog;
  readonly derived: Derived;
  readonly watch: WatchFold;
  readonly feeds: FeedFold;
}

export interface Retelling extends Disposable {
  /** Before `derived` gets the facts of a record: where its line stands. */
  before(head: RecordHead, facts: readonly Fact[]): void;
  /** After that: what Loopscope said of itself. */
  after(head: RecordHead): void;
}

export function createRetelling({ log, derived, watch, feeds }: RetellingParts): Retelling {
  const listening = derived.onChange((change, head) =>
    watch.object(change, log.payloadLength(head.seq) ?? 0),
  );

  function connection(head: RecordHead, payload: string): void {
    const record = readConnectionRecord(payload);
    if (record === undefined) return;
    if (record.what === 'feed') feeds.told(record.feed, head.receivedAt);
    else if (record.what === 'feedGone') feeds.gone(record.id);
    else watch.connected(record);
  }

  function gap(head: RecordHead, payload: string): void {
    const row = gapOfRecord(head, payload, (id) => derived.gaps.get(id)?.seq);
    if (row === undefined) return;
    const isLog =
      row.why === 'log-rotated' || (row.why === 'not-running' && !head.source.startsWith('watch:'));
    if (isLog) derived.shadows.linesLost(head.receivedAt);
    derived.addGap(row);
  }

  return {
    before(head, facts) {
      if (isFeedLine(head)) feeds.line(head, facts);
    },
    after(head) {
      if (head.kind === 'object' || isFeedLine(head)) return;
      const payload = log.payload(head.seq);
      if (payload === undefined || derived.applyRetold(head, payload)) return;
      if (head.kind === 'connection') connection(head, payload);
      else if (head.kind === 'gap') gap(head, payload);
      else if (head.kind === 'discovery') {
        const record = readDiscoveryRecord(payload);
        if (record !== undefined) watch.discovered(record);
      }
    },
    dispose: () => listening.dispose(),
  };
}
