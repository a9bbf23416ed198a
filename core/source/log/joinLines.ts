/**
 * Lines to records. Two things come in pieces: one line that the container runtime cut (CRI's `P`, docker's without `\n`) or
 * that holds a value over several lines (klog's `key=<`), which can only be read as a whole; and a record with the lines that
 * follow it (stack traces), each readable by itself. Pure and incremental: nothing is lost, each source keeps its order.
 * Spec: docs/spec/logs.md [LG13] [LG14]
 */
import { parseJson } from '../../../shared/base/json.ts';
import { isContinuation, isCrashHead } from './continuation.ts';
import { type LinePrefix, takePrefix } from './linePrefix.ts';

/** One physical line, and what the caller knows it by. */
export interface LineIn<T> {
  readonly text: string;
  readonly tag: T;
}

export interface JoinedLines<T> {
  /** The line to be read: the pieces put together, otherwise the line as it came. May hold `\n`. */
  readonly text: string;
  /** What it was made of, in order. Their texts hold everything that came. */
  readonly parts: readonly LineIn<T>[];
  /** Lines that belong to it, each as it came. */
  readonly rest: readonly LineIn<T>[];
  /** It was given up before its end was seen, because it grew past a bound or nothing more came. */
  readonly open: boolean;
}

export interface JoinOptions {
  /** Also gather what belongs to a record (`rest`). Without it each record is given as soon as its own text is whole. Default true. */
  readonly fold?: boolean;
  /** Lines of one record, default 2,000. What follows is a record of its own. */
  readonly maxLines?: number;
  /** Characters of one record, default 1 MiB. */
  readonly maxChars?: number;
  /** Sources in one file (pods, containers, streams) that are told apart at a time, default 64. */
  readonly maxSources?: number;
}

export interface LineJoiner<T> {
  /** Records that this line completed, in the order of their first lines within each source. */
  push(line: string, tag: T): readonly JoinedLines<T>[];
  /** Everything that is held, in the order of its first lines: at the end of a file, or when nothing came for a while. */
  flush(): readonly JoinedLines<T>[];
  /** Lines held. */
  readonly held: number;
}

interface Held<T> {
  text: string;
  parts: LineIn<T>[];
  rest: LineIn<T>[];
  chars: number;
  /** What its text waits for: the next piece, or the end of a value. */
  waits: 'piece' | 'value' | undefined;
  /** docker wraps each piece; put together they are one wrapper again. */
  docker: { log: string; outer: Record<string, unknown> } | undefined;
  readonly order: number;
}

export function createLineJoiner<T>(options: JoinOptions = {}): LineJoiner<T> {
  const { fold = true, maxLines = 2_000, maxChars = 1 << 20, maxSources = 64 } = options;
  const bySource = new Map<string, Held<T>>();
  let count = 0;

  function push(line: string, tag: T): JoinedLines<T>[] {
    const piece = takePiece(line);
    const held = bySource.get(piece.source);
    const done: JoinedLines<T>[] = [];
    if (held !== undefined) {
      const full = held.parts.length + held.rest.length >= maxLines || held.chars + line.length > maxChars;
      if (!full && extend(held, piece, { text: line, tag })) return settle(piece.source, held);
      done.push(take(piece.source, held));
    }
    const fresh = begin(piece, { text: line, tag }, count++);
    bySource.set(piece.source, fresh);
    done.push(...settle(piece.source, fresh));
    if (bySource.size > maxSources) {
      const [source, oldest] = bySource.entries().next().value ?? [];
      if (source !== undefined && oldest !== undefined) done.push(take(source, oldest));
    }
    return done;
  }

  /** Gives the record at once where nothing is to be waited for. */
  function settle(source: string, held: Held<T>): JoinedLines<T>[] {
    return fold || held.waits !== undefined ? [] : [take(source, held)];
  }

  function take(source: string, held: Held<T>): JoinedLines<T> {
    bySource.delete(source);
    return { text: held.text, parts: held.parts, rest: held.rest, open: held.waits !== undefined };
  }

  return {
    push,
    flush() {
      const all = [...bySource].sort(([, a], [, b]) => a.order - b.order);
      return all.map(([source, held]) => take(source, held));
    },
    get held() {
      let lines = 0;
      for (const held of bySource.values()) lines += held.parts.length + held.rest.length;
      return lines;
    },
  };
}

interface Piece {
  /** Pod, container and stream, as far as the line names them. */
  readonly source: string;
  /** Without prefix, colours and what else stands around it. */
  readonly bare: string;
  readonly partial: boolean;
  readonly docker: Held<never>['docker'];
}

function begin<T>(piece: Piece, line: LineIn<T>, order: number): Held<T> {
  return {
    text: line.text,
    parts: [line],
    rest: [],
    chars: line.text.length,
    waits: piece.partial ? 'piece' : opensValue(piece.bare) ? 'value' : undefined,
    docker: piece.docker,
    order,
  };
}

/** True when the line is part of what is held. */
function extend<T>(held: Held<T>, piece: Piece, line: LineIn<T>): boolean {
  if (held.waits === 'piece') {
    held.parts.push(line);
    held.chars += line.text.length;
    if (held.docker !== undefined && piece.docker !== undefined) {
      held.docker = { ...held.docker, log: held.docker.log + piece.docker.log };
      held.text = JSON.stringify({ ...held.docker.outer, log: held.docker.log });
    } else held.text = whole(held.text) + piece.bare;
    held.waits = piece.partial ? 'piece' : undefined;
    return true;
  }
  if (held.waits === 'value') {
    // klog indents what belongs to the value; anything else means that its end is missing.
    if (!/^[\t ]/.test(piece.bare)) return false;
    held.parts.push(line);
    held.chars += line.text.length;
    held.text += `\n${piece.bare}`;
    if (piece.bare.startsWith(' >')) held.waits = opensValue(piece.bare) ? 'value' : undefined;
    return true;
  }
  if (!isContinuation(piece.bare) && !(piece.bare.startsWith('panic: ') && isCrashHead(bareOf(held.text))))
    return false;
  held.rest.push(line);
  held.chars += line.text.length;
  return true;
}

/** A value over several lines begins at the end of this one. */
function opensValue(text: string): boolean {
  return /[\w"]=<$/.test(text);
}

/** A cut line that is put together again is no longer one that was cut. */
function whole(text: string): string {
  return text.replace(/^(\S+ (?:stdout|stderr)) P/, '$1 F');
}

function bareOf(text: string): string {
  return takePiece(text).bare;
}

function takePiece(line: string): Piece {
  if (line.startsWith('{"log":')) {
    const docker = dockerPiece(line);
    if (docker !== undefined) return docker;
  }
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: stern colours what it writes before a line
  const clean = text.includes('\u001b') ? text.replace(/\u001b\[[0-9;]*[mK]/g, '') : text;
  // Lines of a stack trace are told by their pod as well: whatever stands behind pod and container is taken for a line.
  const { prefix, text: bare } = takePrefix(clean, looksWhole);
  return {
    source: prefix === undefined ? '' : sourceOf(prefix),
    bare,
    partial: prefix?.partial === true,
    docker: undefined,
  };
}

function looksWhole(text: string): boolean {
  return (
    /^(?:\{"|[IWEF]\d{4} |\d{4}[-/]\d\d[-/]\d\d[T ]|[\w.@-]+=|"\w+"=)/.test(text) ||
    (text !== '' && isContinuation(text))
  );
}

function dockerPiece(line: string): Piece | undefined {
  const outer = parseJson(line);
  if (typeof outer !== 'object' || outer === null || !('log' in outer)) return undefined;
  const { log } = outer;
  if (typeof log !== 'string' || !('time' in outer || 'stream' in outer)) return undefined;
  const partial = !log.endsWith('\n');
  return {
    source: 'stream' in outer ? `docker ${String(outer.stream)}` : 'docker',
    bare: partial ? log : log.slice(0, -1),
    partial,
    docker: { log, outer: outer as Record<string, unknown> },
  };
}

function sourceOf({ namespace = '', pod = '', container = '', stream }: LinePrefix): string {
  return `${namespace}/${pod}/${container}/${stream ?? ''}`;
}
