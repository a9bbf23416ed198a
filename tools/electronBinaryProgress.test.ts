import { expect, test } from 'vitest';
import { createProgress, progressText } from './electronBinaryProgress.ts';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => void written.push(text) };
}

test('[EL12] on a terminal one line, written over, at most every 150 ms, and the whole at the end', () => {
  const screen = terminal(true);
  const progress = createProgress(screen, 'fetching Electron');
  for (let at = 0; at <= 1_000; at += 10) progress.update(at * 100_000, 100_000_000, at);
  progress.end();
  progress.end();
  expect(screen.written.length).toBeLessThan(11);
  expect(screen.written.slice(0, -1).every((text) => text.startsWith('\r') && !text.includes('\n'))).toBe(
    true,
  );
  expect(screen.written.at(-2)?.trim()).toBe('fetching Electron: 100 %, 100.0 of 100.0 MB, 100.0 MB/s');
  expect(screen.written.at(-1)).toBe('\n');
});

test('[EL12] a shorter line leaves nothing of a longer one', () => {
  const screen = terminal(true);
  const progress = createProgress(screen, 'x');
  progress.update(1e9, 2e9, 0);
  progress.update(1, undefined, 1_000);
  expect(screen.written[1]?.length).toBe(screen.written[0]?.length);
});

test('[EL12] elsewhere plain lines: one a tenth, or one in ten seconds where the length is not known', () => {
  const log = terminal(false);
  const known = createProgress(log, 'x');
  for (let at = 0; at <= 1_000; at += 1) known.update(at * 1_000, 1_000_000, at);
  known.end();
  expect(log.written).toHaveLength(11);
  expect(log.written.every((line) => line.endsWith('\n') && !line.includes('\r'))).toBe(true);
  const blind = terminal(false);
  const unknown = createProgress(blind, 'x');
  for (let at = 0; at <= 25_000; at += 100) unknown.update(at * 1_000, undefined, at);
  expect(blind.written).toHaveLength(3);
});

test('the rate is that of the last seconds', () => {
  const screen = terminal(true);
  const progress = createProgress(screen, 'x');
  progress.update(0, 1e9, 0);
  progress.update(90e6, 1e9, 1_000);
  for (let at = 2_000; at <= 8_000; at += 500) progress.update(90e6 + (at - 2_000) * 1_000, 1e9, at);
  expect(screen.written.at(-1)).toContain(', 1.0 MB/s');
  expect(progressText('x', 5e6, undefined, undefined)).toBe('x: 5.0 MB');
});
