/** The line shapes operators write, each split into header and fields. What a field means is logEntry.ts's matter. */
import { parseJson } from '../../../shared/base/json.ts';
import type { TimeInterval } from '../../session/record.ts';
import { isContinuation } from './continuation.ts';
import { jsonHeader } from './jsonHeader.ts';
import { type LinePrefix, takePrefix } from './linePrefix.ts';
import { type LogLevel, readLevel } from './logLevel.ts';
import { parseKlogTime, parseLogTime } from './logTime.ts';
import { readPairs, readQuoted } from './pairs.ts';
import { splitTextFormats } from './textFormats.ts';

export type { LogLevel } from './logLevel.ts';

/**
 * `json`: one object a line. `console`: time, level, text in columns (zap's tab separated form, and its relatives).
 * `logfmt`: key=value throughout, logr's text among it. `text`: none of them.
 */
export type LogFormat = 'json' | 'console' | 'klog' | 'logfmt' | 'text';

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
  readonly prefix?: LinePrefix | undefined;
  /** It belongs to the line before it. */
  readonly continues?: boolean;
  /** Characters of the line that were left out, because it is too long. */
  readonly cut?: number;
}

/** A line longer than this is not read for its fields: its beginning is kept as text. Characters. */
export const longestLine = 1 << 20;
const keptOfLong = 64 * 1024;

/** Never fails: what is no known shape is `text`, whole. `nearMs` dates klog lines (see parseKlogTime). */
export function splitLine(line: string, nearMs: number | undefined): RawLine {
  // The usual line first: nothing is to be taken off it.
  if (line[0] === '{' && line.length <= longestLine) {
    const plain = splitJson(line, nearMs);
    if (plain !== undefined) return plain;
  }
  return splitAny(line, nearMs);
}

function splitAny(line: string, nearMs: number | undefined): RawLine {
  const clean = cleanLine(line);
  if (clean[0] === '\t' && clean.length <= longestLine)
    return { format: 'text', msg: clean, fields: {}, continues: true };
  const isLine = (text: string): boolean =>
    splitKnown(text, nearMs) !== undefined || (text !== '' && isContinuation(text));
  const { prefix, text } =
    clean.length > longestLine ? { prefix: undefined, text: clean } : takePrefix(clean, isLine);
  if (text.length > longestLine)
    return {
      format: 'text',
      msg: text.slice(0, keptOfLong),
      fields: {},
      prefix,
      cut: text.length - keptOfLong,
    };
  // Of a line that the runtime cut nothing is certain but its text.
  const known = prefix?.partial === true ? undefined : splitKnown(text, nearMs);
  if (known !== undefined)
    return { ...known, at: finer(known.at, prefix?.at), prefix: prefix ?? known.prefix };
  return {
    format: 'text',
    at: prefix?.at,
    msg: text,
    fields: {},
    prefix,
    ...(isContinuation(text) ? { continues: true } : {}),
  };
}

function splitKnown(text: string, nearMs: number | undefined): RawLine | undefined {
  if (text[0] === '{') return splitJson(text, nearMs);
  return splitKlog(text, nearMs) ?? splitConsole(text) ?? splitLogfmt(text) ?? splitTextFormats(text);
}

/** The runtime's stamp is of the same clock: it is the finer one where the operator writes whole seconds. */
function finer(own: TimeInterval | undefined, stamp: TimeInterval | undefined): TimeInterval | undefined {
  if (own === undefined || stamp === undefined) return own ?? stamp;
  const isCoarse = own.hi - own.lo > stamp.hi - stamp.lo;
  return isCoarse && stamp.lo >= own.lo && stamp.hi <= own.hi + 1 ? stamp : own;
}

/** Colours, the end of a line of Windows, the mark of a byte order, and what a truncated file holds before its first line. */
function cleanLine(line: string): string {
  let text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a log that is emptied while it is written begins with NUL bytes
  if (text.includes('\u0000')) text = text.replace(/^\u0000+|\u0000+$/g, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour levels with escape sequences
  if (text.includes('\u001b')) text = text.replace(/\u001b\[[0-9;]*[mK]/g, '');
  return text;
}

function splitJson(line: string, nearMs: number | undefined): RawLine | undefined {
  const parsed = parseObject(line.endsWith('}') ? line : line.trimEnd());
  if (parsed === undefined) return undefined;
  const { log } = parsed;
  // docker's json-file driver, one line of the container in each.
  if (typeof log === 'string' && parsed.msg === undefined && (parsed.time ?? parsed.stream) !== undefined)
    return unwrapped(log, parsed, nearMs);
  const header = jsonHeader(parsed);
  const { level, verbosity } = readLevel(header.level);
  const v = [parsed.v, parsed.V].find((one) => typeof one === 'number');
  const byV = v === undefined || v > 0 ? undefined : 'info';
  const failed = parsed.err !== undefined && parsed.err !== null;
  return {
    format: 'json',
    at: parseLogTime(header.time),
    level: level ?? (failed ? 'error' : v !== undefined && v > 0 ? 'debug' : byV),
    verbosity: v ?? verbosity,
    logger: header.logger,
    caller: header.caller,
    msg: header.msg ?? '',
    fields: header.fields,
  };
}

function unwrapped(log: string, outer: Record<string, unknown>, nearMs: number | undefined): RawLine {
  const whole = log.endsWith('\n');
  const at = parseLogTime(outer.time);
  const inner = splitAny(whole ? log.slice(0, -1) : log, nearMs);
  const stream = outer.stream === 'stderr' ? 'stderr' : outer.stream === 'stdout' ? 'stdout' : undefined;
  const prefix: LinePrefix = {
    ...(at === undefined ? {} : { at }),
    ...(stream === undefined ? {} : { stream }),
    ...(whole ? {} : { partial: true }),
    ...inner.prefix,
  };
  if (!whole) return { format: 'text', at, msg: log, fields: {}, prefix };
  return { ...inner, at: finer(inner.at, at), prefix };
}

const klogHeader = /^([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d+)\s+\d+ ([^\s\]]+:\d+)\] ?(.*)$/s;
/** logr's text: everything is a pair with a quoted key; the logger's name may stand before the first. */
const logrPairs = /(?:^|[\s:])"(?:level|msg|error|ts|caller|logger)"=/;

function splitKlog(line: string, nearMs: number | undefined): RawLine | undefined {
  const match = klogHeader.exec(line);
  if (match === null) return undefined;
  const [, severity = '', month = '', day = '', clock = '', caller = '', rest = ''] = match;
  const head = {
    format: 'klog',
    at: parseKlogTime(month, day, clock, nearMs),
    level: severity === 'I' ? 'info' : severity === 'W' ? 'warning' : 'error',
    caller,
  } as const;
  const quoted = rest.startsWith('"') ? readQuoted(rest, 0) : undefined;
  // A quoted name before `=` is logr's: there the message is a pair like the rest.
  if (quoted !== undefined && rest[quoted.end] !== '=') {
    const { logger, ...fields } = readPairs(rest, quoted.end) ?? {};
    return { ...head, logger: typeof logger === 'string' ? logger : undefined, msg: quoted.value, fields };
  }
  const pairs = splitLogrPairs(rest);
  if (pairs !== undefined) return { ...pairs, ...head, verbosity: pairs.verbosity };
  return { ...head, msg: rest, fields: {} };
}

const levelWord =
  '(?:DEBUG|INFO|WARN|WARNING|ERROR|DPANIC|PANIC|FATAL|LEVEL\\(-?\\d+\\)|Level\\(-?\\d+\\)|debug|info|warn|warning|error|dpanic|panic|fatal|Debug|Info|Warn|Error)';
const consoleHeader = new RegExp(`^(\\S+)(\\t+| +)(${levelWord})(?![\\w=])\\2?\\s*(.*)$`, 's');

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
  const columns = separator.startsWith('\t') ? head.split('\t') : spacedColumns(head);
  let logger: string | undefined;
  let caller: string | undefined;
  while (columns.length > 1) {
    const column = columns.shift() ?? '';
    if (caller === undefined && /\.go:\d+$/.test(column)) caller = column;
    else if (logger === undefined && caller === undefined && /^[\w./:@-]+$/.test(column)) logger = column;
    else {
      columns.unshift(column);
      break;
    }
  }
  const msg = columns.join('\t');
  return { format: 'console', at, level, verbosity, logger, caller, msg, fields: json?.fields ?? {} };
}

/** Columns that became blanks: only a caller shows where the message begins. */
function spacedColumns(head: string): string[] {
  const match = /^(?:(\S+)\s+)?(\S+\.go:\d+)\s+(.*)$/s.exec(head);
  if (match === null) return [head];
  const [, logger, caller = '', msg = ''] = match;
  return logger === undefined ? [caller, msg] : [logger, caller, msg];
}

const logfmtHeader = new Set([
  'level',
  'severity',
  'lvl',
  'ts',
  'time',
  'timestamp',
  't',
  'logger',
  'caller',
]);

function splitLogfmt(line: string): RawLine | undefined {
  if (!/^[\w@.-]+=/.test(line)) return splitStdLog(line) ?? splitLogrPairs(line);
  const fields = readPairs(line, 0);
  const msg = fields?.msg ?? fields?.message;
  if (fields === undefined || typeof msg !== 'string') return undefined;
  const level = readLevel(fields.level ?? fields.severity ?? fields.lvl);
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    if (!logfmtHeader.has(name) && name !== (fields.msg === undefined ? 'message' : 'msg'))
      rest[name] = value;
  const caller = [fields.caller, fields.source].find(isCaller);
  if (caller === fields.source) delete rest.source;
  return {
    format: 'logfmt',
    at: parseLogTime(fields.ts ?? fields.time ?? fields.timestamp ?? fields.t),
    ...level,
    logger: typeof fields.logger === 'string' ? fields.logger : undefined,
    caller,
    msg,
    fields: rest,
  };
}

/** `logger: "level"=0 "msg"="…" "key"="value"`: funcr and stdr, and klogr before it spoke klog's own form. */
function splitLogrPairs(text: string): RawLine | undefined {
  if (!text.includes('"=')) return undefined;
  const start = logrPairs.exec(text);
  if (start === null) return undefined;
  const from = start.index + (start[0].startsWith('"') ? 0 : 1);
  const name = text.slice(0, from).replace(/[\s:]+$/, '');
  // Words before the pairs are a sentence that quotes some, not the name of a logger.
  if (/\s/.test(name)) return undefined;
  const { level, msg, logger, ts, caller, ...fields } = readPairs(text, from) ?? {};
  if (typeof msg !== 'string' || unclosed(msg)) return undefined;
  const read = readLevel(typeof level === 'string' ? level : undefined);
  const failed = fields.error !== undefined || fields.err !== undefined;
  return {
    format: 'logfmt',
    at: parseLogTime(ts),
    level: failed ? 'error' : read.level,
    verbosity: read.verbosity,
    logger: typeof logger === 'string' ? logger : name === '' ? undefined : name,
    caller: isCaller(caller) ? caller : undefined,
    msg,
    fields,
  };
}

const stdDate = /^(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)?) (?:(\S+\.go:\d+): )?(.*)$/s;

/** Go's standard logger before logr's text, or before slog's default handler. */
function splitStdLog(line: string): RawLine | undefined {
  const match = stdDate.exec(line);
  if (match === null) return undefined;
  const [, date = '', caller, rest = ''] = match;
  const at = parseLogTime(date.replaceAll('/', '-'));
  if (at === undefined) return undefined;
  const pairs = splitLogrPairs(rest);
  if (pairs !== undefined) return { ...pairs, at: pairs.at ?? at, caller: pairs.caller ?? caller };
  const slog = /^(DEBUG|INFO|WARN|ERROR)([+-]\d+)? (.*)$/s.exec(rest);
  if (slog === null) return { format: 'console', at, caller, msg: rest, fields: {} };
  const [, word = '', offset = '', said = ''] = slog;
  // The message is bare: it ends where the first pair begins.
  const pairsAt = said.search(/ [\w.@-]+=/);
  return {
    format: 'console',
    at,
    caller,
    ...readLevel(word + offset),
    msg: pairsAt < 0 ? said : said.slice(0, pairsAt),
    fields: pairsAt < 0 ? {} : (readPairs(said, pairsAt) ?? {}),
  };
}

function isCaller(value: unknown): value is string {
  return typeof value === 'string' && /\.go:\d+$/.test(value);
}

function unclosed(value: string): boolean {
  return value.startsWith('"');
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

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
