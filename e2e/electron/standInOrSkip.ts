import { test } from 'vitest';
import { findChromium } from '../browser/chromiumBinary.ts';

/** For the top of a `describe`: false after registering one skipped test with the reason. In CI that is a failure. */
export function standInOrSkip(): boolean {
  if (findChromium() !== undefined) return true;
  const reason = 'no Chromium for the stand-in of Electron; CHROMIUM names one';
  if (process.env.CI) throw new Error(reason);
  test.skip(`skipped: ${reason}`, () => undefined);
  return false;
}
