import { expect, test } from 'vitest';
import { formatDuration, int64FromFloat, msFromNs, nsFromMs, parseDuration, secondsOf } from './duration.ts';

test.each([
  ['5ms', 5_000_000n],
  ['1.5s', 1_500_000_000n],
  ['2m30s', 150_000_000_000n],
  ['1h', 3_600_000_000_000n],
  ['1000s', 1_000_000_000_000n],
  ['.5s', 500_000_000n],
  ['250us', 250_000n],
  ['250µs', 250_000n],
  ['-3s', -3_000_000_000n],
  ['0', 0n],
  ['0.1ns', 0n],
])('parseDuration reads %s', (text, ns) => {
  expect(parseDuration(text)).toEqual({ ok: true, value: ns });
});

test.each(['', '5', '5 ms', 'ms', '1d', '1.2.3s', '5ms!', '400000h1000000h3000000h'])(
  'parseDuration refuses %j with a sentence that names it',
  (text) => {
    const parsed = parseDuration(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.error).toContain(`"${text}"`);
  },
);

test.each([
  [0n, '0s'],
  [1n, '1ns'],
  [1_500n, '1.5µs'],
  [5_000_000n, '5ms'],
  [1_280_000_000n, '1.28s'],
  [100_000_000_000n, '1m40s'],
  [1_000_000_000_000n, '16m40s'],
  [3_600_000_000_000n, '1h0m0s'],
  [-3_000_000_000n, '-3s'],
])('formatDuration prints %s ns as Go does: %s', (ns, text) => {
  expect(formatDuration(ns)).toBe(text);
});

test('what formatDuration prints, parseDuration reads back', () => {
  for (const ns of [7n, 1_234n, 655_360_000_000n, 86_399_999_999_999n]) {
    expect(parseDuration(formatDuration(ns))).toEqual({ ok: true, value: ns });
  }
});

test('[RL2] float to int64 truncates, and out of range gives the smallest number', () => {
  expect(int64FromFloat(2.9)).toBe(2n);
  expect(int64FromFloat(-2.9)).toBe(-2n);
  expect(int64FromFloat(2 ** 63)).toBe(-(2n ** 63n));
  expect(int64FromFloat(Number.NaN)).toBe(-(2n ** 63n));
});

test('[RL8] seconds add whole and fraction, each converted apart', () => {
  expect(secondsOf(1_234_567_890n)).toBe(1 + 234_567_890 / 1e9);
  expect(secondsOf(-1_500_000_000n)).toBe(-1.5);
});

test('wall times survive the way to ns and back to the microsecond', () => {
  const at = 1_790_000_000_123.457;
  expect(msFromNs(nsFromMs(at))).toBeCloseTo(at, 3);
  expect(nsFromMs(1.5)).toBe(1_500_000n);
  expect(nsFromMs(-0.25)).toBe(-250_000n);
});
