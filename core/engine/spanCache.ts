/**
 * What the operator's cache held of the objects that a run was about when it began, by the model: the newest version that
 * was delivered before, as its informer and ours hear of the same events. Spec: docs/spec/revisions.md, "What is worked out"
 */
import { type ObjectKey, parseObjectKey, recordSeq } from '../../shared/model/ids.ts';
import type { CacheEntry, Span } from '../../shared/model/trace.ts';
import type { RecordHead, SessionLog } from '../session/record.ts';
import { subjectOf } from '../trace/evidenceScope.ts';

/** Of so many objects at most. */
const entriesShown = 20;

/** The key's object first, then what the run read and wrote, in that order. */
export function cacheAtStart(span: Span, log: Pick<SessionLog, 'head' | 'historyOf'>): readonly CacheEntry[] {
  const objects = new Set<string>([span.object]);
  for (const { object } of [...span.readList, ...span.writeList])
    if (object !== undefined && parseObjectKey(object as ObjectKey).kind !== 'Event') objects.add(object);
  return [...objects]
    .slice(0, entriesShown)
    .flatMap((object) => entryOf(object as ObjectKey, span, log) ?? []);
}

function entryOf(
  object: ObjectKey,
  { start }: Span,
  log: Pick<SessionLog, 'head' | 'historyOf'>,
): CacheEntry | undefined {
  const head = lastDelivered(object, start.hi, log);
  if (head?.resourceVersion === undefined || head.op === 'deleted' || head.op === 'vanished')
    return undefined;
  const at = (start.lo + start.hi) / 2;
  return {
    object,
    subject: subjectOf(parseObjectKey(object)),
    seq: head.seq,
    resourceVersion: head.resourceVersion,
    ageMs: Math.max(0, at - head.receivedAt),
    basis: { kind: 'inferred', by: 'cache', because: [head.seq] },
  };
}

/** Its last record received up to `until`; they are in the order of arrival. */
function lastDelivered(
  object: ObjectKey,
  until: number,
  log: Pick<SessionLog, 'head' | 'historyOf'>,
): RecordHead | undefined {
  const history = log.historyOf(object);
  let low = 0;
  let high = history.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const head = log.head(recordSeq(history[middle] ?? 0));
    if (head !== undefined && head.receivedAt <= until) low = middle + 1;
    else high = middle;
  }
  const seq = history[low - 1];
  return seq === undefined ? undefined : log.head(seq);
}
