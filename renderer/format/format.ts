/**
 * Numbers, durations, sizes and times as the window shows them (ui.md, "Numbers, time, words"). Pure; local time zone of
 * the host. Missing is an en dash, zero is 0. resourceVersions never pass through here: they are opaque.
 */
export type Locale = 'en' | 'zh-CN';

export const missing = '–';

const numberFormats: Readonly<Record<Locale, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }),
  'zh-CN': new Intl.NumberFormat('zh-CN', { maximumFractionDigits: 1 }),
};

/** Thousands by locale; an en dash for undefined. */
export function formatNumber(value: number | undefined, locale: Locale): string {
  return value === undefined || Number.isNaN(value) ? missing : numberFormats[locale].format(value);
}

/**
 * Three significant digits below a minute, two units above: 412 µs, 41.2 ms, 1.28 s, 12.4 s, 2m 42s, 8h 21m, 3 d.
 * `ms` may be fractional; negative counts as zero.
 */
export function formatDuration(ms: number | undefined): string {
  if (ms === undefined || Number.isNaN(ms)) return missing;
  const v = Math.max(0, ms);
  if (v === 0) return '0 ms';
  if (significant(v * 1000) < 1000) return `${digits(v * 1000)} µs`;
  if (significant(v) < 1000) return `${digits(v)} ms`;
  if (significant(v / 1000) < 60) return `${digits(v / 1000)} s`;
  return formatUnits(Math.round(v / 1000), enUnits);
}

/** How long ago, coarser: 0.4 s, 48 s, 8m 46s, 31m, 8h 21m, 3 d. Never jitters in a column. */
export function formatAge(ms: number | undefined): string {
  if (ms === undefined || Number.isNaN(ms)) return missing;
  const v = Math.max(0, ms);
  if (v < 9_950) return `${(v / 1000).toFixed(1)} s`;
  const seconds = Math.floor(v / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds >= 600 && seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return formatUnits(seconds, enUnits);
}

/** A duration inside a sentence: `9m 55s`, in Chinese `9 分 55 秒`. */
export function formatDurationWords(ms: number, locale: Locale): string {
  if (locale === 'en') return formatDuration(ms);
  const v = Math.max(0, ms);
  if (v < 1000) return `${digits(v)} 毫秒`;
  if (significant(v / 1000) < 60) return `${digits(v / 1000)} 秒`;
  return formatUnits(Math.round(v / 1000), zhUnits);
}

/** What is left until a moment: `due` below 10 ms is the caller's word; 0.3 s, 12 s, 2:42, 1:02:08. */
export function formatCountdown(ms: number): string {
  const v = Math.max(0, ms);
  if (v < 100) return `${Math.round(v)} ms`;
  if (v < 9_950) return `${(v / 1000).toFixed(1)} s`;
  if (v < 60_000) return `${Math.floor(v / 1000)} s`;
  return formatClock(Math.floor(v / 1000) * 1000);
}

/** `0:12`, `11:08`, `1:02:08`: whole seconds, rounded up, so that it reaches 0:00 at the moment itself. */
export function formatClock(ms: number): string {
  const total = Math.ceil(Math.max(0, ms) / 1000 - 1e-9);
  const h = Math.floor(total / 3600);
  const m = Math.floor((total % 3600) / 60);
  const s = pad(total % 60);
  return h > 0 ? `${h}:${pad(m)}:${s}` : `${m}:${s}`;
}

/** Running time of a recording: `00:32:06`. */
export function formatElapsed(ms: number): string {
  const total = Math.floor(Math.max(0, ms) / 1000);
  return `${pad(Math.floor(total / 3600))}:${pad(Math.floor((total % 3600) / 60))}:${pad(total % 60)}`;
}

/** Decimal sizes with two significant digits: 412 B, 2.4 KB, 52 KB, 3.1 MB, 1.2 GB. */
export function formatBytes(bytes: number | undefined): string {
  if (bytes === undefined || Number.isNaN(bytes)) return missing;
  let value = Math.max(0, bytes);
  if (value < 1000) return `${Math.round(value)} B`;
  let unit = 0;
  const units = ['KB', 'MB', 'GB', 'TB'];
  value /= 1000;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `14:12:06` in local time. */
export function formatTime(ms: number): string {
  const d = new Date(ms);
  return `${pad(d.getHours())}:${pad(d.getMinutes())}:${pad(d.getSeconds())}`;
}

/** `14:12:06.240` in local time; only for our own clock and the API server's, never for times of one-second resolution. */
export function formatTimeMs(ms: number): string {
  return `${formatTime(ms)}.${String(new Date(ms).getMilliseconds()).padStart(3, '0')}`;
}

/** `14:12` for axes. */
export function formatMinute(ms: number): string {
  const d = new Date(ms);
  return `${pad(d.getHours())}:${pad(d.getMinutes())}`;
}

/** RFC 3339 text as local `14:12:06`, with milliseconds only when the text has them. Unparsable text comes back as it is. */
export function formatStamp(rfc3339: string): string {
  const ms = Date.parse(rfc3339);
  if (Number.isNaN(ms)) return rfc3339;
  return /\.\d/.test(rfc3339) ? formatTimeMs(ms) : formatTime(ms);
}

/** Full stamp for tooltips: RFC 3339 UTC. */
export function formatUtc(ms: number): string {
  return new Date(ms).toISOString();
}

interface Units {
  readonly d: string;
  readonly h: string;
  readonly m: string;
  readonly s: string;
}
const enUnits: Units = { d: ' d', h: 'h', m: 'm', s: 's' };
const zhUnits: Units = { d: ' 天', h: ' 小时', m: ' 分', s: ' 秒' };

function formatUnits(seconds: number, units: Units): string {
  const d = Math.floor(seconds / 86_400);
  const h = Math.floor((seconds % 86_400) / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  const s = seconds % 60;
  if (d >= 3) return `${d}${units.d}`;
  if (d > 0) return `${d}${units.d} ${h}${units.h}`;
  if (h > 0) return `${h}${units.h} ${pad(m)}${units.m}`;
  return `${m}${units.m} ${pad(s)}${units.s}`;
}

function significant(value: number): number {
  return Number(value.toPrecision(3));
}

function digits(value: number): string {
  const rounded = significant(value);
  if (rounded >= 100) return String(Math.round(rounded));
  return rounded >= 10 ? trim(rounded.toFixed(1)) : trim(rounded.toFixed(2));
}

/** 7.10 s says more than 7.1 s only if the zero was measured; columns here never need it. */
function trim(text: string): string {
  return text.replace(/\.?0+$/, '');
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
