import { expect, test } from 'vitest';
import { createMemoryLog } from '../session/memoryLog.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createRecordingPause } from './recordingPause.ts';

function setUp() {
  const clock = new FakeClock(1000);
  const log = createMemoryLog({ clock });
  const state: { paused: string | undefined; records: number; lost?: number } = {
    paused: undefined,
    records: 10,
  };
  const said: string[] = [];
  const resumed: [number, number, string][] = [];
  const losing: [number, number, string][] = [];
  const pause = createRecordingPause({
    clock,
    log: { ...log, stats: () => ({ ...log.stats(), ...state }) },
    say: (sentence) => said.push(sentence),
    onResumed: (...told) => resumed.push(told),
    onLosing: (...told) => losing.push(told),
  });
  return { clock, state, said, resumed, losing, pause };
}

test('says nothing while all is well', () => {
  const { pause, said, resumed } = setUp();
  pause.check();
  expect([said, resumed]).toEqual([[], []]);
});

test('says once that recording stands still, and of each pause what became of its records', () => {
  const { clock, state, said, resumed, pause } = setUp();
  state.paused = 'The disk is full.';
  pause.check();
  clock.advanceSync(5000);
  state.records = 70;
  pause.check();
  expect(resumed).toEqual([]);
  clock.advanceSync(7500);
  state.paused = undefined;
  pause.check();
  pause.check();
  expect(resumed).toEqual([
    [
      1000,
      13_500,
      'Recording was paused for 12.5 s: the session file could not be written. 60 records came meanwhile; all of them were written afterwards.',
    ],
  ]);
  state.paused = 'The disk is full.';
  pause.check();
  clock.advanceSync(1000);
  Object.assign(state, { paused: undefined, records: 100, lost: 12 });
  pause.check();
  expect(resumed[1]?.[2]).toContain(
    '30 records came meanwhile; the text of 12 could not be kept, only what they were about and when.',
  );
  expect(said).toEqual(['The disk is full.']);
});

test('[SES39] says once a pause that what waits is given up', () => {
  const { clock, state, losing, pause } = setUp();
  state.paused = 'Nothing is recorded.';
  pause.check();
  clock.advanceSync(5000);
  pause.check();
  expect(losing).toEqual([]);
  for (const lost of [3, 8]) {
    state.lost = lost;
    pause.check();
    clock.advanceSync(1000);
  }
  expect(losing).toEqual([
    [1000, 6000, expect.stringContaining('of the oldest records the text is given up')],
  ]);
});
