/**
 * One run of ingest in a process of its own: `node bench/ingestChild.ts JSON`. Prints one JSON line. `parse` is the
 * floor: the same lines, made the same way, parsed and dropped.
 */
import { cpuMs, retainedBytes } from './ownUsage.ts';
import { PreparedCluster, preparedLines } from './preparedCluster.ts';
import { prepareEngine } from './preparedEngine.ts';

export interface IngestTask {
  readonly way: 'parse' | 'engine';
  readonly objects: number;
  readonly events: number;
  /** A folder for the session file, or `memory`. */
  readonly sessions: string;
  /** Collects garbage on the way and tells what is retained; the time then says nothing. */
  readonly memory: boolean;
}

export interface IngestResult {
  /** Without what making the lines took. */
  readonly ms: number;
  readonly linesMs: number;
  /** Processor time, all threads, without that of making the lines. */
  readonly cpuMs: number;
  /** Events recorded; of `parse`, parsed. */
  readonly events: number;
  /** Events that woke a key of the shadow queue. */
  readonly queued: number;
  readonly peakRssBytes: number;
  /** Retained at a tenth, a half and all of the events, bytes; of `memory` runs. */
  readonly retained: readonly number[];
}

const task = JSON.parse(process.argv[2] ?? '{}') as IngestTask;
const result = task.way === 'parse' ? parse(task) : await ingest(task);
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

/** Starts now. What making the lines costs is taken off. */
function stopwatch(lines: Took): { stop(): Took } {
  const cpuBefore = cpuMs();
  const began = performance.now();
  return {
    stop: () => ({ ms: performance.now() - began - lines.ms, cpuMs: cpuMs() - cpuBefore - lines.cpuMs }),
  };
}

interface Took {
  readonly ms: number;
  readonly cpuMs: number;
}

function makeLines({ objects, events }: IngestTask): Took {
  const lines = preparedLines(objects);
  let length = 0;
  const watch = stopwatch({ ms: 0, cpuMs: 0 });
  for (let index = 0; index < events; index++) length += lines.next().length;
  const took = watch.stop();
  if (length === 0) throw new Error('no lines');
  return took;
}

function parse(given: IngestTask): IngestResult {
  const made = makeLines(given);
  const lines = preparedLines(given.objects);
  const watch = stopwatch(made);
  let events = 0;
  for (let index = 0; index < given.events; index++) {
    if ((JSON.parse(lines.next()) as { type: string }).type === 'MODIFIED') events++;
  }
  return { ...watch.stop(), linesMs: made.ms, events, queued: 0, peakRssBytes: peak(), retained: [] };
}

async function ingest(given: IngestTask): Promise<IngestResult> {
  const made = makeLines(given);
  const lines = preparedLines(given.objects);
  const retained: number[] = [];
  const marks = new Set([given.events / 10, given.events / 2].map(Math.floor));
  let counted = 0;
  const watched = {
    ...lines,
    next() {
      if (given.memory && marks.has(counted++)) retained.push(retainedBytes());
      return lines.next();
    },
  };
  const started = Promise.withResolvers<ReturnType<typeof stopwatch>>();
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const cluster = new PreparedCluster({
    objects: given.objects,
    events: given.events,
    lines: watched,
    onFirst: () => started.resolve(stopwatch(made)),
    onLast: finish,
  });
  const { engine, connect } = prepareEngine(cluster, given.sessions);
  const session = await connect();
  await done;
  session.recorder.log.flush();
  const took = (await started.promise).stop();
  if (given.memory) retained.push(retainedBytes());
  let events = 0;
  for (const head of session.recorder.log.heads({ kinds: ['object'] })) {
    if (head.op === 'modified') events++;
  }
  for (const { fact } of session.index.ofKind('db.example.com', 'Database')) {
    const told = lines.last.get(fact.name);
    if (told !== undefined && told !== fact.resourceVersion) {
      throw new Error(`${fact.name} is at ${fact.resourceVersion}, the watch told ${told}`);
    }
  }
  const queued = session.shadows.view('database').snapshot?.totals.events ?? 0;
  engine.dispose();
  return { ...took, linesMs: made.ms, events, queued, peakRssBytes: peak(), retained };
}

function peak(): number {
  return process.resourceUsage().maxRSS * 1024;
}
