import { err, ok, type Result } from '../../shared/base/result.ts';

export const NS_PER_MS = 1_000_000n;
export const NS_PER_SECOND = 1_000_000_000n;
export const MAX_INT64 = 9_223_372_036_854_775_807n;
const MIN_INT64 = -9_223_372_036_854_775_808n;

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  ms: NS_PER_MS,
  s: NS_PER_SECOND,
  m: 60n * NS_PER_SECOND,
  h: 3_600n * NS_PER_SECOND,
};

/**
 * Duration text (`5ms`, `1.5s`, `2m30s`, `-3s`, `0`) in int64 ns. The error is a sentence that names the text.
 * Source: Go time.ParseDuration.
 */
export function parseDuration(text: string): Result<bigint, string> {
  const match = /^([+-]?)(.+)$/s.exec(text);
  const body = match?.[2] ?? '';
  if (body === '0') return ok(0n);
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) {
    return err(`"${text}" is not a duration; write for example 5ms, 1.5s or 2m.`);
  }
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(
    /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const scale = UNITS[unit === 'μs' ? 'µs' : unit] ?? 1n;
    total += BigInt(whole === '' ? '0' : whole) * scale;
    if (fraction !== '') total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  if (total > MAX_INT64) return err(`"${text}" is longer than a duration can be (about 292 years).`);
  return ok(match?.[1] === '-' ? -total : total);
}

/** ns as Go prints a duration: `3s`, `1m40s`, `16m40s`, `1.5ms`, `0s`. Source: Go time.Duration.String. */
export function formatDuration(ns: bigint): string {
  if (ns === 0n) return '0s';
  const sign = ns < 0n ? '-' : '';
  const abs = ns < 0n ? -ns : ns;
  if (abs < 1_000n) return `${sign}${abs}ns`;
  if (abs < NS_PER_MS) return `${sign}${decimal(abs, 1_000n)}µs`;
  if (abs < NS_PER_SECOND) return `${sign}${decimal(abs, NS_PER_MS)}ms`;
  const minutes = abs / (60n * NS_PER_SECOND);
  const seconds = `${decimal(abs % (60n * NS_PER_SECOND), NS_PER_SECOND)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/** float64 → int64 as Go does it on amd64: truncates; NaN and values out of range give −2^63. */
export function int64FromFloat(value: number): bigint {
  if (!(value < 2 ** 63 && value >= -(2 ** 63))) return MIN_INT64;
  return BigInt(Math.trunc(value));
}

/** Difference of two times, saturated to int64. Source: Go time.Time.Sub. */
export function saturate(ns: bigint): bigint {
  if (ns > MAX_INT64) return MAX_INT64;
  return ns < MIN_INT64 ? MIN_INT64 : ns;
}

/** Seconds of a duration, whole and fraction converted apart (not ns/1e9: the last bit differs). Source: Duration.Seconds. */
export function secondsOf(ns: bigint): number {
  return Number(ns / NS_PER_SECOND) + Number(ns % NS_PER_SECOND) / 1e9;
}

/** ns → ms as a float, for the edge of the engine. Exact to the ns for spans below 100 days. */
export function msFromNs(ns: bigint): number {
  return Number(ns / NS_PER_MS) + Number(ns % NS_PER_MS) / 1e6;
}

/** ms (float, may be a wall time) → ns, rounded to the nearest µs: a double of epoch ms is no finer than that. */
export function nsFromMs(ms: number): bigint {
  const whole = Math.floor(ms);
  return BigInt(whole) * NS_PER_MS + BigInt(Math.round((ms - whole) * 1e3)) * 1_000n;
}
