/** A real Chromium for tests of the window, or a visible skip where there is none. */
import { type Browser, chromium } from 'playwright-core';
import { test } from 'vitest';
import type { BinaryName } from '../testbed/build.ts';
import type { OwnedCluster } from '../testbed/cluster.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { chromiumFlags, chromiumPlaces, findChromium } from './chromiumBinary.ts';

export interface BrowserBed {
  readonly browser: Browser;
  readonly cluster: OwnedCluster;
  /** Ends both. */
  stop(): Promise<void>;
}

/**
 * For the top of a `describe`: a browser with a new profile and a started cluster, or undefined after registering one
 * skipped test that carries the reason. Where the environment says CI, what is missing is a failure.
 */
export async function browserBedOrSkip(...programs: readonly BinaryName[]): Promise<BrowserBed | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) return skip(noChromium());
  const cluster = await clusterOrSkip(...programs);
  if (cluster === undefined) return undefined;
  try {
    const browser = await chromium.launch({ executablePath, args: chromiumFlags });
    return {
      browser,
      cluster,
      async stop() {
        await browser.close();
        await cluster.stop();
      },
    };
  } catch (cause) {
    await cluster.stop();
    throw cause;
  }
}

/** The same without a cluster: for the window told by the scripted engine. */
export async function browserOrSkip(): Promise<Browser | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) return skip(noChromium());
  return chromium.launch({ executablePath, args: chromiumFlags });
}

function noChromium(): string {
  return `no Chromium at ${chromiumPlaces().join(', ')}; CHROMIUM names another`;
}

function skip(reason: string): undefined {
  if (process.env.CI) throw new Error(`the browser is missing, and CI must have it: ${reason}`);
  console.warn(`SKIPPED, no browser: ${reason}`);
  test.skip(`skipped: ${reason}`, () => undefined);
}
