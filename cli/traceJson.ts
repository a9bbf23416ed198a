/**
 * `loopscope trace --json`: spans as a program reads them. Every field is always there; what is not known is null. Times
 * are RFC 3339 with milliseconds, by our clock. Shape and promises: docs/spec/cli.md
 */

import type { RecordHead } from '../core/session/record.ts';
import type { ObjectKey } from '../shared/model/ids.ts';
import { parseObjectKey } from '../shared/model/ids.ts';
import type { Span, TraceEvent, TraceWrite, Within } from '../shared/model/trace.ts';
import type { JsonSpan, JsonWrite } from '../shared/model/traceJson.ts';

/** The record a part of a span was read from. */
export type HeadOf = (seq: number) => RecordHead | undefined;

/** One JSON document with a newline at its end, oldest span first. */
export function traceJson(spans: readonly Span[], headOf: HeadOf): string {
  const document = { format: 1, spans: inOrder(spans).map((span) => jsonSpan(span, headOf)) };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Oldest first: by the earliest start, then by id. */
export function inOrder(spans: readonly Span[]): readonly Span[] {
  return [...spans].sort((a, b) => a.start.lo - b.start.lo || (a.id < b.id ? -1 : 1));
}

export function jsonSpan(span: Span, headOf: HeadOf): JsonSpan {
  return {
    id: span.id,
    controller: span.controller,
    key: span.key,
    start: isoTime(span.start.lo),
    end: span.end === undefined ? null : isoTime(span.end.hi),
    basis: span.basis.kind,
    result: span.result ?? 'unknown',
    reconcileId: span.reconcileId ?? null,
    error: span.error ?? null,
    triggers: span.triggerList.map(({ subject, type, text }) => ({ subject: subject ?? null, type, text })),
    writes: jsonWrites(span, headOf),
    next: {
      predicted: timeOrNull(span.next?.predicted),
      observed: timeOrNull(span.next?.observed),
    },
  };
}

/**
 * What the API server took, Events of the operator included. Refused requests and conflicts wrote nothing; an answer with the
 * version that was there before is a write all the same.
 */
function jsonWrites(span: Span, headOf: HeadOf): readonly JsonWrite[] {
  const taken = span.writeList.filter(({ outcome }) => outcome === 'stored' || outcome === 'noChange');
  const seen = new Set(taken.map(({ seq }) => seq));
  const events = span.eventList.filter(({ seq }) => !seen.has(seq));
  return [
    ...taken.map((write) => ({ at: middle(write.at), write: jsonWrite(write) })),
    ...events.map((event) => ({ at: middle(event.at), write: jsonEvent(event, headOf) })),
  ]
    .sort((a, b) => a.at - b.at)
    .map(({ write }) => write);
}

function jsonWrite(write: TraceWrite): JsonWrite {
  return {
    at: isoTime(middle(write.at)),
    subject: write.subject,
    // On the wire an apply is a patch.
    verb: write.verb === 'apply' ? 'patch' : write.verb,
    subresource: write.subresource,
    resourceVersion:
      write.resourceVersion ?? (write.outcome === 'noChange' ? write.before : undefined) ?? null,
    basis: write.basis.kind,
  };
}

/** An Event is created once, and patched each time it happens again. */
function jsonEvent(event: TraceEvent, headOf: HeadOf): JsonWrite {
  const head = headOf(event.seq);
  const named = head?.object === undefined ? undefined : subjectOf(head.object);
  return {
    at: isoTime(middle(event.at)),
    subject: named?.startsWith('Event/') === true ? named : eventSubject(event.object),
    verb: event.count > 1 ? 'patch' : 'create',
    subresource: '',
    resourceVersion: head?.resourceVersion ?? null,
    basis: event.basis.kind,
  };
}

function eventSubject(object: string): string {
  const { kind, namespace, name } = parseObjectKey(object as ObjectKey);
  return kind === 'Event' ? `Event/${namespace}/${name}` : `Event/${namespace === '' ? '-' : namespace}/?`;
}

/** `Kind/namespace/name`, `-` for the namespace of a cluster-scoped object. */
export function subjectOf(key: ObjectKey): string {
  const { kind, namespace, name } = parseObjectKey(key);
  return `${kind}/${namespace === '' ? '-' : namespace}/${name}`;
}

/** The best single moment of an interval, ms. */
function middle({ lo, hi }: Within): number {
  return (lo + hi) / 2;
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : isoTime(ms);
}
