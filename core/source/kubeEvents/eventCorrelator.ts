/**
 * EventCorrelator: what client-go's recorder makes of the core/v1 Events a controller reports, before they reach the API
 * server: similar ones are combined, equal ones counted, floods dropped. It explains why an Event that a log or a source
 * file promises is not there, or carries a count. Time is an argument (ns since the epoch).
 * Mirrors client-go tools/record/events_cache.go. Spec: docs/spec/events.md
 */
import { TokenBucket } from '../../queue/tokenBucket.ts';

/** An Event as a recorder builds it: count 1, both timestamps now. */
export interface RecordedEvent {
  readonly name: string;
  readonly sourceComponent: string;
  readonly sourceHost: string;
  readonly involved: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly fieldPath: string;
  };
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
}

/** skip: nothing is sent. create: a new Event. patch: count, last time and message of the Event of that name. */
export type Correlation =
  | { readonly kind: 'skip' }
  | {
      readonly kind: 'create' | 'patch';
      readonly event: RecordedEvent;
      readonly count: number;
      readonly firstNs: bigint;
      readonly lastNs: bigint;
    };

export interface EventCorrelator {
  correlate(event: RecordedEvent, nowNs: bigint): Correlation;
  /** To be called with what was written, once the API server took it. Source: UpdateState. */
  written(correlation: Correlation): void;
}

const cacheSize = 4096;
const aggregateAt = 10;
const aggregateIntervalNs = 600n * 1_000_000_000n;
const spamBurst = 25;
/** float32 in Go: the last bits decide when a token is back. */
const spamQps = Math.fround(1 / 300);

interface Aggregate {
  readonly messages: Set<string>;
  readonly lastNs: bigint;
}

interface Observation {
  readonly count: number;
  readonly firstNs: bigint;
  readonly name: string;
}

export function createEventCorrelator(): EventCorrelator {
  const aggregates = new LruCache<Aggregate>();
  const observations = new LruCache<Observation>();
  const buckets = new LruCache<TokenBucket>();

  /** The event that counts, and under which key: from the tenth different message on, one for all similar ones. */
  function aggregate(
    event: RecordedEvent,
    nowNs: bigint,
  ): { readonly event: RecordedEvent; readonly key: string } {
    const key = aggregateKey(event);
    const known = aggregates.get(key);
    const expired = known === undefined || nowNs - known.lastNs > aggregateIntervalNs;
    const messages = expired ? new Set<string>() : known.messages;
    messages.add(event.message);
    aggregates.set(key, { messages, lastNs: nowNs });
    if (messages.size < aggregateAt) return { event, key: eventKey(event) };

    // Go takes any one of the set; the oldest is one.
    const [oldest] = messages;
    if (oldest !== undefined) messages.delete(oldest);
    const combined = {
      ...event,
      name: `${event.involved.name}.${nowNs.toString(16)}`,
      message: `(combined from similar events): ${event.message}`,
      reportingController: '',
      reportingInstance: '',
    };
    return { event: combined, key };
  }

  function isSpam(event: RecordedEvent, nowNs: bigint): boolean {
    const key = spamKey(event);
    const bucket = buckets.get(key) ?? new TokenBucket(spamQps, spamBurst);
    buckets.set(key, bucket);
    return !bucket.allow(nowNs);
  }

  return {
    correlate(reported, nowNs) {
      const { event, key } = aggregate(reported, nowNs);
      const before = observations.get(key);
      const repeated = before !== undefined && before.count > 0;
      const name = repeated ? before.name : event.name;
      const firstNs = repeated ? before.firstNs : nowNs;
      const count = repeated ? before.count + 1 : 1;
      observations.set(key, { count, firstNs, name });
      // Dropped only now: the aggregate and the count have seen it.
      if (isSpam(event, nowNs)) return { kind: 'skip' };
      return {
        kind: repeated ? 'patch' : 'create',
        event: { ...event, name },
        count,
        firstNs,
        lastNs: nowNs,
      };
    },
    written(correlation) {
      if (correlation.kind === 'skip') return;
      const { event, count, firstNs } = correlation;
      observations.set(eventKey(event), { count, firstNs, name: event.name });
    },
  };
}

function eventKey(event: RecordedEvent): string {
  const { kind, namespace, name, fieldPath, uid, apiVersion } = event.involved;
  const source = [event.sourceComponent, event.sourceHost];
  return [
    ...source,
    kind,
    namespace,
    name,
    fieldPath,
    uid,
    apiVersion,
    event.type,
    event.reason,
    event.message,
  ].join('');
}

function spamKey(event: RecordedEvent): string {
  const { kind, namespace, name, uid, apiVersion } = event.involved;
  return [event.sourceComponent, event.sourceHost, kind, namespace, name, uid, apiVersion, event.type].join(
    '',
  );
}

function aggregateKey(event: RecordedEvent): string {
  return [spamKey(event), event.reason, event.reportingController, event.reportingInstance].join('');
}

/** Drops the entry used least recently beyond `cacheSize`; a look-up is a use. */
class LruCache<V> {
  private readonly entries = new Map<string, V>();

  get(key: string): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, value);
    }
    return value;
  }

  set(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= cacheSize) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
