/** Rows of the Informers view: what the WatchManager says of a source, plus counts of what came. Times ms. */
import type { GapRow, InformerRow } from '../../shared/contract/views/sources.ts';
import type { SourceStatus } from '../source/watch/watchTypes.ts';

const slots = 32;
/** The spark covers the newest 32 slots of a minute each. */
const slotMs = 60_000;
/** How long "recovered" and "relisted" stand before a source is simply live again. */
const afterGapMs = 120_000;

export interface SourceCounts {
  event(at: number): void;
  bytes(size: number): void;
  spark(now: number): number[];
  perMinute(now: number): number;
  readonly lastAt: number | undefined;
  readonly received: number;
}

export function createSourceCounts(): SourceCounts {
  const counts = new Map<number, number>();
  let lastAt: number | undefined;
  let received = 0;
  return {
    event(at) {
      const slot = Math.floor(at / slotMs);
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
      if (counts.size > slots * 2)
        for (const old of counts.keys()) if (old < slot - slots) counts.delete(old);
      lastAt = at;
    },
    bytes(size) {
      received += size;
    },
    spark(now) {
      const newest = Math.floor(now / slotMs);
      return Array.from({ length: slots }, (_, i) => counts.get(newest - slots + 1 + i) ?? 0);
    },
    perMinute(now) {
      // The running minute is not full yet: the one before counts for what is missing.
      const slot = Math.floor(now / slotMs);
      const part = (now - slot * slotMs) / slotMs;
      return Math.round((counts.get(slot) ?? 0) + (counts.get(slot - 1) ?? 0) * (1 - part));
    },
    get lastAt() {
      return lastAt;
    },
    get received() {
      return received;
    },
  };
}

/** Time that a source was blind, an open gap up to now included. */
export function gapMs(gaps: readonly GapRow[], source: string, now: number): number {
  let sum = 0;
  for (const gap of gaps) if (gap.source === source) sum += Math.max(0, (gap.to ?? now) - gap.from);
  return sum;
}

export function informerRow(
  status: SourceStatus,
  counts: SourceCounts,
  blindMs: number,
  lastGap: GapRow | undefined,
  now: number,
): InformerRow {
  const { resource } = status;
  return {
    id: status.source,
    group: resource.group,
    version: resource.version,
    resource: resource.resource,
    kind: resource.kind,
    ...(status.namespace === undefined ? {} : { namespace: status.namespace }),
    ...stateOf(status, lastGap, now),
    mode: status.mode === 'watchlist' ? 'WatchList' : 'List + watch',
    detail: status.detail,
    objects: status.objects,
    ...(status.version === '' ? {} : { lastResourceVersion: status.version }),
    ...(counts.lastAt === undefined ? {} : { lastEventAt: counts.lastAt }),
    perMinute: counts.perMinute(now),
    spark: counts.spark(now),
    reconnects: status.reconnects,
    relists: status.relists,
    gapMs: blindMs,
    bytes: counts.received,
    missing: [...status.missing],
    ...(status.error === undefined
      ? {}
      : { problem: { code: status.error.reason || `${status.error.code}`, message: status.error.message } }),
  };
}

/** A source that came back says for a while how: the watch resumed, or everything was listed again. */
function stateOf(
  status: SourceStatus,
  lastGap: GapRow | undefined,
  now: number,
): Pick<InformerRow, 'state' | 'stateSince'> {
  if (status.state === 'live' && lastGap?.to !== undefined && now - lastGap.to < afterGapMs)
    return { state: lastGap.found === undefined ? 'recovered' : 'relisted', stateSince: lastGap.to };
  return { state: status.state, stateSince: status.since };
}
