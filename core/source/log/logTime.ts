/** The time a log line states, as an interval: a whole second is the second, not its start. */
import type { TimeInterval } from '../../session/record.ts';

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?\s*([Zz]|[+-]\d\d:?\d\d)?$/;

/**
 * A timestamp of a log: RFC 3339 or ISO 8601 text (offset with or without colon; none means UTC), or seconds, millis,
 * micros or nanos since the epoch, told apart by size. Undefined when it is none of these.
 */
export function parseLogTime(value: unknown): TimeInterval | undefined {
  if (typeof value === 'number') return epochTime(value, !Number.isInteger(value));
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?([eE]\+?\d+)?$/.test(text)) return epochTime(Number(text), /[.eE]/.test(text));
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const base = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  if (Number.isNaN(base)) return undefined;
  return withFraction(base - offsetMs(zone), fraction);
}

/**
 * klog's `mmdd hh:mm:ss.uuuuuu`, which has no year and no zone: UTC, in the year that brings it nearest to `nearMs`
 * (when the line came). Undefined without a date to be near to.
 */
export function parseKlogTime(
  month: string,
  day: string,
  clock: string,
  nearMs: number | undefined,
): TimeInterval | undefined {
  if (nearMs === undefined) return undefined;
  const [hour = '', minute = '', seconds = ''] = clock.split(':');
  const [second = '', fraction = ''] = seconds.split('.');
  const nearYear = new Date(nearMs).getUTCFullYear();
  let best: number | undefined;
  for (const year of [nearYear - 1, nearYear, nearYear + 1]) {
    const ms = Date.UTC(year, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
    if (Number.isNaN(ms)) return undefined;
    if (best === undefined || Math.abs(ms - nearMs) < Math.abs(best - nearMs)) best = ms;
  }
  return best === undefined ? undefined : withFraction(best, fraction);
}

/** Go's time.Duration text (`1m30s`, `500ms`) in ms; undefined when it is none. */
export function parseGoDuration(text: string): number | undefined {
  if (!/^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return text === '0' ? 0 : undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g))
    total += Number(amount) * (unitMs[unit ?? ''] ?? 0);
  return text.startsWith('-') ? -total : total;
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

function epochTime(value: number, fractional: boolean): TimeInterval | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  if (value >= 1e17) return exactly(value / 1e6);
  if (value >= 1e14) return exactly(value / 1e3);
  if (value >= 1e11) return exactly(value);
  const ms = value * 1000;
  return fractional ? exactly(ms) : { lo: ms, hi: ms + 999 };
}

function exactly(ms: number): TimeInterval {
  return { lo: ms, hi: ms };
}

function withFraction(wholeMs: number, fraction: string): TimeInterval {
  if (fraction === '') return { lo: wholeMs, hi: wholeMs + 999 };
  const lo = wholeMs + Number(`0.${fraction}`) * 1000;
  const stepMs = 1000 / 10 ** fraction.length;
  return { lo, hi: stepMs > 1 ? lo + stepMs - 1 : lo };
}

function offsetMs(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '');
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
}
