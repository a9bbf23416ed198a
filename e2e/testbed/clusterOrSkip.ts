import { test } from 'vitest';
import { type BinaryName, ensureBinary } from './build.ts';
import { type OwnedCluster, startCluster } from './cluster.ts';

/**
 * For the top of a `describe`: a started cluster with the programs a test needs beside it built, or undefined after
 * registering one skipped test that carries the reason, which is printed as well. Where the environment says CI, a
 * missing cluster is a failure.
 */
export async function clusterOrSkip(...programs: readonly BinaryName[]): Promise<OwnedCluster | undefined> {
  const log = (line: string) => console.log(line);
  for (const name of programs) {
    const built = await ensureBinary(name, log);
    if (!built.ok) return skip(built.error.reason);
  }
  const started = await startCluster({ log });
  return started.ok ? started.value : skip(started.error.reason);
}

function skip(reason: string): undefined {
  if (process.env.CI) throw new Error(`the test bed is missing, and CI must have it: ${reason}`);
  console.warn(`SKIPPED, no test bed: ${reason}`);
  test.skip(`skipped: ${reason}`, () => undefined);
}
