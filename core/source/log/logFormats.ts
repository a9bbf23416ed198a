/** The four line shapes operators write, each split into header and fields. What a field means is logEntry.ts's matter. */
import { parseJson } from '../../../shared/base/json.ts';
import type { TimeInterval } from '../../session/record.ts';
import { parseKlogTime, parseLogTime } from './logTime.ts';

/** `json`: zap, slog or component-base JSON. `console`: zap's tab separated form. `logfmt`: key=value throughout. */
export type LogFormat = 'json' | 'console' | 'klog' | 'logfmt' | 'text';
export type LogLevel = 'error' | 'warning' | 'info' | 'debug';

/** A line taken apart, its fields under the names it used. */
export interface RawLine {
  readonly format: LogFormat;
  readonly at?: TimeInterval | undefined;
  readonly level?: LogLevel | undefined;
  readonly verbosity?: number | undefined;
  readonly logger?: string | undefined;
  readonly caller?: string | undefined;
  readonly msg: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Never fails: what is no known shape is `text`, whole. `nearMs` dates klog lines (see parseKlogTime). */
export function splitLine(line: string, nearMs: number | undefined): RawLine {
  const clean = stripAnsi(line.endsWith('\r') ? line.slice(0, -1) : line);
  const first = clean[0];
  return (
    (first === '{' ? splitJson(clean) : undefined) ??
    splitKlog(clean, nearMs) ??
    splitConsole(clean) ??
    splitLogfmt(clean) ?? { format: 'text', msg: clean, fields: {} }
  );
}

const headerNames = new Set([
  'level',
  'severity',
  'ts',
  'time',
  'timestamp',
  'msg',
  'message',
  'logger',
  'caller',
  'source',
]);

function splitJson(line: string): RawLine | undefined {
  const parsed = parseObject(line.trimEnd());
  if (parsed === undefined) return undefined;
  const text = (...names: string[]) =>
    names.map((name) => parsed[name]).find((one) => typeof one === 'string');
  const fields: Record<string, unknown> = {};
  // slog's `source` is an object; controller-runtime's "Starting EventSource" uses the name for a field of its own.
  for (const [name, value] of Object.entries(parsed))
    if (!headerNames.has(name) || (name === 'source' && typeof value === 'string')) fields[name] = value;
  const verbosity = [parsed.v, parsed.V].find((one) => typeof one === 'number');
  const level = readLevel(parsed.level ?? parsed.severity);
  return {
    format: 'json',
    at: parseLogTime(parsed.ts ?? parsed.time ?? parsed.timestamp),
    level: level.level ?? (parsed.err !== undefined ? 'error' : undefined),
    verbosity: level.verbosity ?? verbosity,
    logger: text('logger'),
    caller: text('caller'),
    msg: text('msg', 'message') ?? '',
    fields,
  };
}

const klogHeader = /^([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d+)\s+\d+ ([^\s\]]+:\d+)\] ?(.*)$/s;

function splitKlog(line: string, nearMs: number | undefined): RawLine | undefined {
  const match = klogHeader.exec(line);
  if (match === null) return undefined;
  const [, severity = '', month = '', day = '', clock = '', caller = '', rest = ''] = match;
  const quoted = rest.startsWith('"') ? readQuoted(rest, 0) : undefined;
  const pairs = quoted === undefined ? undefined : readPairs(rest, quoted.end);
  const { logger, ...fields } = pairs?.fields ?? {};
  return {
    format: 'klog',
    at: parseKlogTime(month, day, clock, nearMs),
    level: severity === 'I' ? 'info' : severity === 'W' ? 'warning' : 'error',
    logger: typeof logger === 'string' ? logger : undefined,
    caller,
    msg: quoted === undefined ? rest : quoted.value,
    fields: quoted === undefined ? {} : fields,
  };
}

const levelWord =
  '(?:DEBUG|INFO|WARN|WARNING|ERROR|DPANIC|PANIC|FATAL|LEVEL\\(-?\\d+\\)|Level\\(-?\\d+\\)|debug|info|warn|error|dpanic|panic|fatal)';
const consoleHeader = new RegExp(`^(\\S+)(\\t+| +)(${levelWord})\\2?\\s*(.*)$`, 's');

function splitConsole(line: string): RawLine | undefined {
  const match = consoleHeader.exec(line);
  if (match === null) return undefined;
  const [, time = '', separator = '', word = '', rest = ''] = match;
  const at = parseLogTime(time);
  if (at === undefined) return undefined;
  const { level, verbosity } = readLevel(word);
  const brace = rest.search(/[\t ]\{/);
  const jsonAt = rest.startsWith('{') ? 0 : brace < 0 ? -1 : brace + 1;
  const json = jsonAt < 0 ? undefined : findTrailingObject(rest, jsonAt);
  const head = (json === undefined ? rest : rest.slice(0, json.start)).replace(/[\t ]+$/, '');
  const columns = separator.startsWith('\t') ? head.split('\t') : [head];
  let logger: string | undefined;
  let caller: string | undefined;
  while (columns.length > 1) {
    const column = columns.shift() ?? '';
    if (/\.go:\d+$/.test(column)) caller = column;
    else if (logger === undefined && caller === undefined) logger = column;
    else {
      columns.unshift(column);
      break;
    }
  }
  const msg = columns.join('\t');
  return { format: 'console', at, level, verbosity, logger, caller, msg, fields: json?.fields ?? {} };
}

function splitLogfmt(line: string): RawLine | undefined {
  if (!/^\w+=/.test(line)) return undefined;
  const pairs = readPairs(line, 0);
  if (pairs === undefined) return undefined;
  const { fields } = pairs;
  const msg = fields.msg ?? fields.message;
  if (typeof msg !== 'string') return undefined;
  const rest = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !headerNames.has(name) || name === 'source'),
  );
  return {
    format: 'logfmt',
    at: parseLogTime(fields.ts ?? fields.time ?? fields.timestamp),
    ...readLevel(fields.level ?? fields.severity),
    logger: typeof fields.logger === 'string' ? fields.logger : undefined,
    msg,
    fields: rest,
  };
}

/** zap's names; `Level(-5)` is V(5); a number is zap's own (0 info, -1 debug, 1 warn). */
function readLevel(value: unknown): { level?: LogLevel; verbosity?: number } {
  if (typeof value === 'number')
    return value < 0
      ? { level: 'debug', verbosity: -value }
      : { level: value === 0 ? 'info' : value === 1 ? 'warning' : 'error' };
  if (typeof value !== 'string') return {};
  const word = value.toLowerCase();
  const verbose = /^(?:level\(-(\d+)\)|debug-(\d+))$/.exec(word);
  if (verbose) return { level: 'debug', verbosity: Number(verbose[1] ?? verbose[2]) };
  if (word === 'debug') return { level: 'debug', verbosity: 1 };
  if (word === 'info') return { level: 'info', verbosity: 0 };
  if (word === 'warn' || word === 'warning') return { level: 'warning' };
  if (['error', 'dpanic', 'panic', 'fatal', 'critical'].includes(word)) return { level: 'error' };
  return {};
}

/** The JSON object that ends the line, tried from each ` {` on; a message may hold braces itself. */
function findTrailingObject(
  text: string,
  from: number,
): { start: number; fields: Record<string, unknown> } | undefined {
  if (!text.trimEnd().endsWith('}')) return undefined;
  for (let start = from, tries = 0; start >= 0 && tries < 8; tries++) {
    const fields = parseObject(text.slice(start).trimEnd());
    if (fields !== undefined) return { start, fields };
    const next = text.slice(start + 1).search(/[\t ]\{/);
    start = next < 0 ? -1 : start + 1 + next + 1;
  }
  return undefined;
}

/** `key=value` pairs from `at` on; values are quoted, a bracketed list or object, or run to the next space. */
function readPairs(text: string, at: number): { fields: Record<string, unknown> } | undefined {
  const fields: Record<string, unknown> = {};
  let index = at;
  const key = /\s*([^\s="]+)=/y;
  for (;;) {
    key.lastIndex = index;
    const match = key.exec(text);
    if (match === null) break;
    index = key.lastIndex;
    const value = readValue(text, index);
    fields[match[1] ?? ''] = value.value;
    index = value.end;
  }
  return text.slice(index).trim() === ''
    ? { fields }
    : Object.keys(fields).length > 0
      ? { fields }
      : undefined;
}

function readValue(text: string, at: number): { value: unknown; end: number } {
  const first = text[at];
  if (first === '"') {
    const quoted = readQuoted(text, at);
    if (quoted !== undefined) return quoted;
  }
  if (first === '{' || first === '[') {
    const end = closingBracket(text, at);
    if (end !== undefined) {
      const raw = text.slice(at, end);
      return { value: parseJson(raw) ?? raw, end };
    }
  }
  const space = text.indexOf(' ', at);
  const end = space < 0 ? text.length : space;
  return { value: text.slice(at, end), end };
}

/** A Go-quoted string; its escapes are JSON's but for \x, \a, \v and \U, which keep their text. */
function readQuoted(text: string, at: number): { value: string; end: number } | undefined {
  let index = at + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  if (index >= text.length) return undefined;
  const raw = text.slice(at, index + 1);
  const value = parseJson(raw);
  return { value: typeof value === 'string' ? value : raw.slice(1, -1), end: index + 1 };
}

function closingBracket(text: string, at: number): number | undefined {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const char = text[index];
    if (char === '"') {
      const quoted = readQuoted(text, index);
      if (quoted === undefined) return undefined;
      index = quoted.end - 1;
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function stripAnsi(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour levels with escape sequences
  return text.includes('\u001b') ? text.replace(/\u001b\[[0-9;]*m/g, '') : text;
}
