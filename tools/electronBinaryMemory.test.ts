import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  dayMs,
  type ElectronKey,
  forget,
  isRemembered,
  mirrorDigest,
  recall,
  remember,
} from './electronBinaryMemory.ts';

let file = '';
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'loopscope-memory-')), 'electron.json');
});
afterEach(() => rmSync(join(file, '..'), { recursive: true, force: true }));

const key: ElectronKey = { version: '45.5.0', machine: 'linux-x64', mirror: mirrorDigest({}) };
const now = Date.UTC(2026, 10, 30);
const stalled = { code: 'stalled', message: 'no bytes came for 60 s' } as const;

test('[EL10] what will not change by itself counts until version, machine or mirror change', () => {
  for (const code of ['stalled', 'refused', 'checksum'] as const) {
    remember(file, key, { ...stalled, code }, now);
    expect(recall(file, key, now + 400 * dayMs)).toMatchObject({ code, at: now });
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(recall(file, { ...key, version: '45.6.0' }, now)).toBeUndefined();
  expect(recall(file, { ...key, machine: 'linux-arm64' }, now)).toBeUndefined();
  expect(recall(file, { ...key, mirror: mirrorDigest({ ELECTRON_MIRROR: 'x' }) }, now)).toBeUndefined();
});

test('[EL11] what may pass counts for a day, by a clock that may be set back', () => {
  for (const code of ['offline', 'cut-off', 'not-kept'] as const) {
    remember(file, key, { ...stalled, code }, now);
    expect(recall(file, key, now + dayMs - 1)).toMatchObject({ code });
    expect(recall(file, key, now + dayMs)).toBeUndefined();
    expect(recall(file, key, now - 1)).toBeUndefined();
  }
});

test('a file that is not there, cut off or not ours counts as none', () => {
  expect(recall(file, key, now)).toBeUndefined();
  remember(file, key, stalled, now);
  for (const text of ['', '{"version":', '[]', 'null', JSON.stringify({ ...key, at: 'then' })]) {
    writeFileSync(file, text);
    expect(recall(file, key, now)).toBeUndefined();
  }
  forget(file);
  forget(file);
  remember(join(file, 'below-no-folder', 'x'), key, stalled, now);
});

test('no address of a mirror stands in the file', () => {
  const mirror = mirrorDigest({ npm_config_electron_mirror: 'https://user:pass@mirror.example/' });
  expect(mirror).not.toBe(key.mirror);
  remember(file, { ...key, mirror }, stalled, now);
  expect(readFileSync(file, 'utf8')).not.toContain('mirror.example');
  // Only what decides where the binary comes from counts.
  expect(mirrorDigest({ PATH: 'x', LOOPSCOPE: 'y' })).toBe(key.mirror);
});

test('what the user stopped is not remembered', () => {
  expect([isRemembered({ code: 'cancelled', message: '' }), isRemembered(stalled)]).toEqual([false, true]);
});
