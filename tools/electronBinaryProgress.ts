/**
 * How far the download of Electron's binary is. On a terminal one line that is written over; elsewhere (a log file) a
 * plain line each tenth, or every ten seconds where the length is not known.
 */

export interface Terminal {
  readonly isTTY: boolean;
  write(text: string): void;
}

export interface Progress {
  /** `total`: undefined when the server does not say. Times are ms of a monotonic clock. */
  update(bytes: number, total: number | undefined, nowMs: number): void;
  /** Ends the line, so that what follows stands on its own. */
  end(): void;
}

/** A terminal is written to at most so often, ms. */
const redrawMs = 150;
const plainMs = 10_000;
/** The rate is that of the last seconds, not of the whole: what one wants to know is whether it still runs. */
const rateWindowMs = 3_000;

export function createProgress(terminal: Terminal, label: string): Progress {
  const samples: { readonly at: number; readonly bytes: number }[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawnTenth = -1;
  let width = 0;

  function rate(bytes: number, now: number): number | undefined {
    samples.push({ at: now, bytes });
    while (samples.length > 2 && now - (samples[1]?.at ?? now) > rateWindowMs) samples.shift();
    const first = samples[0];
    const ms = first === undefined ? 0 : now - first.at;
    return first === undefined || ms < 200 ? undefined : ((bytes - first.bytes) / ms) * 1000;
  }

  return {
    update(bytes, total, nowMs) {
      const speed = rate(bytes, nowMs);
      const done = total !== undefined && bytes >= total;
      if (terminal.isTTY) {
        if (nowMs - drawnAt < redrawMs && !done) return;
        drawnAt = nowMs;
        const text = progressText(label, bytes, total, speed);
        // Blanks over what a longer line left; no escape sequences.
        terminal.write(`\r${text.padEnd(width)}`);
        width = text.length;
        return;
      }
      const tenth = total === undefined ? 0 : Math.floor((bytes / total) * 10);
      if (total === undefined ? nowMs - drawnAt < plainMs : tenth === drawnTenth) return;
      drawnAt = nowMs;
      drawnTenth = tenth;
      terminal.write(`${progressText(label, bytes, total, speed)}\n`);
    },
    end() {
      if (terminal.isTTY && width > 0) terminal.write('\n');
      width = 0;
    },
  };
}

/** `fetching Electron 45.5.0:  37 %, 41.2 of 111.5 MB, 4.2 MB/s` */
export function progressText(
  label: string,
  bytes: number,
  total: number | undefined,
  bytesPerSecond: number | undefined,
): string {
  const mb = (count: number) => (count / 1e6).toFixed(1);
  const part =
    total === undefined
      ? `${mb(bytes)} MB`
      : `${String(Math.min(100, Math.floor((bytes / total) * 100))).padStart(3)} %, ${mb(bytes)} of ${mb(total)} MB`;
  return `${label}: ${part}${bytesPerSecond === undefined ? '' : `, ${mb(bytesPerSecond)} MB/s`}`;
}
