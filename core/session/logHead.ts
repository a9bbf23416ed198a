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
  const { object, uid, resourceVersion, op } = input;
  // Nearly every record in a burst is a change of an object: made in one piece, which takes a fraction of the time.
  if (object !== undefined && uid !== undefined && resourceVersion !== undefined && op !== undefined) {
    return {
      seq: recordSeq(seq),
      kind: input.kind,
      source: input.source,
      at: input.at,
      tie: place.tie,
      receivedAt: input.receivedAt,
      object,
      uid,
      resourceVersion,
      op,
      metadataOnly: input.metadataOnly ?? false,
      initial: input.initial ?? false,
      late: place.late,
    };
  }
  return {
    seq: recordSeq(seq),
    kind: input.kind,
    source: input.source,
    at: input.at,
    tie: place.tie,
    receivedAt: input.receivedAt,
    ...(object === undefined ? {} : { object }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(op === undefined ? {} : { op }),
    metadataOnly: input.metadataOnly ?? false,
    initial: input.initial ?? false,
    late: place.late,
  };
}
