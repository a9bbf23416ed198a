/** From what a source says to the head the log keeps. Shared by every SessionLog. */
import { recordSeq } from '../../shared/model/ids.ts';
import type { RecordHead, RecordInput } from './record.ts';

/**
 * The head of a record that becomes number `seq`; `place` comes from the watermark. Absent fields stay absent, so that
 * heads of different logs compare by value.
 */
export function makeHead(
  input: RecordInput,
  seq: number,
  place: { readonly tie: number; readonly late: boolean },
): RecordHead {
  return {
    seq: recordSeq(seq),
    kind: input.kind,
    source: input.source,
    at: input.at,
    tie: place.tie,
    receivedAt: input.receivedAt,
    ...(input.object === undefined ? {} : { object: input.object }),
    ...(input.uid === undefined ? {} : { uid: input.uid }),
    ...(input.resourceVersion === undefined ? {} : { resourceVersion: input.resourceVersion }),
    ...(input.op === undefined ? {} : { op: input.op }),
    metadataOnly: input.metadataOnly ?? false,
    initial: input.initial ?? false,
    late: place.late,
  };
}
