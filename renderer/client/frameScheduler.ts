/** One flush per frame for all replicas: what arrived since the last one becomes visible together. */
export interface FrameScheduler {
  /** Runs `flush` once before the next paint; asking again before that changes nothing. */
  request(flush: () => void): void;
}

/** Frames of the browser; in a hidden window, where none come, a timer of 250 ms. */
export function browserFrames(): FrameScheduler {
  const waiting = new Set<() => void>();
  let asked = false;
  function run() {
    if (!asked) return;
    asked = false;
    const batch = [...waiting];
    waiting.clear();
    for (const flush of batch) flush();
  }
  return {
    request(flush) {
      waiting.add(flush);
      if (asked) return;
      asked = true;
      requestAnimationFrame(run);
      setTimeout(run, 250);
    },
  };
}
