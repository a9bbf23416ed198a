/**
 * Follows a log file like `tail -F`, from its start. What matters is when a line came: the file is watched and polled
 * every few milliseconds, and the receipt time is taken when its bytes are read. Rotation and truncation are told as gaps.
 * Reads are synchronous and small; a long backlog is read in slices. Spec: docs/spec/feeds.md
 */
import {
  closeSync,
  type FSWatcher,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  watch,
} from 'node:fs';
import type { Readable } from 'node:stream';
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import { parseJson } from '../../shared/base/json.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { FeedLine, FeedSink } from '../engine/host.ts';
import { LineSplitter } from './lineSplitter.ts';

export interface TailOptions {
  readonly clock: Clock;
  /** Time between looks at the file, ms; the watcher, where the platform has one, is faster. */
  readonly pollMs?: number;
  /** Also use the platform's file watcher. */
  readonly watch?: boolean;
}

const defaultPollMs = 15;
const chunkBytes = 32 * 1024;
/** A file that was emptied and written again while we looked away is known by its beginning. */
const beginningBytes = 256;
/** A whole JSON object without its newline is a line when nothing followed for so long, ms. */
const restMs = 1000;
/**
 * Read in one turn before the event loop gets its turn: recording a line costs much more than reading it, and a long past
 * told with short pauses is one burst to whoever derives from it.
 */
const sliceBytes = 1024 * 1024;
const sliceMs = 8;

/** Whether the file is there and may be read. */
export function probeLog(path: string): Result<void, Problem> {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return err(notAFile(path, stats));
    closeSync(openSync(path, 'r'));
    return ok(undefined);
  } catch (error) {
    return err(problemOf(path, error));
  }
}

/**
 * Follows `path` until disposed. States: waiting (not there yet, or gone), live, failed (may not be read; tried again).
 * Lines that stood in the file when it was first opened are `backlog`.
 */
export function tailFile(path: string, sink: FeedSink, options: TailOptions): Disposable {
  const { clock, pollMs = defaultPollMs } = options;
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const splitter = new LineSplitter();
  let open: { readonly fd: number; readonly stats: Stats; offset: number; beginning: Buffer } | undefined;
  /** Bytes that were there before we looked. */
  let backlogEnd = 0;
  let looked = false;
  /** monotonic() of the last bytes; undefined once what they left behind was looked at. */
  let grewAt: number | undefined;
  /** The last line was given without its newline: that is still to come, and is no line. */
  let owesNewline = false;
  let watcher: FSWatcher | undefined;
  let told = '';
  let timer: Disposable | undefined;
  let stopped = false;

  function tell(state: 'waiting' | 'live' | 'failed', detail: string, problem?: Problem): void {
    const text = `${state} ${detail}`;
    if (text === told) return;
    told = text;
    sink.state(state, detail, problem);
  }

  function emit(lines: readonly string[], backlog: boolean): void {
    if (lines.length === 0 || stopped) return;
    const receivedAt = clock.now();
    sink.lines(lines.map((text): FeedLine => ({ text, receivedAt, backlog })));
  }

  /** The last line of a file that will not grow any more. */
  function endFile(): void {
    const rest = splitter.flush();
    if (rest !== undefined) emit([rest], false);
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
    watcher?.close();
    watcher = undefined;
  }

  function openFile(): boolean {
    let fd: number;
    try {
      const found = statOf(path);
      // To open a pipe that nobody writes to would stop everything.
      if (found !== undefined && !found.isFile()) {
        tell('failed', found.isDirectory() ? 'is a folder' : 'is no file', notAFile(path, found));
        return false;
      }
      fd = openSync(path, 'r');
    } catch (error) {
      // Whatever it will hold when it comes, came while we looked.
      looked = true;
      if (codeOf(error) === 'ENOENT') tell('waiting', `waiting for ${path}`);
      else tell('failed', 'may not be read', problemOf(path, error));
      return false;
    }
    const stats = fstatSync(fd);
    open = { fd, stats, offset: 0, beginning: Buffer.alloc(0) };
    owesNewline = false;
    backlogEnd = looked ? 0 : stats.size;
    looked = true;
    startWatcher();
    tell('live', path);
    return true;
  }

  function startWatcher(): void {
    if (options.watch === false) return;
    try {
      watcher = watch(path, { persistent: false }, () => look());
      // No watcher on this file system: polling goes on.
      watcher.on('error', () => watcher?.close());
    } catch {
      watcher = undefined;
    }
  }

  /** Reads what is new, at most a slice. True when there may be more. A line may make its reader stop us. */
  function readSlice(): boolean {
    const until = clock.monotonic() + sliceMs;
    for (let total = 0; total < sliceBytes && open !== undefined; ) {
      if (total > 0 && clock.monotonic() >= until) return true;
      const count = readSync(open.fd, buffer, 0, chunkBytes, open.offset);
      if (count === 0) return false;
      grewAt = clock.monotonic();
      keepBeginning(open, buffer.subarray(0, count));
      // A chunk that spans the end of the backlog is split there, so that no line is taken for older than it is.
      const old = Math.min(count, Math.max(0, backlogEnd - open.offset));
      open.offset += count;
      total += count;
      if (old > 0) emit(linesOf(buffer.subarray(0, old)), true);
      if (count > old) emit(linesOf(buffer.subarray(old, count)), false);
      tellCut();
    }
    return open !== undefined;
  }

  function linesOf(bytes: Buffer): readonly string[] {
    const lines = splitter.push(bytes);
    if (!owesNewline || lines.length === 0) return lines;
    owesNewline = false;
    return lines[0] === '' ? lines.slice(1) : lines;
  }

  /** A log that was saved, or whose process died, may end without a newline: an object that is whole is a line. */
  function giveRest(): void {
    if (grewAt === undefined || splitter.pending === 0 || clock.monotonic() - grewAt < restMs) return;
    grewAt = undefined;
    const rest = splitter.peek();
    if (!rest.startsWith('{') || !rest.endsWith('}') || parseJson(rest) === undefined) return;
    const isBacklog = open !== undefined && open.offset <= backlogEnd;
    splitter.flush();
    owesNewline = true;
    emit([rest], isBacklog);
  }

  function tellCut(): void {
    const cut = splitter.takeCut();
    if (cut > 0 && !stopped) sink.gap(cutText(cut), clock.now());
  }

  /** True when there may be more to read at once. */
  function follow(): boolean {
    if (open === undefined && !openFile()) return false;
    if (open === undefined) return false;
    const { size } = fstatSync(open.fd);
    if (size < open.offset || (size > open.offset && !beginsAsBefore(open))) {
      const rest = splitter.flush();
      if (rest !== undefined) emit([rest], false);
      sink.gap(`${path} was truncated; lines written just before may be lost`, clock.now(), true);
      open.offset = 0;
      open.beginning = Buffer.alloc(0);
      owesNewline = false;
      backlogEnd = 0;
    }
    if (readSlice()) return true;
    if (open === undefined) return false;
    const now = statOf(path);
    if (now !== undefined && now.ino === open.stats.ino && now.dev === open.stats.dev) {
      giveRest();
      return false;
    }
    // A new file that is empty: who writes has not been told yet, and goes on in the old one.
    if (now?.size === 0) return false;
    // What came into the old one since it was read.
    if (readSlice()) return true;
    if (open === undefined) return false;
    // The name leads elsewhere, and the old file has been read to its end.
    endFile();
    if (now === undefined) {
      tell('waiting', `${path} is gone; waiting for it to come back`);
      return false;
    }
    sink.gap(
      `${path} was rotated; lines written to the old file from now on are not seen`,
      clock.now(),
      true,
    );
    return openFile();
  }

  function look(): void {
    if (stopped) return;
    timer?.dispose();
    let more = false;
    try {
      more = follow();
    } catch (error) {
      endFile();
      tell('failed', 'cannot be read', problemOf(path, error));
    }
    if (!stopped) timer = clock.setTimer(more ? 0 : pollMs, look);
  }

  look();
  return toDisposable(() => {
    stopped = true;
    timer?.dispose();
    watcher?.close();
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
  });
}

/** Lines of a stream (standard input, a pipe) until it ends; the last one needs no newline. Nothing of it is backlog. */
export function tailStream(stream: Readable, sink: FeedSink, clock: Clock): Disposable {
  const splitter = new LineSplitter();
  function emit(lines: readonly string[]): void {
    const receivedAt = clock.now();
    if (lines.length > 0) sink.lines(lines.map((text) => ({ text, receivedAt, backlog: false })));
    const cut = splitter.takeCut();
    if (cut > 0)
      sink.gap(`${cut === 1 ? 'a line' : `${cut} lines`} of more than 1 MiB lost the end`, receivedAt);
  }
  const onData = (chunk: Buffer | string) => {
    emit(splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  };
  const onEnd = () => {
    const rest = splitter.flush();
    emit(rest === undefined ? [] : [rest]);
    sink.state('ended', 'the input ended');
  };
  const onError = (error: Error) =>
    sink.state('failed', 'cannot be read', {
      code: 'log-unreadable',
      message: `The input broke: ${error.message}`,
    });
  stream.on('data', onData).on('end', onEnd).on('error', onError);
  sink.state('live', 'standard input');
  return toDisposable(() => {
    stream.off('data', onData).off('end', onEnd).off('error', onError);
    stream.pause();
  });
}

interface Beginning {
  readonly fd: number;
  readonly offset: number;
  beginning: Buffer;
}

/** Of bytes just read at `offset`: what belongs to the file's beginning. */
function keepBeginning(file: Beginning, bytes: Buffer): void {
  const room = beginningBytes - file.beginning.length;
  if (room > 0 && file.offset === file.beginning.length)
    file.beginning = Buffer.concat([file.beginning, bytes.subarray(0, room)]);
}

function beginsAsBefore({ fd, beginning }: Beginning): boolean {
  const now = Buffer.alloc(beginning.length);
  return readSync(fd, now, 0, now.length, 0) === now.length && now.equals(beginning);
}

function cutText(lines: number): string {
  return `${lines === 1 ? 'a line' : `${lines} lines`} of more than 1 MiB lost the end`;
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function notAFile(path: string, stats: Stats): Problem {
  const message = stats.isDirectory()
    ? `${path} is a folder, not a file.`
    : `${path} is a pipe or a device, not a file. Give a file; a log may come on standard input as well: --log - < ${path}`;
  return { code: 'log-not-a-file', message };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function problemOf(path: string, error: unknown): Problem {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { code: 'log-not-found', message: `There is no file ${path}. Check the path.` };
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'log-forbidden',
        message: `${path} may not be read by this user. Check its permissions.`,
      };
    default:
      return {
        code: 'log-unreadable',
        message: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      };
  }
}
