/**
 * Order by pos: where records happened, against seq, the order in which they came. Some order is hard: a source keeps
 * its own, and watch events of one etcd follow its resourceVersion across kinds. The rest is by time, as far as the
 * intervals tell. Spec: docs/spec/session.md (SES42–SES46).
 */
import { compareResourceVersion, resourceVersion, type SourceId } from '../../shared/model/ids.ts';
import { Heap, type HeapItem } from '../queue/heap.ts';
import type { RecordHead } from './record.ts';

/**
 * Whether a watch source's versions come from the API server's own etcd. Those of an aggregated server are counted by
 * another store and order nothing outside their source.
 */
export type SharesEtcd = (source: SourceId) => boolean;

const allShare: SharesEtcd = () => true;
const lowestVersion = resourceVersion('0');

/**
 * Order that does not depend on any clock: negative when `a` happened before `b`, undefined when only time can tell.
 * Objects of a list carry the version of their last write, not of a moment in the stream: only their source orders them.
 */
export function compareHard(a: RecordHead, b: RecordHead, sharesEtcd = allShare): number | undefined {
  if (a.source === b.source) return a.seq - b.seq;
  if (!isWatchEvent(a) || !isWatchEvent(b)) return undefined;
  if (!sharesEtcd(a.source) || !sharesEtcd(b.source)) return undefined;
  if (a.resourceVersion === undefined || b.resourceVersion === undefined) return undefined;
  const order = compareResourceVersion(a.resourceVersion, b.resourceVersion);
  return order === 0 ? undefined : order;
}

/**
 * Which of two records happened first: hard order, then their intervals (earlier end, earlier start), then tie and seq.
 * Never 0 for different records. Of more than two, hard order and time can contradict each other in a circle: to order
 * many, use sortByPos().
 */
export function comparePos(a: RecordHead, b: RecordHead, sharesEtcd = allShare): number {
  return compareHard(a, b, sharesEtcd) ?? compareTime(a, b);
}

/** Whether the intervals alone leave open which was first. */
export function overlap(a: RecordHead, b: RecordHead): boolean {
  return a.at.lo <= b.at.hi && b.at.lo <= a.at.hi;
}

/**
 * All of them in the order in which they happened. Hard order is kept; a record that hard order puts before another
 * happened no later than that one, whatever its own receipt says. Where hard order itself is circular (an etcd that was
 * restored counts from an older version again) seq decides.
 */
export function sortByPos(heads: readonly RecordHead[], sharesEtcd = allShare): readonly RecordHead[] {
  // From the end: a record may be placed once all that hard order puts after it are; of those, the latest in time.
  const nodes = heads.map((head): Node => ({ head, after: 0, before: [], placed: false, index: -1 }));
  for (const chain of chains(nodes, sharesEtcd)) {
    for (let index = 1; index < chain.length; index++) {
      const [earlier, later] = [chain[index - 1], chain[index]];
      if (earlier === undefined || later === undefined) continue;
      later.before.push(earlier);
      earlier.after++;
    }
  }
  const ready = new Heap<Node>((a, b) => compareTime(a.head, b.head) > 0);
  for (const node of nodes) if (node.after === 0) ready.push(node);
  const bySeq = [...nodes].sort((a, b) => a.head.seq - b.head.seq);
  const order: RecordHead[] = [];
  while (order.length < nodes.length) {
    let node = ready.pop();
    if (node === undefined) {
      // A circle: the last to come gives way.
      while (bySeq.at(-1)?.placed === true) bySeq.pop();
      node = bySeq.pop();
    }
    if (node === undefined || node.placed) continue;
    node.placed = true;
    order.push(node.head);
    for (const earlier of node.before) {
      earlier.after--;
      if (earlier.after === 0) ready.push(earlier);
    }
  }
  return order.reverse();
}

interface Node extends HeapItem {
  readonly head: RecordHead;
  /** Records that hard order puts directly after this one and that are not placed yet. */
  after: number;
  readonly before: Node[];
  placed: boolean;
}

/** Records in hard order: one chain a source, and one of all watch events with comparable versions. */
function chains(nodes: readonly Node[], sharesEtcd: SharesEtcd): readonly (readonly Node[])[] {
  const bySource = new Map<string, Node[]>();
  const watched: Node[] = [];
  for (const node of nodes) {
    const chain = bySource.get(node.head.source);
    if (chain === undefined) bySource.set(node.head.source, [node]);
    else chain.push(node);
    if (isWatchEvent(node.head) && sharesEtcd(node.head.source) && hasOrder(node.head)) watched.push(node);
  }
  for (const chain of bySource.values()) chain.sort((a, b) => a.head.seq - b.head.seq);
  watched.sort((a, b) => compareVersions(a.head, b.head) || a.head.seq - b.head.seq);
  return [...bySource.values(), watched];
}

function compareVersions(a: RecordHead, b: RecordHead): number {
  if (a.resourceVersion === undefined || b.resourceVersion === undefined) return 0;
  return compareResourceVersion(a.resourceVersion, b.resourceVersion) ?? 0;
}

/** Whether its version can be compared with others at all. */
function hasOrder({ resourceVersion: version }: RecordHead): boolean {
  return version !== undefined && compareResourceVersion(version, lowestVersion) !== undefined;
}

function isWatchEvent(head: RecordHead): boolean {
  if (head.kind !== 'object' || head.initial || !head.source.startsWith('watch:')) return false;
  return head.op === 'added' || head.op === 'modified' || head.op === 'deleted';
}

function compareTime(a: RecordHead, b: RecordHead): number {
  return a.at.hi - b.at.hi || a.at.lo - b.at.lo || a.tie - b.tie || a.seq - b.seq;
}
