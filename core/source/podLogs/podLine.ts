import type { SourceId } from '../../../shared/model/ids.ts';
import type { LogFact } from '../../session/facts.ts';
import type { TimeInterval } from '../../session/record.ts';

/**
 * Whether records of this source are lines of a pod's log: their `at` is exact, by the clock of the pod's node, whatever
 * the line itself says, and whether they were followed or stood there. Sources of feeds are `kind:number`.
 */
export function isPodLine(source: SourceId): boolean {
  return source.startsWith('podLog:');
}

/**
 * When a followed line was written by its source's clock, to be compared with our receipt of it. Undefined: it says no time,
 * or it stood there before we looked, so that its receipt says nothing.
 */
export function followedStamp({ source, at, receivedAt, entry, initial }: LogFact): TimeInterval | undefined {
  if (isPodLine(source)) return initial === true ? undefined : at;
  return at.lo >= receivedAt - 1 ? entry.at : undefined;
}
