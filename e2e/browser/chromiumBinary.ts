/** The Chromium that tests, pictures and benches of the window draw with. */
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

/** What CHROMIUM names, else where Linux distributions put it. */
export function chromiumPlaces(): readonly string[] {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined && CHROMIUM !== '') return [CHROMIUM];
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
}

/** undefined where there is none. */
export function findChromium(): string | undefined {
  return chromiumPlaces().find((place) => existsSync(place));
}
