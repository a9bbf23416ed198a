import type { SourceId } from '../../../shared/model/ids.ts';

/**
 * Whether records of this source are lines of a pod's log: their `at` is exact, by the clock of the pod's node, whatever
 * the line itself says, and whether they were followed or stood there. Sources of feeds are `kind:number`.
 */
export function isPodLine(source: SourceId): boolean {
  return source.startsWith('podLog:');
}
