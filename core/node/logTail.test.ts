import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FeedLine, FeedSink } from '../engine/host.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { LineSplitter } from './lineSplitter.ts';
import { probeLog, tailFile, tailStream } from './logTail.ts';
import { systemClock } from './systemClock.ts';

let folder = '';
let log = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-tail-'));
  log = join(folder, 'operator.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function recordingSink() {
  const lines: FeedLine[] = [];
  const gaps: string[] = [];
  const states: string[] = [];
  const sink: FeedSink = {
    lines: (batch) => lines.push(...batch),
    gap: (text) => gaps.push(text),
    state: (state, _detail, problem) =>
      states.push(problem === undefined ? state : `${state} ${problem.code}`),
  };
  return { sink, lines, gaps, states, texts: () => lines.map((line) => line.text) };
}

/** Real files, time by hand: each `tick` is one look at the file. */
function follow(path = log) {
  const clock = new FakeClock(1_000_000);
  const seen = recordingSink();
  const tail = tailFile(path, seen.sink, { clock, watch: false });
  return { ...seen, tail, clock, tick: () => clock.advanceSync(15) };
}

test('[FEED10] from the start; lines that stood there are backlog, later ones carry the time they were read', () => {
  writeFileSync(log, 'one\ntwo\nthr');
  const { lines, states, tick, tail } = follow();
  expect(lines).toEqual([
    { text: 'one', receivedAt: 1_000_000, backlog: true },
    { text: 'two', receivedAt: 1_000_000, backlog: true },
  ]);
  appendFileSync(log, 'ee\r\nfour\n');
  tick();
  expect(lines.slice(2)).toEqual([
    { text: 'three', receivedAt: 1_000_015, backlog: false },
    { text: 'four', receivedAt: 1_000_015, backlog: false },
  ]);
  expect(states).toEqual(['live']);
  tail.dispose();
  appendFileSync(log, 'five\n');
  tick();
  expect(lines).toHaveLength(4);
});

test('[FEED11] a partial line waits for its rest, through the middle of a character', () => {
  writeFileSync(log, '');
  const { texts, tick, tail } = follow();
  const bytes = Buffer.from('größe ready\n');
  for (const byte of bytes) {
    appendFileSync(log, Buffer.from([byte]));
    tick();
  }
  expect(texts()).toEqual(['größe ready']);
  tail.dispose();
});

test('[FEED12] rotation by rename: the old file is read to its end, the new one from its start, and it is told', () => {
  writeFileSync(log, 'a\n');
  const { texts, gaps, lines, tick, tail } = follow();
  appendFileSync(log, 'b\nlast words');
  renameSync(log, `${log}.1`);
  writeFileSync(log, 'c\n');
  tick();
  tick();
  expect(texts()).toEqual(['a', 'b', 'last words', 'c']);
  expect(lines.map((line) => line.backlog)).toEqual([true, false, false, false]);
  expect(gaps).toEqual([expect.stringContaining('was rotated')]);
  tail.dispose();
});

test('[FEED12] rotation with a moment without a file', () => {
  writeFileSync(log, 'a\n');
  const { texts, states, tick, tail } = follow();
  unlinkSync(log);
  tick();
  expect(states).toEqual(['live', 'waiting']);
  writeFileSync(log, 'b\n');
  tick();
  expect(texts()).toEqual(['a', 'b']);
  expect(states).toEqual(['live', 'waiting', 'live']);
  tail.dispose();
});

test('[FEED13] truncation in place is a gap; reading goes on from the start', () => {
  writeFileSync(log, 'long line number one\n');
  const { texts, gaps, tick, tail } = follow();
  truncateSync(log, 0);
  appendFileSync(log, 'new\n');
  tick();
  expect(texts()).toEqual(['long line number one', 'new']);
  expect(gaps).toEqual([expect.stringContaining('was truncated')]);
  tail.dispose();
});

test('[FEED13] emptied and written beyond what was read while we looked away (copytruncate)', () => {
  writeFileSync(log, 'one\ntwo\n');
  const { texts, gaps, tick, tail } = follow();
  truncateSync(log, 0);
  appendFileSync(log, 'another one\nanother two\n');
  tick();
  expect(texts()).toEqual(['one', 'two', 'another one', 'another two']);
  expect(gaps).toEqual([expect.stringContaining('was truncated')]);
  // An emptied file may also begin with the same bytes: then nothing tells it apart, and nothing is read twice.
  appendFileSync(log, 'more\n');
  tick();
  expect(texts().slice(4)).toEqual(['more']);
  expect(gaps).toHaveLength(1);
  tail.dispose();
});

test('[FEED12] a new file that is empty: who writes goes on in the old one until it is told', () => {
  writeFileSync(log, 'a\n');
  const { texts, gaps, tick, tail } = follow();
  renameSync(log, `${log}.1`);
  writeFileSync(log, '');
  tick();
  appendFileSync(`${log}.1`, 'b\n');
  tick();
  appendFileSync(`${log}.1`, 'c\n');
  appendFileSync(log, 'd\n');
  tick();
  tick();
  expect(texts()).toEqual(['a', 'b', 'c', 'd']);
  expect(gaps).toHaveLength(1);
  tail.dispose();
});

test('[FEED12] a link that is pointed elsewhere, as a kubelet does it', () => {
  const link = join(folder, 'container.log');
  writeFileSync(join(folder, '0.log'), 'a\n');
  writeFileSync(join(folder, '1.log'), 'c\n');
  symlinkSync(join(folder, '0.log'), link);
  const { texts, gaps, tick, tail } = follow(link);
  appendFileSync(join(folder, '0.log'), 'b\n');
  symlinkSync(join(folder, '1.log'), `${link}.new`);
  renameSync(`${link}.new`, link);
  tick();
  tick();
  appendFileSync(join(folder, '1.log'), 'd\n');
  tick();
  expect(texts()).toEqual(['a', 'b', 'c', 'd']);
  expect(gaps).toEqual([expect.stringContaining('was rotated')]);
  tail.dispose();
});

test('[FEED18] a whole object at the end of a file needs no newline; half of one waits', () => {
  writeFileSync(log, '{"msg":"one"}\n{"msg":"last"}');
  const { texts, lines, clock, tail } = follow();
  clock.advanceSync(990);
  expect(texts()).toEqual(['{"msg":"one"}']);
  clock.advanceSync(30);
  expect(texts()).toEqual(['{"msg":"one"}', '{"msg":"last"}']);
  expect(lines.map(({ backlog }) => backlog)).toEqual([true, true]);
  // Its newline comes after all, and another line.
  appendFileSync(log, '\n{"msg":"half');
  clock.advanceSync(5000);
  expect(texts()).toHaveLength(2);
  appendFileSync(log, ' of it"}\n');
  clock.advanceSync(30);
  expect(texts().slice(2)).toEqual(['{"msg":"half of it"}']);
  // Text may go on, whatever it looks like.
  appendFileSync(log, 'panic: {}');
  clock.advanceSync(5000);
  expect(texts()).toHaveLength(3);
  tail.dispose();
});

test('[FEED14] a file that is not there yet is waited for; all of it is new', () => {
  const { lines, states, tick, tail } = follow();
  expect(states).toEqual(['waiting']);
  tick();
  writeFileSync(log, 'first\n');
  tick();
  expect(lines).toMatchObject([{ text: 'first', backlog: false }]);
  expect(states).toEqual(['waiting', 'live']);
  tail.dispose();
});

test('[FEED14] a folder and a missing file are told before following', () => {
  mkdirSync(log);
  expect(probeLog(log)).toMatchObject({ ok: false, error: { code: 'log-not-a-file' } });
  expect(probeLog(join(folder, 'none.log'))).toMatchObject({ ok: false, error: { code: 'log-not-found' } });
  const { states, tail } = follow();
  expect(states).toEqual(['failed log-not-a-file']);
  tail.dispose();
  rmSync(log, { recursive: true });
  writeFileSync(log, '');
  expect(probeLog(log)).toEqual({ ok: true, value: undefined });
});

test.skipIf(process.platform === 'win32')(
  '[FEED14] a pipe is refused: to open it would stop everything',
  () => {
    execFileSync('mkfifo', [log]);
    expect(probeLog(log)).toMatchObject({
      ok: false,
      error: { code: 'log-not-a-file', message: expect.stringContaining('--log - <') },
    });
    const { states, texts, tick, tail } = follow();
    expect(states).toEqual(['failed log-not-a-file']);
    rmSync(log);
    writeFileSync(log, 'one\n');
    tick();
    expect(texts()).toEqual(['one']);
    tail.dispose();
  },
);

test('[FEED15] a large backlog is read in slices, in order and whole', async () => {
  const count = 60_000;
  writeFileSync(
    log,
    Array.from({ length: count }, (_, index) => `line ${index} ${'x'.repeat(40)}\n`).join(''),
  );
  const clock = new FakeClock();
  const seen = recordingSink();
  const tail = tailFile(log, seen.sink, { clock, watch: false });
  expect(seen.lines.length).toBeGreaterThan(1000);
  expect(seen.lines.length).toBeLessThan(count);
  await clock.advance(100);
  expect(seen.lines).toHaveLength(count);
  expect(seen.lines.every((line, index) => line.text.startsWith(`line ${index} `))).toBe(true);
  tail.dispose();
});

test('[FEED15] an endless line is cut, told, and does not grow the memory', () => {
  const splitter = new LineSplitter(8);
  expect(splitter.push(Buffer.from('0123'))).toEqual([]);
  for (let round = 0; round < 1000; round++) splitter.push(Buffer.from('4567890123456789'));
  expect(splitter.push(Buffer.from('\nnext\n'))).toEqual(['01234567', 'next']);
  expect([splitter.takeCut(), splitter.takeCut()]).toEqual([1, 0]);
  expect(splitter.flush()).toBeUndefined();
});

test('[FEED16] with real time a line is received within milliseconds of being written', async () => {
  writeFileSync(log, '');
  const seen = recordingSink();
  const tail = tailFile(log, seen.sink, { clock: systemClock });
  const delays: number[] = [];
  for (let round = 0; round < 20; round++) {
    const wrote = systemClock.now();
    appendFileSync(log, `line ${round}\n`);
    await until(() => seen.lines.length > round);
    delays.push((seen.lines.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY) - wrote);
  }
  tail.dispose();
  delays.sort((a, b) => a - b);
  // The median, because a busy machine may hold up any single turn.
  expect(delays[10]).toBeLessThan(20);
});

test('[FEED17] standard input: lines as they come, the last without a newline, then ended', async () => {
  const input = new PassThrough();
  const seen = recordingSink();
  tailStream(input, seen.sink, new FakeClock(7));
  input.write('a\nb');
  input.end('c\nd');
  await until(() => seen.states.includes('ended'));
  expect(seen.lines).toEqual(['a', 'bc', 'd'].map((text) => ({ text, receivedAt: 7, backlog: false })));
  expect(seen.states).toEqual(['live', 'ended']);
});

/** Turns of the event loop until it holds; the test's own time-out is the bound. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
