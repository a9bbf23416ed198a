/**
 * EventFeed: what the Events view shows, newest last: every change of an object, Kubernetes Events with their words,
 * and gaps. A ring of rows; older ones are in the session log. What a change did is worked out when somebody looks: a diff
 * costs several times what recording the change does, and in a burst most rows leave the ring unseen.
 */

import { assert } from '../../shared/base/assert.ts';
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { asText } from '../../shared/base/json.ts';
import type { EventRow, ObjectRefView, Writer } from '../../shared/contract/views/objects.ts';
import type { GapRow } from '../../shared/contract/views/sources.ts';
import { type ObjectKey, type ObjectKeyParts, objectKey, parseObjectKey } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import { compareVersions } from '../objects/diff.ts';
import type { ObjectFact } from '../session/facts.ts';
import type { ObjectOp } from '../session/record.ts';
import { compileEventFilter } from './eventFilter.ts';

export interface EventFeed {
  /**
   * `object` is read of Kubernetes Events alone. `older` is the record of the version before, absent where there is nothing
   * to compare with.
   */
  change(fact: ObjectFact, object: KubeObject | undefined, older: number | undefined): void;
  gap(gap: GapRow): void;
  /** Rows that match, newest `limit` ones, oldest first. */
  recent(filter: FeedFilter): readonly EventRow[];
  onRow(listener: (row: EventRow, initial: boolean) => void): Disposable;
  /** Listeners are not told while many rows come at once: they read recent() afterwards. */
  mute(muted: boolean): void;
}

export interface FeedFilter {
  readonly text: string;
  readonly initial: boolean;
  readonly limit: number;
}

const ringSize = 20_000;
/** Rows a filter by words may work out at once; older ones are told from what is known without a diff. */
const comparedAtOnce = 2_000;

interface RingItem {
  /** Made when somebody looks; until then a change is its few words. */
  row: EventRow | undefined;
  readonly change: Change | undefined;
  readonly initial: boolean;
  /** What the row still has to be told of: the versions to compare. */
  isPending: boolean;
}

/** What a row of an object says, less than half as large: in a burst thousands wait in the ring, and few are seen. */
interface Change {
  readonly seq: number;
  readonly at: number;
  readonly op: ObjectOp;
  readonly key: ObjectKey;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  readonly metadataOnly: boolean;
  /** The record of the version before. */
  readonly older: number | undefined;
}

/** `read` gives the object of a record, undefined when the log does not have it. */
export function createEventFeed(read: (seq: number) => KubeObject | undefined): EventFeed {
  const ring: RingItem[] = [];
  const rows = new Emitter<RingItem>();
  let listeners = 0;
  let muted = false;

  function push(item: RingItem): void {
    ring.push(item);
    // Cut in chunks: a shift per row would move the whole array each time.
    if (ring.length > ringSize * 1.25) ring.splice(0, ring.length - ringSize);
    if (listeners === 0 || muted) return;
    settle(item);
    rows.emit(item);
  }

  function settle(item: RingItem): EventRow {
    const { change } = item;
    const row = rowOf(item);
    if (!item.isPending || change === undefined) return row;
    item.isPending = false;
    const object = read(change.seq);
    if (object === undefined) return row;
    const older = change.older === undefined ? undefined : read(change.older);
    item.row = comparedRow(row, object, older, change.op);
    return item.row;
  }

  return {
    change(fact, object, older) {
      if (fact.kind === 'Event') {
        push({ row: eventRow(fact, object), change: undefined, initial: fact.initial, isPending: false });
        return;
      }
      const { seq, receivedAt: at, op, key, resourceVersion, metadataOnly } = fact;
      const { generation } = fact.meta;
      push({
        row: undefined,
        change: { seq, at, op, key, resourceVersion, generation, metadataOnly, older },
        initial: fact.initial,
        // A relist tells that something changed, not which steps; a first sight has nothing to compare with.
        isPending: !fact.initial,
      });
    },
    gap(gap) {
      push({
        row: {
          seq: gap.seq,
          at: gap.from,
          type: 'gap',
          summary: gap.text,
          warning: true,
          metadataOnly: false,
        },
        change: undefined,
        initial: false,
        isPending: false,
      });
    },
    recent(filter) {
      const matches = compileEventFilter(filter.text);
      const found: EventRow[] = [];
      let compared = 0;
      for (let i = ring.length - 1; i >= 0 && found.length < filter.limit; i--) {
        const item = ring[i];
        if (item === undefined || (item.initial && !filter.initial)) continue;
        const row = item.isPending && compared++ < comparedAtOnce ? settle(item) : rowOf(item);
        if (matches(row)) found.push(row);
      }
      return found.reverse();
    },
    mute(on) {
      muted = on;
    },
    onRow(listener) {
      listeners++;
      const listening = rows.on((item) => listener(rowOf(item), item.initial));
      return toDisposable(() => {
        listeners--;
        listening.dispose();
      });
    },
  };
}

function rowOf({ row, change }: RingItem): EventRow {
  if (row !== undefined) return row;
  assert(change !== undefined, 'an item to have a row or what it is made of');
  const head = rowHead(change, 'object', parseObjectKey(change.key));
  return { ...head, summary: uncompared(change.op), warning: false };
}

function comparedRow(
  row: EventRow,
  object: KubeObject,
  older: KubeObject | undefined,
  op: ObjectOp,
): EventRow {
  const gone = op === 'deleted' || op === 'vanished';
  const step = compareVersions(older, object, op);
  const writer = step.writers[0];
  const compared = older !== undefined && !gone && step.changes > 0;
  return {
    ...row,
    ...(writer === undefined ? {} : { writer }),
    summary: compared ? step.summary : older === undefined ? uncompared(op) : firstWords(op),
  };
}

/** Nothing is said of fields before they were compared. */
function uncompared(op: ObjectOp): string {
  return op === 'modified' ? 'changed' : firstWords(op);
}

function firstWords(op: ObjectOp): string {
  switch (op) {
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

/** A Kubernetes Event reads as its reason and message; what it regards is told apart. */
function eventRow(fact: ObjectFact, object: KubeObject | undefined): EventRow {
  const reason = asText(object?.reason);
  const message = asText(object?.message) || asText(object?.note);
  const about = aboutOf(object);
  const reporter = asText(object?.reportingController) || asText(object?.reportingComponent);
  const writer: Writer | undefined = reporter === '' ? undefined : { manager: reporter, operation: 'Update' };
  return {
    ...rowHead({ ...fact, at: fact.receivedAt, generation: fact.meta.generation }, 'event', fact),
    ...(writer === undefined ? {} : { writer }),
    ...(about === undefined ? {} : { about }),
    summary: `${reason}${reason !== '' && message !== '' ? ' · ' : ''}${message}`,
    warning: object?.type === 'Warning',
  };
}

/** events.k8s.io says `regarding`, core/v1 `involvedObject`; undefined where neither names an object. */
function aboutOf(object: KubeObject | undefined): ObjectRefView | undefined {
  const ref = (object?.regarding ?? object?.involvedObject) as Record<string, unknown> | undefined;
  const kind = asText(ref?.kind);
  const name = asText(ref?.name);
  if (kind === '' || name === '') return undefined;
  const version = asText(ref?.apiVersion);
  const parts = {
    group: version.includes('/') ? version.slice(0, version.indexOf('/')) : '',
    kind,
    namespace: asText(ref?.namespace),
    name,
  };
  return { key: objectKey(parts), ...parts };
}

function rowHead(change: Omit<Change, 'older'>, type: 'object' | 'event', parts: ObjectKeyParts) {
  const { group, kind, namespace, name } = parts;
  const { seq, at, op, key, resourceVersion, generation, metadataOnly } = change;
  return {
    seq,
    at,
    type,
    op,
    object: { key: key as string, group, kind, namespace, name },
    resourceVersion,
    ...(generation === undefined ? {} : { generation }),
    metadataOnly,
  };
}
