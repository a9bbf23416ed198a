/** Memory retained for N objects against the sum of their JSON: the cache of heads alone, and the whole engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.ts';
import type { MemoryResult, MemoryTask } from './memoryChild.ts';
import { verdict, verdictText } from './statistics.ts';

export interface MemoryOptions {
  readonly objects: number;
  readonly say: (line: string) => void;
}

/** One run each: what is retained after a collection does not depend on how busy the machine is. */
export async function benchMemory({ objects, say }: MemoryOptions): Promise<void> {
  say(`memory retained for ${objects} objects`);
  for (const way of ['heads', 'engine'] as const) {
    const sessions = mkdtempSync(join(tmpdir(), 'loopscope-bench-'));
    try {
      const task: MemoryTask = { way, objects, sessions };
      const { jsonBytes, retainedBytes } = await runChild<MemoryResult>('memoryChild.ts', task);
      const name = way === 'heads' ? 'cache of heads' : 'engine + session file';
      say(
        `  ${name.padEnd(22)} ${(retainedBytes / 2 ** 20).toFixed(1)} MB, ${(retainedBytes / objects).toFixed(0)} bytes an object of ` +
          `${(jsonBytes / objects).toFixed(0)}: ${verdictText(verdict([retainedBytes], [jsonBytes], 1))} of their JSON`,
      );
    } finally {
      rmSync(sessions, { recursive: true, force: true });
    }
  }
}
