/** `npm run score:traces` as a person or CI calls it: what it prints and its exit code. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readTruth } from './readTruth.ts';
import { handedRecordings, runsBelow } from './scoreCli.ts';

const script = join(import.meta.dirname, 'scoreCli.ts');
const folder = mkdtempSync(join(tmpdir(), 'loopscope-score-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function score(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { encoding: 'utf8' }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

describe('the command that scores traces', () => {
  test('says how it is called: exit code 0 when asked, 2 for wrong arguments', async () => {
    expect(await score('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('npm run score:traces [-- DIR…'),
    });
    expect(await score('--nolog')).toMatchObject({ code: 2, err: expect.stringContaining('--no-log') });
  });

  test('a folder without a ground truth cannot be scored: exit code 2', async () => {
    mkdirSync(join(folder, 'empty'));
    for (const path of [join(folder, 'empty'), join(folder, 'not there')])
      expect(await score(path)).toMatchObject({
        code: 2,
        err: `no recording with a ground.json in ${path}\n`,
      });
  });
});

const runs = runsBelow(process.env.LOOPSCOPE_RECORDINGS ?? handedRecordings);
const smallest =
  runs.filter((run) => (readTruth(run)?.writes.length ?? 0) > 0).sort((a, b) => sizeOf(a) - sizeOf(b))[0] ??
  '';

function sizeOf(run: string): number {
  return readFileSync(join(run, 'watch.jsonl')).length;
}

describe.skipIf(runs.length === 0)('on recorded operators (skipped where the recordings are not)', () => {
  test('a recording that reaches the bars: exit code 0', async () => {
    const { code, out } = await score(smallest);
    expect(out).toContain(basename(smallest));
    expect(out).toContain('Every bar is reached.');
    expect(code).toBe(0);
  });

  test('a write that is in no span: exit code 1, and what is missed', async () => {
    const copy = join(folder, 'wrong');
    cpSync(smallest, copy, { recursive: true });
    const path = join(copy, 'ground.json');
    const ground = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly writes: Record<string, readonly Record<string, unknown>[]>;
    };
    const writes = Object.entries(ground.writes).map(([subject, all]) => [
      subject,
      all.map((one) => ({ ...one, resourceVersion: '1' })),
    ]);
    writeFileSync(path, JSON.stringify({ ...ground, writes: Object.fromEntries(writes) }));
    const { code, out } = await score(copy, '--faults', '1');
    expect(out).toContain('Below the bars:');
    expect(out).toMatch(/default log \+ watch: \d+\.\d % of the writes are right; at least 97 % must be/);
    expect(code).toBe(1);
    const json = await score(copy, '--json', '--no-log');
    expect(JSON.parse(json.out)).toMatchObject({
      format: 1,
      rows: [{ row: 'watch' }],
      missed: [expect.any(String)],
    });
    expect(json.code).toBe(1);
  });

  test('without arguments those that are handed are scored', async () => {
    const { out } = await score('--no-log', '--json');
    const scored = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly run: string }).run);
    expect(scored).toHaveLength(runsBelow(handedRecordings).length);
  });
});
