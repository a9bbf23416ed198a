/** Session files whose bytes are not what was written: cut, flipped, overwritten, or no file at all. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import { createNodeEngine, type NodeEngine } from './createNodeEngine.ts';

let folder = '';
let node: NodeEngine;
const bugs: string[] = [];
const demo = new URL('../../assets/demo/status-forbidden.loopscope', import.meta.url);

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-damage-'));
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  node = createNodeEngine({ env, onBug: (where) => bugs.push(where) });
});
afterEach(() => node.engine.closePlayed());
afterAll(() => {
  node.dispose();
  rmSync(folder, { recursive: true });
});

/** Opens bytes as a file. Either they are shown, or refused in a sentence that names the session. */
async function open(bytes: Uint8Array): Promise<string> {
  node.engine.closePlayed();
  const file = path.join(folder, 'tried.loopscope');
  writeFileSync(file, bytes);
  const opened = await node.engine.openFile(file);
  const { phase } = node.engine.connection();
  expect(phase).toBe(opened.ok ? 'live' : 'idle');
  if (opened.ok) return 'shown';
  expect(opened.error.message).toMatch(/^(The session \S|\S+ is not a Loopscope session|\S+ is empty)/);
  return opened.error.code;
}

describe('a file that is not what was written', () => {
  test('[SES31] is refused when it was cut, wherever', async () => {
    const whole = readFileSync(demo);
    const random = seededRandom(1);
    for (let time = 0; time < 20; time++) {
      const length = 32 + Math.floor(random() * (whole.length - 32));
      expect(await open(whole.subarray(0, length)), `${length} bytes`).toBe('damaged');
    }
  });

  test('[SES32] is shown or refused when bits flipped, and ends nothing', async () => {
    const random = seededRandom(2);
    const answers = new Set<string>();
    for (let time = 0; time < 20; time++) {
      const bytes = readFileSync(demo);
      for (let flip = 0; flip < 4; flip++) {
        const at = Math.floor(random() * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      answers.add(await open(bytes));
    }
    expect(answers).toContain('damaged');
    expect(await open(readFileSync(demo))).toBe('shown');
  });

  test('[SES32] is shown or refused when pages were overwritten, and ends nothing', async () => {
    const random = seededRandom(3);
    for (let time = 0; time < 20; time++) {
      const bytes = readFileSync(demo);
      const at = 100 + Math.floor(random() * (bytes.length - 100));
      bytes.fill(0, at, Math.min(bytes.length, at + 4096));
      await open(bytes);
    }
    expect(await open(readFileSync(demo))).toBe('shown');
  });

  test('[SES32] that cannot be shown cannot be saved either, and leaves nothing where it should go', async () => {
    const file = path.join(folder, 'recording.loopscope');
    copyFileSync(demo, file);
    const opened = await node.host.library.open(file);
    if (!opened.ok) throw new Error(opened.error.message);
    const bytes = readFileSync(file);
    bytes.fill(0x55, bytes.length - 60_000, bytes.length - 1000);
    writeFileSync(file, bytes);
    const to = path.join(folder, 'saved.loopscope');
    const saved = await node.host.library.save(opened.value.log, '', to);
    opened.value.log.close();
    expect(saved.ok).toBe(false);
    expect(() => readFileSync(to)).toThrow();
  });
});

test.skipIf(process.platform === 'win32')('[SES31] a pipe is refused at once', async () => {
  const pipe = path.join(folder, 'pipe.loopscope');
  execFileSync('mkfifo', [pipe]);
  expect(await node.engine.openFile(pipe)).toEqual({
    ok: false,
    error: { code: 'notASession', message: `${pipe} is no file but a pipe or a device.` },
  });
  expect(await node.engine.openFile('/dev/null')).toMatchObject({ error: { code: 'notASession' } });
});
