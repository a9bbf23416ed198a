import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { readFileOnce } from './readFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'loopscope-read-'));
afterEach(() => rmSync(join(folder, 'audit.jsonl'), { force: true }));

function reading(path: string) {
  const clock = new FakeClock(1_700_000_000_000);
  const lines: string[] = [];
  const states: string[] = [];
  let batches = 0;
  const feed = readFileOnce(
    path,
    {
      lines: (given) => {
        batches++;
        for (const line of given) {
          expect(line.backlog).toBe(true);
          lines.push(line.text);
        }
      },
      gap: (text) => states.push(`gap ${text}`),
      state: (state, _detail, problem) =>
        states.push(problem === undefined ? state : `${state} ${problem.code}`),
    },
    clock,
  );
  return { clock, lines, states, feed, batches: () => batches };
}

it('gives every line in slices, the last one without a newline, and ends', async () => {
  const path = join(folder, 'audit.jsonl');
  const expected = Array.from({ length: 4000 }, (_, n) => JSON.stringify({ n, pad: 'x'.repeat(100) }));
  writeFileSync(path, expected.join('\n'));
  const { clock, lines, states, batches } = reading(path);
  expect(batches()).toBe(0);
  await clock.advance(100);
  expect(batches()).toBeGreaterThan(2);
  expect(lines).toEqual(expected);
  expect(states).toEqual(['live', 'ended']);
});

it('stops when it is disposed', async () => {
  const path = join(folder, 'audit.jsonl');
  writeFileSync(path, 'x\n'.repeat(200_000));
  const { clock, lines, feed } = reading(path);
  feed.dispose();
  await clock.advance(100);
  expect(lines).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});

it('says what is wrong with a file that cannot be opened', () => {
  expect(reading(join(folder, 'missing')).states).toEqual(['failed audit-unreadable']);
  rmSync(folder, { recursive: true, force: true });
});
