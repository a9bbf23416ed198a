/**
 * A folder of a run, scored: what the product may see is put together for each row of the table (docs/spec/scoring.md), opened as a
 * person would open a folder, and its spans and queues are held against the truth. Audit and ground truth are never among it.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jsonSpan } from '../../cli/traceJson.ts';
import type { EngineSession } from '../../core/engine/engineSession.ts';
import { openFolderSession } from '../../core/engine/folderSession.ts';
import { parseCaseYaml } from '../../core/node/readCaseFolder.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import type { CaseFile } from '../../core/source/caseFolder/caseFiles.ts';
import { recordSeq } from '../../shared/model/ids.ts';
import type { Span } from '../../shared/model/trace.ts';
import type { JsonSpan } from '../../shared/model/traceJson.ts';
import { asDefaultLog } from './probeLog.ts';
import { readTruth } from './readTruth.ts';
import { type Score, scoreSpans } from './score.ts';
import { type QueueScore, scoreQueues } from './scoreQueues.ts';
import type { Truth } from './truth.ts';

/** What the product saw beside cluster.yaml. `vLog`: a log at V(5) with fractions of a second; `log`: the log as most operators write it. */
export type Row = 'vLog' | 'log' | 'watch';

export interface RowScore {
  readonly row: Row;
  readonly score: Score;
  /** Absent without the counters to compare with. */
  readonly queues?: readonly QueueScore[];
  readonly spans: readonly Span[];
  /** Time to open the folder and derive everything, ms. */
  readonly tookMs: number;
}

export interface RunScore {
  readonly run: string;
  readonly truth: Truth;
  readonly rows: readonly RowScore[];
}

/** Undefined where the folder holds no truth to score against. Throws where the product cannot open the folder. */
export async function scoreRun(
  folder: string,
  only: readonly Row[] = ['vLog', 'log', 'watch'],
): Promise<RunScore | undefined> {
  const truth = readTruth(folder);
  if (truth === undefined) return undefined;
  // Only a run of the test bed has a log at V(5): its default log is made from it, so that both are of the same run.
  const possible: readonly Row[] = truth.spans === undefined ? ['log', 'watch'] : ['vLog', 'log', 'watch'];
  const rows: RowScore[] = [];
  for (const row of possible.filter((one) => only.includes(one))) {
    const started = performance.now();
    const files = inputsOf(folder, row, truth.spans !== undefined);
    const seen = await derive(basename(folder), files);
    const tookMs = performance.now() - started;
    const queues = truth.scraped === undefined ? {} : { queues: await queuesAt(truth, truth.scraped, files) };
    rows.push({ row, score: scoreSpans(truth, seen.printed), spans: seen.spans, ...queues, tookMs });
  }
  return { run: truth.run, truth, rows };
}

function inputsOf(folder: string, row: Row, verbose: boolean): readonly CaseFile[] {
  const read = (name: string): CaseFile => ({ name, text: readFileSync(join(folder, name), 'utf8') });
  const files = [read('asof.txt'), read('cluster.yaml'), read('watch.jsonl')];
  if (row === 'watch') return files;
  const log = read('operator.log');
  if (row === 'vLog' || !verbose) return [...files, log];
  const lines = asDefaultLog(log.text.split('\n').slice(0, -1));
  return [...files, { name: log.name, text: lines.map((line) => `${line}\n`).join('') }];
}

/** Everything that is known of the life of the process that ran last. */
const beforeAll = { lo: Number.NEGATIVE_INFINITY, hi: Number.NEGATIVE_INFINITY };

/** The shadow queues as they stood when the operator's metrics were read last, derived without them. */
async function queuesAt(
  truth: Truth,
  at: { readonly lo: number; readonly hi: number },
  files: readonly CaseFile[],
): Promise<readonly QueueScore[]> {
  const asOf = { name: 'asof.txt', text: `${new Date(at.hi).toISOString()}\n` };
  const cut = [asOf, ...files.filter(({ name }) => name !== asOf.name)];
  return withSession(truth.run, cut, ({ shadows }) =>
    scoreQueues(truth, (controller) => shadows.runCounts(controller)?.between(beforeAll, at)),
  );
}

interface Derived {
  readonly spans: readonly Span[];
  /** As `loopscope trace --json` prints them. */
  readonly printed: readonly JsonSpan[];
}

function derive(name: string, files: readonly CaseFile[]): Promise<Derived> {
  return withSession(name, files, ({ traces, recorder }) => {
    const spans = traces.spans({});
    const printed = spans.map((span) => jsonSpan(span, (seq) => recorder.log.head(recordSeq(seq))));
    return { spans, printed };
  });
}

async function withSession<T>(
  name: string,
  files: readonly CaseFile[],
  use: (session: EngineSession) => T,
): Promise<T> {
  const opened = await openFolderSession(files, {
    name,
    clock: systemClock,
    digest: (text) => `digest of ${text.length} characters`,
    parseYaml: parseCaseYaml,
    onBug(where, error) {
      throw new Error(`a bug while a run was scored: ${where}`, { cause: error });
    },
  });
  if (!opened.ok) throw new Error(`${name} cannot be opened: ${opened.error.message}`);
  const { session } = opened.value;
  try {
    session.traces.settle();
    return use(session);
  } finally {
    session.dispose();
  }
}
