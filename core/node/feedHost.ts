/** The feeds of this machine: files, standard input and URLs, as the engine asks for them. */
import type { Readable } from 'node:stream';
import type { Clock } from '../../shared/base/clock.ts';
import { ok } from '../../shared/base/result.ts';
import type { FeedHost } from '../engine/host.ts';
import { probeLog, tailFile, tailStream } from './logTail.ts';
import { scrapeMetrics } from './metricsScrape.ts';
import { readFileOnce } from './readFile.ts';

/** `input`: what the path `-` means. */
export function createFeedHost(clock: Clock, input: Readable = process.stdin): FeedHost {
  return {
    probe: async (path) => (path === '-' ? ok(undefined) : probeLog(path)),
    tail: (path, sink) => (path === '-' ? tailStream(input, sink, clock) : tailFile(path, sink, { clock })),
    read: (path, sink) => readFileOnce(path, sink, clock),
    scrape: (url, sink) => scrapeMetrics(url, sink, { clock }),
  };
}
