/**
 * ResumeSession: what a session file holds that was left when its process died, told again to the session that goes on in
 * it; and what was missed meanwhile. Spec: docs/spec/playback.md (PB40–PB46).
 */
import type { Clock } from '../../shared/base/clock.ts';
import { asRecord, parseJson } from '../../shared/base/json.ts';
import type { Connection } from '../../shared/contract/views/connection.ts';
import type { FeedRow, GapRow, InformerRow } from '../../shared/contract/views/sources.ts';
import { recordSeq, type SourceId, sourceId } from '../../shared/model/ids.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { factsOf, notKept, PlayedFact } from '../session/playedRecorder.ts';
import type { RecordHead, RecordInput, SessionLog } from '../session/record.ts';
import type { ItemHead } from '../source/listerWatcher.ts';
import { sourceOf } from '../source/watch/resourceWatch.ts';
import type { Derived } from './derived.ts';
import { createFeedFold, type FeedFold } from './feedFold.ts';
import type { EngineHost } from './host.ts';
import type { ObjectIndex } from './objectIndex.ts';
import { HeldClock } from './playedClock.ts';
import { createRetelling } from './retelling.ts';
import { inChunks } from './throttle.ts';
import { createWatched, type Watched } from './watched.ts';
import { createWatchFold } from './watchFold.ts';

export interface ResumedSession {
  readonly watched: Watched;
  readonly feeds: FeedFold;
  /** The time of the record that is told again, then the host's. */
  readonly clock: Clock;
  /** Waits end when everything was told. */
  readonly pace: HeldClock;
  notKept(input: RecordInput): RecordHead;
  /** Tells every record again, a slice at a time. Gives the number of the last request. */
  fold(derived: Derived, signal: AbortSignal): Promise<number>;
  /** What nobody saw between the last record and `now`, source by source. */
  absence(now: number): {
    readonly gaps: readonly {
      readonly source: SourceId;
      readonly from: number;
      readonly to: number;
      readonly text: string;
      readonly isFeed: boolean;
    }[];
    readonly because: string;
  };
  /** What nobody saw since then, because the cluster could not be reached. */
  unreachable(now: number): ReturnType<ResumedSession['absence']>['gaps'];
  /** How it stood, and since when nothing came, ms. */
  last(): { readonly connection: Connection; readonly at: number };
  /** The sources it had, while none of them is watched again. */
  rows(gaps: readonly GapRow[], now: number): readonly InformerRow[];
  /** Heads of the objects that a source had. */
  seedOf(
    index: ObjectIndex,
    resource: ApiResource,
    namespace: string | undefined,
  ): Iterable<ItemHead> | undefined;
}

export function resumeSession(given: {
  readonly host: EngineHost;
  readonly log: SessionLog;
  readonly stamp: { readonly context: string; readonly server: string };
  readonly records: number;
}): ResumedSession {
  const { host, log, stamp, records } = given;
  const watch = createWatchFold(stamp);
  const feeds = createFeedFold();
  const pace = new HeldClock(host.clock);
  let lastAt = log.stats().startedAt;
  let isFolded = false;
  /** Until then gaps say what was not seen. */
  let toldUntil = lastAt;
  pace.hold();

  function wereWatched(): readonly SourceId[] {
    return watch
      .lastStatus()
      .filter(({ state }) => state === 'live' || state === 'syncing')
      .map(({ source }) => source);
  }

  return {
    watched: createWatched(watch),
    feeds,
    pace,
    clock: {
      now: () => (isFolded ? host.clock.now() : lastAt),
      monotonic: () => host.clock.monotonic(),
      setTimer: (delayMs, fire) => host.clock.setTimer(delayMs, fire),
    },
    notKept,
    async fold(derived, signal) {
      let lastRequest = 0;
      const retelling = createRetelling({ log, derived, watch, feeds });
      const heads = log.heads({ to: recordSeq(records) })[Symbol.iterator]();
      await inChunks(host.clock, signal, () => {
        if (derived.shadows.buildSome()) return true;
        const next = heads.next();
        if (next.done === true) return false;
        const head = next.value;
        lastAt = Math.max(lastAt, head.receivedAt);
        const facts = factsOf(log, head);
        retelling.before(head, facts);
        for (const fact of facts) derived.apply(new PlayedFact(log, head, fact));
        retelling.after(head);
        if (head.kind === 'request') {
          const id = asRecord(parseJson(log.payload(head.seq) ?? ''))?.id;
          if (typeof id === 'number') lastRequest = Math.max(lastRequest, id);
        }
        return true;
      });
      retelling.dispose();
      isFolded = true;
      return lastRequest;
    },
    absence(now) {
      const from = Math.min(lastAt, now);
      toldUntil = now;
      const text = `Loopscope itself was not running from ${clockText(from)} to ${clockText(now)}; what happened meanwhile was not seen`;
      const at = { from, to: now, text };
      return {
        because: 'Loopscope itself was not running when it would have shown',
        gaps: [
          ...wereWatched().map((source) => ({ ...at, source, isFeed: false })),
          ...feeds
            .rows()
            .filter(({ state, kind }) => state === 'live' && !isReadAgain(kind))
            .map(({ id }) => ({ ...at, source: sourceId(id), isFeed: true })),
        ],
      };
    },
    unreachable(now) {
      const text = `The cluster could not be reached from ${clockText(toldUntil)} to ${clockText(now)}; what happened meanwhile was not seen`;
      return wereWatched().map((source) => ({ from: toldUntil, to: now, text, source, isFeed: false }));
    },
    last: () => ({ connection: watch.connection(), at: lastAt }),
    rows: (gaps, now) =>
      watch
        .rows(gaps, now)
        .map((row) => (notWatchedNow.includes(row.state) ? { ...row, state: 'lost' } : row)),
    seedOf(index, resource, namespace) {
      const source = sourceOf(resource, namespace);
      const heads: ItemHead[] = [];
      for (const { fact } of index.ofKind(resource.group, resource.kind)) {
        if (fact.source !== source) continue;
        const key = fact.namespace === '' ? fact.name : `${fact.namespace}/${fact.name}`;
        heads.push({ key, uid: fact.uid, resourceVersion: fact.resourceVersion });
      }
      return heads.length === 0 ? undefined : heads;
    },
  };
}

/** A scrape is of its moment; a pod's log is read on from its last line, and says itself what is missing then. */
function isReadAgain(kind: FeedRow['kind']): boolean {
  return kind === 'metrics' || kind === 'podMetrics' || kind === 'podLog';
}

/** What these say is of the past. */
const notWatchedNow: readonly InformerRow['state'][] = ['live', 'recovered', 'syncing'];

/** `08:37:02.113Z` */
function clockText(ms: number): string {
  return new Date(ms).toISOString().slice(11);
}
