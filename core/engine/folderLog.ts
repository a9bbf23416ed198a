/**
 * FolderLog: the files of a case folder as the log of a session: records of the sources a live session would have, in
 * order of their times. Whatever derives from a session derives from it: nothing reads the folder a second time.
 * Rules: docs/spec/folder.md
 */
import type { Clock } from '../../shared/base/clock.ts';
import { type SourceId, sourceId } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { RecordInput, SessionLog } from '../session/record.ts';
import { createRecorder } from '../session/recorder.ts';
import {
  type CaseFile,
  type CaseProblem,
  type ParseYaml,
  readDocuments,
  readWatchStream,
} from '../source/caseFolder/caseFiles.ts';
import { nameTime, readAsOf } from '../source/caseFolder/caseTimes.ts';
import { newestTime } from '../source/caseFolder/newestTime.ts';
import { servedKinds } from '../source/caseFolder/servedKinds.ts';
import type { Digest } from '../source/secretFilter.ts';
import { sourceOf } from '../source/watch/resourceWatch.ts';
import { folderFeed, type TimedLine, timedAudit, timedLog } from './folderFeeds.ts';
import { folderObjects } from './folderObjects.ts';
import { type ConnectionRecord, type DiscoveryRecord, self } from './watchRecords.ts';

/** Inputs that may be left out: `watch` is watch.jsonl, `cluster` is cluster.yaml. */
export type FolderInput = 'watch' | 'cluster' | 'log' | 'metrics' | 'audit';

export interface FolderLogOptions {
  readonly clock: Clock;
  /** The YAML library's part: one document of cluster.yaml. */
  readonly parseYaml: ParseYaml;
  /** For what must not reach a record: see secretFilter.ts. */
  readonly digest: Digest;
  /** What the session is called: the folder. */
  readonly name: string;
  /** Files that are not read, whether they are there or not. Default: none. */
  readonly without?: readonly FolderInput[];
  /** `loopscope.yaml`, read and checked, with its path. */
  readonly profile?: { readonly file: ProfileFile; readonly path: string } | undefined;
}

export interface FolderLog {
  readonly log: SessionLog;
  /** Where the files begin, ms. */
  readonly from: number;
  /** The moment of judgement, ms: asof.txt, else the newest time found. 0: no file states a time. */
  readonly asOf: number;
  /** What could not be read and was skipped. */
  readonly problems: readonly CaseProblem[];
  /** Inputs that were there and read. */
  readonly inputs: readonly FolderInput[];
}

/** Never throws for what stands in the files. */
export function folderLog(files: readonly CaseFile[], options: FolderLogOptions): FolderLog {
  const problems: CaseProblem[] = [];
  const without = new Set(options.without);
  const fileOf = (name: string, input: FolderInput) =>
    without.has(input) ? undefined : files.find((file) => file.name === name);
  const clusterFiles = without.has('cluster')
    ? []
    : files.filter(({ name }) => /^cluster\.ya?ml$/.test(name));
  const listed = clusterFiles.flatMap((file) => readDocuments(file, options.parseYaml, problems));
  const watchFile = fileOf('watch.jsonl', 'watch');
  const logFile = fileOf('operator.log', 'log');
  const auditFile = fileOf('audit.jsonl', 'audit');
  const scrapes = without.has('metrics') ? [] : files.filter(({ name }) => /^metrics.*\.txt$/.test(name));
  const stream =
    watchFile === undefined ? { events: [], initialEnds: [] } : readWatchStream(watchFile, problems);
  const audit = auditFile === undefined ? [] : timedAudit(auditFile, problems);

  const stated = readAsOf(
    files.find(({ name }) => name === 'asof.txt'),
    problems,
  );
  const known = newestTime(
    listed.map(({ object }) => object),
    [...stream.events.map(({ at }) => at), ...audit.map(({ at }) => at?.hi), ...scrapes.map(nameTime)],
  );
  const log = logFile === undefined ? [] : timedLog(logFile, stated ?? known);
  const asOf = stated ?? newestTime([], [known, ...log.map(({ at }) => at?.lo)]) ?? 0;
  const from = Math.min(
    asOf,
    ...firstTimes([
      stream.events.map(({ at }) => at),
      log.map(({ at }) => at?.lo),
      audit.map(({ at }) => at?.lo),
      scrapes.map(nameTime),
    ]),
  );
  const until = stated === undefined ? Number.POSITIVE_INFINITY : stated + 999;
  const events = stream.events.filter(({ at }) => at === undefined || at <= until);
  const all = [...listed, ...events].map(({ object }) => object);
  const { served, undiscovered } = servedKinds(all);
  const objects = folderObjects({
    listed,
    events,
    initialEnds: stream.initialEnds,
    from,
    asOf,
    resourceOf: resourceFinder(served),
    digest: options.digest,
  });

  const span = { from, asOf, until };
  const logSource = sourceId('log:1');
  const auditSource = sourceId('audit:1');
  const metricsSource = sourceId('metrics:1');
  const feeds = [
    ...(logFile === undefined ? [] : [{ id: logSource, kind: 'log', label: logFile.name } as const]),
    ...(auditFile === undefined ? [] : [{ id: auditSource, kind: 'audit', label: auditFile.name } as const]),
    ...(scrapes.length === 0
      ? []
      : [{ id: metricsSource, kind: 'metrics', label: scrapeLabel(scrapes) } as const]),
  ];
  const own = ownRecords(from);
  const opening: RecordInput[] = [
    own('connection', opened(options.name, from)),
    own('discovery', { served, undiscovered, ms: 0 } satisfies DiscoveryRecord),
    ...objects.seen.map((resource) => own('connection', sourceRecord(resource, from))),
    ...feeds.map((feed) => own('connection', feedRecord(feed, 'waiting', 'not read yet'))),
  ];
  const atEnd = ownRecords(asOf);
  const streams: readonly (readonly RecordInput[])[] = [
    objects.first,
    [own('connection', { what: 'synced', ms: 0 } satisfies ConnectionRecord)],
    objects.events,
    folderFeed('audit', auditSource, audit, span),
    folderFeed('log', logSource, log, span),
    folderFeed('metrics', metricsSource, scrapeLines(scrapes, asOf), span),
    objects.last,
    feeds.map((feed) => atEnd('connection', feedRecord(feed, 'ended', 'read to its end'))),
    // With everything known: queues are built once, as they are without such a file.
    options.profile === undefined ? [] : [atEnd('profile', { what: 'file', value: options.profile })],
  ];

  const memory = createMemoryLog({ clock: at(options.clock, from), id: options.name });
  const recorder = createRecorder(memory);
  for (const input of opening) recorder.record(input);
  for (const input of merged(streams))
    recorder.record(input.receivedAt > asOf ? clipped(input, asOf) : input);
  return {
    log: memory,
    from,
    asOf,
    problems,
    inputs: inputsOf({ watchFile, clusterFiles, logFile, auditFile, scrapes }),
  };
}

function inputsOf(read: {
  readonly watchFile: CaseFile | undefined;
  readonly clusterFiles: readonly CaseFile[];
  readonly logFile: CaseFile | undefined;
  readonly auditFile: CaseFile | undefined;
  readonly scrapes: readonly CaseFile[];
}): readonly FolderInput[] {
  const inputs: FolderInput[] = [];
  if (read.clusterFiles.length > 0) inputs.push('cluster');
  if (read.watchFile !== undefined) inputs.push('watch');
  if (read.logFile !== undefined) inputs.push('log');
  if (read.scrapes.length > 0) inputs.push('metrics');
  if (read.auditFile !== undefined) inputs.push('audit');
  return inputs;
}

/** The first stated time of each stream. */
function firstTimes(streams: readonly (readonly (number | undefined)[])[]): readonly number[] {
  return streams.flatMap((times) => times.find((time) => time !== undefined) ?? []);
}

/** A log that begins then, whenever it is made. */
function at(clock: Clock, now: number): Clock {
  return {
    ...clock,
    now: () => now,
    monotonic: () => clock.monotonic(),
    setTimer: (ms, fire) => clock.setTimer(ms, fire),
  };
}

/** What was stated for a moment within the last second of the folder was there at its end. */
function clipped(input: RecordInput, asOf: number): RecordInput {
  return { ...input, receivedAt: asOf };
}

/**
 * All records by the time they were there; of one instant in the order of the streams. Each stream keeps its own order: a
 * source's is never changed by its clock.
 */
function* merged(streams: readonly (readonly RecordInput[])[]): Generator<RecordInput> {
  const places = streams.map(() => 0);
  for (;;) {
    let next: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [index, stream] of streams.entries()) {
      const time = stream[places[index] ?? 0]?.receivedAt;
      if (time === undefined || time >= least) continue;
      least = time;
      next = index;
    }
    if (next === undefined) return;
    const place = places[next] ?? 0;
    places[next] = place + 1;
    const input = streams[next]?.[place];
    if (input !== undefined) yield input;
  }
}

/** The whole scrape of a folder without its time is its newest: somewhere between the one before and the end. */
function scrapeLines(scrapes: readonly CaseFile[], asOf: number): readonly TimedLine[] {
  const timed = scrapes
    .map((file) => ({ text: file.text, time: nameTime(file) }))
    .sort((a, b) => (a.time ?? Number.POSITIVE_INFINITY) - (b.time ?? Number.POSITIVE_INFINITY));
  const newest = timed.findLast(({ time }) => time !== undefined)?.time;
  return timed.map(({ text, time }) => ({
    text,
    at: time === undefined ? { lo: Math.min(newest ?? asOf, asOf), hi: asOf } : { lo: time, hi: time + 999 },
  }));
}

function scrapeLabel(scrapes: readonly CaseFile[]): string {
  const [first] = scrapes;
  return scrapes.length === 1 && first !== undefined ? first.name : 'metrics*.txt';
}

function resourceFinder(served: readonly ApiResource[]): (object: KubeObject) => ApiResource | undefined {
  const exact = new Map(
    served.map((one) => [`${one.group === '' ? '' : `${one.group}/`}${one.version} ${one.kind}`, one]),
  );
  const byKind = new Map<string, ApiResource>();
  for (const one of served) {
    const id = `${one.group} ${one.kind}`;
    if (!byKind.has(id)) byKind.set(id, one);
  }
  return ({ apiVersion, kind }) => {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    return exact.get(`${apiVersion} ${kind}`) ?? byKind.get(`${group} ${kind}`);
  };
}

type Own = (kind: RecordInput['kind'], value: unknown) => RecordInput;

function ownRecords(time: number): Own {
  return (kind, value) => ({
    kind,
    source: self,
    at: { lo: time, hi: time },
    receivedAt: time,
    payload: JSON.stringify(value),
  });
}

function opened(name: string, since: number): ConnectionRecord {
  return { what: 'opened', context: name, server: '', version: '', user: '', namespaces: [], since };
}

function sourceRecord(resource: ApiResource, since: number): ConnectionRecord {
  return {
    what: 'source',
    status: {
      source: sourceOf(resource),
      resource,
      detail: resource.group === '' && resource.kind === 'Secret' ? 'metadata' : 'full',
      mode: 'list',
      state: 'live',
      since,
      objects: 0,
      expected: undefined,
      version: '0',
      reconnects: 0,
      relists: 0,
      missing: [],
      error: undefined,
      lostSince: undefined,
      nextTryAt: undefined,
    },
  };
}

function feedRecord(
  feed: { readonly id: SourceId; readonly kind: 'log' | 'audit' | 'metrics'; readonly label: string },
  state: 'waiting' | 'ended',
  detail: string,
): ConnectionRecord {
  return { what: 'feed', feed: { ...feed, state, detail } };
}
