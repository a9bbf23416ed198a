/** The newest moment a folder knows of: the default clock of its judgement. */
import { asRecord } from '../../../shared/base/json.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';

/** ms, from times given and from those the objects carry; undefined when there is none. */
export function newestTime(
  objects: readonly KubeObject[],
  times: readonly (number | undefined)[],
): number | undefined {
  let newest: number | undefined;
  function see(ms: number | undefined): void {
    if (ms !== undefined && !Number.isNaN(ms) && (newest === undefined || ms > newest)) newest = ms;
  }
  for (const ms of times) see(ms);
  for (const object of objects) for (const text of timesOf(object)) see(Date.parse(text));
  return newest;
}

/** Times that say when something happened; expiry dates and the like, which lie ahead, are none. */
function* timesOf(object: KubeObject): Generator<string> {
  const { metadata } = object;
  yield* texts([metadata.creationTimestamp]);
  yield* texts((metadata.managedFields ?? []).map((entry) => entry.time));
  if (object.kind === 'Event') yield* texts([object.lastTimestamp, object.eventTime]);
  const status = asRecord(object.status);
  if (Array.isArray(status?.conditions))
    yield* texts(status.conditions.map((condition) => asRecord(condition)?.lastTransitionTime));
  if (object.kind === 'Lease') yield* texts([asRecord(object.spec)?.renewTime]);
}

function* texts(values: readonly unknown[]): Generator<string> {
  for (const value of values) if (typeof value === 'string' && value !== '') yield value;
}
