import { describe, expect, it } from 'vitest';
import { parseGoDuration, parseKlogTime, parseLogTime } from './logTime.ts';

const second = Date.UTC(2026, 0, 1, 0, 0, 5);

describe('log times', () => {
  it('[LG2] makes whole seconds an interval and keeps digits as fine as they are', () => {
    expect(parseLogTime('2026-01-01T00:00:05Z')).toEqual({ lo: second, hi: second + 999 });
    expect(parseLogTime('2026-01-01T00:00:05.1Z')).toEqual({ lo: second + 100, hi: second + 199 });
    expect(parseLogTime('2026-01-01T00:00:05.123Z')).toEqual({ lo: second + 123, hi: second + 123 });
    expect(parseLogTime('2026-01-01T02:00:05,250+02:00')?.lo).toBe(second + 250);
    expect(parseLogTime('2025-12-31T19:30:05-0430')?.lo).toBe(second);
    expect(parseLogTime('2026-01-01 00:00:05')?.lo).toBe(second);
  });

  it('[LG2] tells seconds, millis, micros and nanos apart', () => {
    const s = second / 1000;
    expect(parseLogTime(s)).toEqual({ lo: second, hi: second + 999 });
    expect(parseLogTime(s + 0.25)).toEqual({ lo: second + 250, hi: second + 250 });
    expect(parseLogTime(second)).toEqual({ lo: second, hi: second });
    expect(parseLogTime(second * 1e3)?.lo).toBe(second);
    expect(parseLogTime(second * 1e6)?.lo).toBe(second);
    expect(parseLogTime('1.7672256e9')?.lo).toBe(1_767_225_600_000);
  });

  it('has no time for what is none', () => {
    for (const value of ['soon', '', undefined, {}, 0, -1, '26-01-01', Number.NaN])
      expect(parseLogTime(value)).toBeUndefined();
  });

  it('[LG3] gives klog the nearest year', () => {
    expect(parseKlogTime('12', '31', '23:59:59.000001', Date.UTC(2027, 0, 2))?.lo).toBeCloseTo(
      Date.UTC(2026, 11, 31, 23, 59, 59),
      0,
    );
    expect(parseKlogTime('01', '01', '00:00:00.000000', Date.UTC(2026, 11, 31))?.lo).toBe(
      Date.UTC(2027, 0, 1),
    );
    expect(parseKlogTime('01', '01', '00:00:00.000000', undefined)).toBeUndefined();
  });

  it('reads Go durations in ms', () => {
    expect(['3s', '1m30s', '500ms', '1.5h', '250µs', '0', '-2s', '5', 'x'].map(parseGoDuration)).toEqual([
      3000,
      90_000,
      500,
      5_400_000,
      0.25,
      0,
      -2000,
      undefined,
      undefined,
    ]);
  });
});
