/** What this process takes, memory and processor: for the children of the benches, each a process of its own. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface MemoryGrowth {
  readonly baselineRssBytes: number;
  /** Largest resident set since, bytes. */
  peakRssBytes(): number;
}

/**
 * Collects garbage where `--expose-gc` allows, then starts to watch. On Linux the kernel's high-water mark is set back
 * first: what start-up took for a moment (reading and stripping modules) would hide growth. Elsewhere that mark stays
 * in and growth may come out too small.
 */
export function watchMemory(): MemoryGrowth {
  globalThis.gc?.();
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // No such file but on Linux, or not ours to write.
  }
  return { baselineRssBytes: highWaterMark(), peakRssBytes: highWaterMark };
}

function highWaterMark(): number {
  try {
    const kibibytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kibibytes !== undefined) return Number(kibibytes) * 1024;
  } catch {
    // Not on Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}

/** Bytes that stay after a collection: heap, and buffers outside of it. Needs `--expose-gc`. */
export function retainedBytes(): number {
  if (globalThis.gc === undefined) throw new Error('retained memory needs --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Processor time of this process so far, ms: what it took, however busy the machine was. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
