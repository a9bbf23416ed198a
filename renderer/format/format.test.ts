import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatClock,
  formatCountdown,
  formatDuration,
  formatDurationWords,
  formatElapsed,
  formatNumber,
  formatStamp,
  formatTime,
  formatTimeMs,
} from './format.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('formatDuration', () => {
  it.each([
    [0.412, '412 µs'],
    [0.9996, '1 ms'],
    [5, '5 ms'],
    [41.2, '41.2 ms'],
    [41.249, '41.2 ms'],
    [999.4, '999 ms'],
    [999.6, '1 s'],
    [1280, '1.28 s'],
    [12_400, '12.4 s'],
    [59_940, '59.9 s'],
    [59_960, '1m 00s'],
    [162_130, '2m 42s'],
    [668_000, '11m 08s'],
    [8 * hour + 21 * minute, '8h 21m'],
    [26 * hour, '1 d 2h'],
    [3 * 24 * hour, '3 d'],
    [0, '0 ms'],
    [-4, '0 ms'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
  it('shows an en dash for what is missing', () => {
    expect(formatDuration(undefined)).toBe('–');
  });
});

it('formatAge keeps one decimal below ten seconds and drops seconds from ten minutes on', () => {
  expect([400, 9_940, 48_300, 526_000, 31 * minute + 12_000, 3 * hour].map(formatAge)).toEqual([
    '0.4 s',
    '9.9 s',
    '48 s',
    '8m 46s',
    '31m',
    '3h 00m',
  ]);
});

it('formatDurationWords follows the language of the sentence', () => {
  expect(formatDurationWords(595_000, 'en')).toBe('9m 55s');
  expect(formatDurationWords(595_000, 'zh-CN')).toBe('9 分 55 秒');
  expect(formatDurationWords(7_100, 'zh-CN')).toBe('7.1 秒');
});

it('countdowns are m:ss from a minute on', () => {
  expect([9, 300, 12_400, 162_000, 668_000, 3_728_000].map(formatCountdown)).toEqual([
    '9 ms',
    '0.3 s',
    '12 s',
    '2:42',
    '11:08',
    '1:02:08',
  ]);
  expect(formatClock(11_001)).toBe('0:12');
  expect(formatClock(0)).toBe('0:00');
  expect(formatElapsed(1_926_400)).toBe('00:32:06');
});

it('formatBytes is decimal with two significant digits', () => {
  expect([412, 2_400, 52_000, 3_100_000, 999_600, 1_240_000_000].map(formatBytes)).toEqual([
    '412 B',
    '2.4 KB',
    '52 KB',
    '3.1 MB',
    '1.0 MB',
    '1.2 GB',
  ]);
});

it('numbers carry thousands by locale; missing is a dash and zero is 0', () => {
  expect(formatNumber(184_213, 'en')).toBe('184,213');
  expect(formatNumber(0, 'en')).toBe('0');
  expect(formatNumber(undefined, 'zh-CN')).toBe('–');
});

it('times are local; a stamp of one-second resolution never gets decimals', () => {
  const at = new Date(2026, 8, 14, 14, 9, 20, 649);
  expect(formatTime(at.getTime())).toBe('14:09:20');
  expect(formatTimeMs(at.getTime())).toBe('14:09:20.649');
  expect(formatStamp(at.toISOString())).toBe('14:09:20.649');
  expect(formatStamp(at.toISOString().replace('.649', ''))).toBe('14:09:20');
  expect(formatStamp('yesterday')).toBe('yesterday');
});
