/**
 * What a session puts on record of its own watching: what the server serves, how each source stands, contact, attached
 * feeds. Told when it changes, so that a played session can say what the live one said at that moment. Never a credential.
 * Spec: docs/spec/playback.md (PB1–PB8).
 */
import { asRecord, asText, parseJson } from '../../shared/base/json.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { FeedRow, GapRow } from '../../shared/contract/views/sources.ts';
import { sourceId } from '../../shared/model/ids.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { splitResourceName } from '../profile/resourceNames.ts';
import type { RecordHead } from '../session/record.ts';
import type { Contact, SourceStatus, WatchGap } from '../source/watch/watchTypes.ts';
import { gapRow } from './gapRows.ts';

/** Source of what Loopscope says itself. */
export const self = sourceId('self');

/** Payload of a record of kind `connection`. Times ms since the epoch, `ms` since the start of watching. */
export type ConnectionRecord =
  | {
      readonly what: 'opened';
      readonly context: string;
      readonly server: string;
      readonly version: string;
      readonly user: string;
      readonly namespaces: readonly string[];
      readonly since: number;
      readonly skewMs?: number;
    }
  | { readonly what: 'source'; readonly status: SourceStatus }
  | { readonly what: 'sourceGone'; readonly source: string }
  /** Where quiet sources have got to by bookmarks. */
  | { readonly what: 'versions'; readonly versions: Readonly<Record<string, string>> }
  | { readonly what: 'contact'; readonly contact: Contact }
  | { readonly what: 'synced'; readonly ms: number }
  | { readonly what: 'feed'; readonly feed: RecordedFeed }
  | { readonly what: 'feedGone'; readonly id: string }
  /** The user allowed what goes beyond the allow-list: the metrics of one pod and port, by the API server's proxy. */
  | { readonly what: 'consent'; readonly to: 'podMetrics'; readonly target: string };

export interface RecordedFeed {
  readonly id: string;
  readonly kind: FeedRow['kind'];
  readonly label: string;
  readonly state: FeedRow['state'];
  readonly detail: string;
  readonly problem?: Problem;
}

/** Payload of a record of kind `discovery`. `ms`: how long after the start it was known first. */
export interface DiscoveryRecord {
  readonly served: readonly ApiResource[];
  readonly undiscovered: readonly string[];
  readonly ms: number;
}

export function readConnectionRecord(payload: string): ConnectionRecord | undefined {
  const value = asRecord(parseJson(payload));
  return typeof value?.what === 'string' ? (value as unknown as ConnectionRecord) : undefined;
}

export function readDiscoveryRecord(payload: string): DiscoveryRecord | undefined {
  const value = asRecord(parseJson(payload));
  return Array.isArray(value?.served) && Array.isArray(value.undiscovered)
    ? (value as unknown as DiscoveryRecord)
    : undefined;
}

/** Whether two states of a source differ in what is told of them. Counts and versions follow from the records between. */
export function tellsAnew(before: SourceStatus | undefined, now: SourceStatus): boolean {
  return (
    before === undefined ||
    before.state !== now.state ||
    before.since !== now.since ||
    before.detail !== now.detail ||
    before.mode !== now.mode ||
    before.reconnects !== now.reconnects ||
    before.relists !== now.relists ||
    before.missing.length !== now.missing.length ||
    before.error?.code !== now.error?.code ||
    before.error?.message !== now.error?.message
  );
}

/**
 * What of a feed's label is put on record: the file, or the address without user, password and query, or the name of the
 * command without its arguments.
 */
export function recordedLabel(kind: FeedRow['kind'], label: string): string {
  switch (kind) {
    case 'metrics':
      return withoutSecrets(label);
    case 'child':
      return label.trim().split(/\s+/, 1)[0] ?? '';
    case 'log':
    case 'audit':
    case 'stdin':
    case 'podLog':
    case 'podMetrics':
      return label;
  }
}

/** Each address in a text without its user, password and query. */
export function withoutSecrets(text: string): string {
  return text.replace(/([a-z]+:\/\/)(?:[^/@\s]*@)?([^\s?#]*)[^\s]*/gi, '$1$2');
}

const plainGaps = ['log-rotated', 'not-running', 'not-recorded', 'connection-lost'] as const;

/** Payload of a gap that is told once: of a feed, or of the time Loopscope itself, or the cluster after that, was not there. */
export interface PlainGap {
  readonly why: (typeof plainGaps)[number];
  readonly text: string;
  /** The file begins anew: lines before are no longer in it. */
  readonly restart?: boolean;
}

/** The row of a gap record; `openedBy`: the record that told of its beginning. Undefined: not readable. */
export function gapOfRecord(
  head: RecordHead,
  payload: string,
  openedBy: (id: string) => number | undefined,
): GapRow | undefined {
  const value = asRecord(parseJson(payload));
  if (value === undefined) return undefined;
  const why = plainGaps.find((one) => one === value.why);
  if (why !== undefined) return plainGapRow(head, { why, text: asText(value.text) });
  if (typeof value.id !== 'string' || typeof value.resource !== 'string') return undefined;
  const gap = { ...value, resource: splitResourceName(value.resource) } as unknown as WatchGap;
  return gapRow(gap, openedBy(gap.id) ?? head.seq);
}

export function plainGapRow(head: RecordHead, { why, text }: PlainGap): GapRow {
  const { seq, source, at } = head;
  return { id: `${source}@${seq}`, seq, source, from: at.lo, to: at.hi, why, text };
}
