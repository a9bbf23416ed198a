/**
 * RecordingPause: notices that a recording stands still (a full disk) and that it goes on, and says of the time between
 * what of it is on record. The log itself keeps what came meanwhile as long as it can (docs/spec/session.md, SES38–SES39).
 */
import type { Clock } from '../../shared/base/clock.ts';
import type { SessionLog } from '../session/record.ts';

export interface RecordingPause {
  /** To be asked now and then: looks at the log's stats. */
  check(): void;
}

export interface RecordingPauseOptions {
  readonly clock: Clock;
  readonly log: SessionLog;
  /** The first pause of a session, as a sentence for people. */
  readonly say: (sentence: string) => void;
  /** A pause ended: from when to when (ms), and what became of what came meanwhile. */
  readonly onResumed: (from: number, to: number, text: string) => void;
  /** A pause lasts so long that what waits is given up: from its begin to now (ms). Told once a pause. */
  readonly onLosing: (from: number, to: number, text: string) => void;
}

export function createRecordingPause(options: RecordingPauseOptions): RecordingPause {
  const { clock, log } = options;
  let told = false;
  let pause:
    | { readonly since: number; readonly records: number; readonly lost: number; isLosing: boolean }
    | undefined;
  return {
    check() {
      const { paused, records, lost = 0 } = log.stats();
      if (paused !== undefined) {
        if (!told) options.say(paused);
        told = true;
        pause ??= { since: clock.now(), records, lost, isLosing: false };
        if (lost === pause.lost || pause.isLosing) return;
        pause.isLosing = true;
        options.onLosing(pause.since, clock.now(), losing);
        return;
      }
      if (pause === undefined) return;
      const { since, records: before, lost: lostBefore } = pause;
      pause = undefined;
      const now = clock.now();
      options.onResumed(since, now, sentence(now - since, records - before, lost - lostBefore));
    },
  };
}

const losing =
  'Nothing could be written for so long that not all of it can wait: of the oldest records the text is given up, and only what they were about and when is kept. This goes on until something can be written.';

function sentence(ms: number, came: number, lost: number): string {
  const seconds = (ms / 1000).toFixed(1);
  const kept =
    lost === 0
      ? 'all of them were written afterwards'
      : `the text of ${lost} could not be kept, only what they were about and when`;
  return `Recording was paused for ${seconds} s: the session file could not be written. ${came} records came meanwhile; ${kept}.`;
}
