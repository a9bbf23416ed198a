/** A Chromium for the benches of the window. */
import { type Browser, chromium } from 'playwright-core';
import { chromiumFlags, chromiumPlaces, findChromium } from '../e2e/browser/chromiumBinary.ts';

/** Throws with what to set when there is none. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error(
      `This bench needs a Chromium; there is none at ${chromiumPlaces().join(', ')}. CHROMIUM names another.`,
    );
  return chromium.launch({ executablePath, args: chromiumFlags });
}
