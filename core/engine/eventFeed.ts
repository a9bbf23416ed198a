/**
 * EventFeed: what the Events view shows, newest last: every change of an object, Kubernetes Events with their words,
 * and gaps. A ring of rows; older ones are in the session log. Rows are made when the record comes, because the diff
 * needs the version before.
 */
import type { Disposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import type { EventRow, Writer } from '../../shared/contract/views/objects.ts';
import type { GapRow } from '../../shared/contract/views/sources.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import { compareVersions } from '../objects/diff.ts';
import type { ObjectFact } from '../session/facts.ts';
import { compileEventFilter } from './eventFilter.ts';

export interface EventFeed {
  /** `older` is the version before, absent for the first one seen. */
  change(fact: ObjectFact, object: KubeObject | undefined, older: KubeObject | undefined): void;
  gap(gap: GapRow): void;
  /** Rows that match, newest `limit` ones, oldest first. */
  recent(filter: FeedFilter): readonly EventRow[];
  onRow(listener: (row: EventRow, initial: boolean) => void): Disposable;
}

export interface FeedFilter {
  readonly text: string;
  readonly initial: boolean;
  readonly limit: number;
}

const ringSize = 20_000;

export function createEventFeed(): EventFeed {
  const ring: { row: EventRow; initial: boolean }[] = [];
  const rows = new Emitter<{ row: EventRow; initial: boolean }>();

  function push(row: EventRow, initial: boolean): void {
    ring.push({ row, initial });
    // Cut in chunks: a shift per row would move the whole array each time.
    if (ring.length > ringSize * 1.25) ring.splice(0, ring.length - ringSize);
    rows.emit({ row, initial });
  }

  return {
    change(fact, object, older) {
      push(fact.kind === 'Event' ? eventRow(fact, object) : changeRow(fact, object, older), fact.initial);
    },
    gap(gap) {
      push(
        { seq: gap.seq, at: gap.from, type: 'gap', summary: gap.text, warning: true, metadataOnly: false },
        false,
      );
    },
    recent(filter) {
      const matches = compileEventFilter(filter.text);
      const found: EventRow[] = [];
      for (let i = ring.length - 1; i >= 0 && found.length < filter.limit; i--) {
        const item = ring[i];
        if (item === undefined || (item.initial && !filter.initial)) continue;
        if (matches(item.row)) found.push(item.row);
      }
      return found.reverse();
    },
    onRow: (listener) => rows.on(({ row, initial }) => listener(row, initial)),
  };
}

function changeRow(
  fact: ObjectFact,
  object: KubeObject | undefined,
  older: KubeObject | undefined,
): EventRow {
  // A relist tells that something changed, not which steps; a first sight has nothing to compare with.
  const gone = fact.op === 'deleted' || fact.op === 'vanished';
  const step = object === undefined || fact.initial ? undefined : compareVersions(older, object, fact.op);
  const writer = step?.writers[0];
  const compared = older !== undefined && !gone;
  return {
    ...rowHead(fact, 'object'),
    ...(writer === undefined ? {} : { writer }),
    summary: compared && step !== undefined && step.changes > 0 ? step.summary : firstWords(fact),
    warning: false,
  };
}

function firstWords(fact: ObjectFact): string {
  switch (fact.op) {
    case 'listed':
      return 'first seen in a list';
    case 'added':
      return 'created';
    case 'deleted':
      return 'deleted';
    case 'vanished':
      return 'gone when listed again; final state unknown';
    case 'relisted':
      return 'found by a list after a gap';
    case 'modified':
      return 'no field changed';
  }
}

/** A Kubernetes Event reads as its reason and message, about the object it regards. */
function eventRow(fact: ObjectFact, object: KubeObject | undefined): EventRow {
  const reason = text(object?.reason);
  const message = text(object?.message) || text(object?.note);
  const regarding = (object?.regarding ?? object?.involvedObject) as Record<string, unknown> | undefined;
  const about =
    regarding === undefined
      ? ''
      : `${text(regarding.kind)} ${text(regarding.namespace)}/${text(regarding.name)}: `;
  const reporter = text(object?.reportingController) || text(object?.reportingComponent);
  const writer: Writer | undefined = reporter === '' ? undefined : { manager: reporter, operation: 'Update' };
  return {
    ...rowHead(fact, 'event'),
    ...(writer === undefined ? {} : { writer }),
    summary: `${about}${reason}${reason !== '' && message !== '' ? ' · ' : ''}${message}`,
    warning: object?.type === 'Warning',
  };
}

function rowHead(fact: ObjectFact, type: 'object' | 'event') {
  return {
    seq: fact.seq as number,
    at: fact.receivedAt,
    type,
    op: fact.op,
    object: {
      key: fact.key as string,
      group: fact.group,
      kind: fact.kind,
      namespace: fact.namespace,
      name: fact.name,
    },
    resourceVersion: fact.resourceVersion as string,
    ...(fact.meta.generation === undefined ? {} : { generation: fact.meta.generation }),
    metadataOnly: fact.metadataOnly,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
