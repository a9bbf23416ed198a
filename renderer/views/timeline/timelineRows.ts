/** The lines of the Timeline: versions of the object and, between them, the status writes that were refused. Pure. */
import type { ObjectVersion } from '../../../shared/contract/views/objects.ts';
import type { StatusWrite } from '../../../shared/contract/views/structure.ts';

/** Refused writes with no version between them, oldest first; at least one. */
export interface RefusedStretch {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly writes: readonly StatusWrite[];
  /** Older ones of the stretch are no longer listed: the count is the least it can be. */
  readonly more: boolean;
}

export type TimelineRow =
  | {
      readonly kind: 'version';
      readonly id: number;
      readonly version: ObjectVersion;
      /** The generation before this version, when this version raised it. */
      readonly raisedFrom: number | undefined;
    }
  | { readonly kind: 'refused'; readonly id: string; readonly stretch: RefusedStretch };

/**
 * Newest first. `versions` in the order they were received; `writes` oldest first, of which `total` were known. A write
 * of the very moment of a version comes after it.
 */
export function timelineRows(
  versions: readonly ObjectVersion[],
  writes: readonly StatusWrite[],
  total: number,
): readonly TimelineRow[] {
  const refused = writes.filter((write) => write.refused);
  const cutOff = total > writes.length && writes[0]?.refused === true;
  const rows: TimelineRow[] = [];
  let next = 0;
  function refusedUntil(at: number) {
    const from = next;
    while (next < refused.length && (refused[next] as StatusWrite).at < at) next += 1;
    const stretch = refused.slice(from, next);
    const [first] = stretch;
    const last = stretch.at(-1);
    if (first === undefined || last === undefined) return;
    // By its beginning: it stays the same line while it grows.
    const id = `refused ${first.at}`;
    rows.push({
      kind: 'refused',
      id,
      stretch: { id, from: first.at, to: last.at, writes: stretch, more: cutOff && from === 0 },
    });
  }
  for (const [index, version] of versions.entries()) {
    refusedUntil(version.at.hi);
    const before = versions[index - 1]?.generation;
    const raised = before !== undefined && version.generation !== undefined && version.generation > before;
    rows.push({ kind: 'version', id: version.seq, version, raisedFrom: raised ? before : undefined });
  }
  refusedUntil(Number.POSITIVE_INFINITY);
  return rows.reverse();
}
