/** How many records lie where in a recording, for the strip under the window. */
import type { Clock } from '../../shared/base/clock.ts';
import { recordSeq } from '../../shared/model/ids.ts';
import type { SessionLog } from '../session/record.ts';
import { inChunks } from './throttle.ts';

/** Slices of a strip: enough for a wide screen, few enough to be told with each change of the moment. */
const densitySlices = 240;
/** Records that are read in one go: nothing of a log stays open between turns of the event loop. */
const blockRecords = 128;

/**
 * Records by receipt in `slices` equal parts of [from, to], ms; what came before `from` (the first lists) is not of this
 * stretch. Counts in short turns of the event loop. undefined: given up, because `signal` was aborted.
 */
export async function countDensity(
  log: SessionLog,
  { from, to }: { readonly from: number; readonly to: number },
  clock: Clock,
  signal: AbortSignal,
  slices = densitySlices,
): Promise<readonly number[] | undefined> {
  const counts = new Array<number>(slices).fill(0);
  const width = Math.max(1, to - from) / slices;
  const last = log.stats().records;
  let next = 1;
  const done = await inChunks(clock, signal, () => {
    if (next > last) return false;
    const end = Math.min(last, next + blockRecords - 1);
    for (const { receivedAt } of log.heads({ from: recordSeq(next), to: recordSeq(end) })) {
      if (receivedAt < from || receivedAt > to) continue;
      const slice = Math.min(slices - 1, Math.floor((receivedAt - from) / width));
      counts[slice] = (counts[slice] ?? 0) + 1;
    }
    next = end + 1;
    return true;
  });
  return done ? counts : undefined;
}
