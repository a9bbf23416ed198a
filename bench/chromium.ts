/** The Chromium that the benches of the window draw with. */
import { existsSync } from 'node:fs';

/** The last three keep it from talking to anybody but us. */
export const chromiumFlags: string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Throws with what to set when there is none. */
export function findChromium(): string {
  const { CHROMIUM } = process.env;
  const places = CHROMIUM
    ? [CHROMIUM]
    : ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = places.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(
      `This bench needs a Chromium; there is none at ${places.join(', ')}. CHROMIUM names another.`,
    );
  return found;
}
