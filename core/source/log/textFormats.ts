/**
 * Console forms of other loggers that operators are built with: zerolog, logrus on a terminal, capnslog (Rook), log4j
 * (Strimzi), kopf (Python), glog-like prints of klog without a date. Each is told by its header alone.
 */
import type { RawLine } from './logFormats.ts';
import { readLevel } from './logLevel.ts';
import { parseLogTime } from './logTime.ts';
import { readPairs } from './pairs.ts';

export function splitTextFormats(line: string): RawLine | undefined {
  return splitZerolog(line) ?? splitLogrusTerminal(line) ?? splitDated(line);
}

const zerolog = /^(\S+) (TRC|DBG|INF|WRN|ERR|FTL|PNC) (?:(\S+\.go:\d+) > )?(.*)$/s;

/** zerolog's ConsoleWriter: `2026-11-30T07:33:11Z ERR main.go:12 > text error="boom" key=value` */
function splitZerolog(line: string): RawLine | undefined {
  const match = zerolog.exec(line);
  if (match === null) return undefined;
  const [, time = '', word = '', caller, rest = ''] = match;
  const at = parseLogTime(time);
  // Its default is the time of day alone, which dates nothing.
  if (at === undefined && !/^\d{1,2}:\d\d(?::\d\d)?(?:AM|PM)?$/.test(time) && time !== '<nil>')
    return undefined;
  return { format: 'console', at, caller, ...readLevel(word), ...bareMessage(rest, / [\w.@-]+=/) };
}

const logrus = /^(TRAC|DEBU|INFO|WARN|ERRO|FATA|PANI)(?:\[(\d+|[^\]]*)\])\s*(?:(\S+\.go:\d+)\s+)?(.*)$/s;

/** logrus on a terminal: `INFO[0000] text              key=value` */
function splitLogrusTerminal(line: string): RawLine | undefined {
  const match = logrus.exec(line);
  if (match === null) return undefined;
  const [, word = '', time = '', caller, rest = ''] = match;
  // Seconds since the process began, unless it was told to write full times.
  const at = /^\d+$/.test(time) ? undefined : parseLogTime(time);
  return { format: 'console', at, caller, ...readLevel(word), ...bareMessage(rest, /\s+[\w.@-]+=/) };
}

const dated = /^\[?(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)\]?\s+(.*)$/s;
const letters: Readonly<Record<string, string>> = {
  T: 'trace',
  D: 'debug',
  I: 'info',
  N: 'notice',
  W: 'warn',
  E: 'error',
  C: 'critical',
};

function splitDated(line: string): RawLine | undefined {
  const match = dated.exec(line);
  if (match === null) return undefined;
  const [, date = '', rest = ''] = match;
  const at = parseLogTime(date.replace(',', '.'));
  if (at === undefined) return undefined;
  const rook = /^([TDINWEC]) \| (\S+): (.*)$/s.exec(rest);
  if (rook !== null)
    return {
      format: 'console',
      at,
      ...readLevel(letters[rook[1] ?? '']),
      logger: rook[2],
      msg: rook[3] ?? '',
      fields: {},
    };
  const kopf = /^(\S+)\s+\[(DEBUG|INFO|WARNING|ERROR|CRITICAL)\s*\] (?:\[([^\]]+)\] )?(.*)$/s.exec(rest);
  if (kopf !== null)
    return {
      format: 'console',
      at,
      ...readLevel(kopf[2]),
      logger: kopf[1],
      msg: kopf[4] ?? '',
      // kopf names the object of a handler in brackets.
      fields: kopf[3] === undefined ? {} : { object: kopf[3] },
    };
  const log4j =
    /^\[?(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\]?\s+(?:\[[^\]]*\]\s+)?(\S+?)(?::\d+)?\s+- (.*)$/s.exec(rest);
  if (log4j !== null)
    return {
      format: 'console',
      at,
      ...readLevel(log4j[1]),
      logger: log4j[2],
      ...reconciliation(log4j[3] ?? ''),
    };
  const plain = /^\[?(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]?:?\s+(.*)$/s.exec(rest);
  if (plain === null) return undefined;
  return { format: 'console', at, ...readLevel(plain[1]), ...bareMessage(plain[2] ?? '', / [\w.@-]+=["{]/) };
}

/** Strimzi: `Reconciliation #12(watch) Kafka(ns/name): text` */
function reconciliation(msg: string): { msg: string; fields: Record<string, unknown> } {
  const match = /^Reconciliation #(\d+)\((\w+)\) (\w+)\(([^()\s]+)\): (.*)$/s.exec(msg);
  if (match === null) return { msg, fields: {} };
  const [, id = '', trigger, kind = '', key, text = ''] = match;
  return {
    msg: text,
    fields: { reconcileID: `#${id}`, controllerKind: kind, object: key, trigger },
  };
}

/** A message that is not quoted ends where the first pair begins. */
function bareMessage(text: string, firstPair: RegExp): { msg: string; fields: Record<string, unknown> } {
  const at = text.search(firstPair);
  if (at < 0) return { msg: text.trimEnd(), fields: {} };
  return { msg: text.slice(0, at).trimEnd(), fields: readPairs(text, at) ?? {} };
}
