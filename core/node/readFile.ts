/** Reads a whole file as lines, in slices, and ends: an audit file that is imported. Nothing of it is followed. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import type { FeedSink } from '../engine/host.ts';
import { LineSplitter } from './lineSplitter.ts';

/** Read and recorded in one turn before the event loop gets its own. */
const sliceBytes = 128 * 1024;

/** Lines come as `backlog`, the last one needs no newline. States: live, then ended, or failed. Dispose gives up. */
export function readFileOnce(path: string, sink: FeedSink, clock: Clock): Disposable {
  const splitter = new LineSplitter();
  const buffer = Buffer.allocUnsafe(sliceBytes);
  let timer: Disposable | undefined;
  let fd: number | undefined;

  function close(): void {
    timer?.dispose();
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  }

  function emit(lines: readonly string[]): void {
    const receivedAt = clock.now();
    if (lines.length > 0) sink.lines(lines.map((text) => ({ text, receivedAt, backlog: true })));
    const cut = splitter.takeCut();
    if (cut > 0)
      sink.gap(`${cut === 1 ? 'a line' : `${cut} lines`} of more than 1 MiB lost the end`, receivedAt);
  }

  function slice(): void {
    if (fd === undefined) return;
    try {
      const count = readSync(fd, buffer, 0, sliceBytes, null);
      if (count === 0) {
        const rest = splitter.flush();
        emit(rest === undefined ? [] : [rest]);
        close();
        sink.state('ended', path);
        return;
      }
      emit(splitter.push(buffer.subarray(0, count)));
    } catch (error) {
      close();
      const why = error instanceof Error ? error.message : 'unknown';
      const message = `${path} cannot be read to its end (${why}). What was read of it is on record.`;
      sink.state('failed', 'cannot be read', { code: 'audit-unreadable', message });
      return;
    }
    if (fd !== undefined) timer = clock.setTimer(0, slice);
  }

  try {
    fd = openSync(path, 'r');
    sink.state('live', path);
    timer = clock.setTimer(0, slice);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    sink.state('failed', 'cannot be read', {
      code: 'audit-unreadable',
      message: `${path} cannot be opened (${why}). Check the path and its permissions.`,
    });
  }
  return toDisposable(close);
}
