/**
 * `npm run score:traces -- DIR… [--no-log] [--json] [--faults N]`: how right the reconcile traces of recorded runs are. Default: the
 * recordings handed with the project. Exit code 1 below the bars, 2 for wrong arguments.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { repositoryRoot } from '../testbed/paths.ts';
import { missed, percent, rowTitle } from './bars.ts';
import { type RowScore, type RunScore, scoreRun } from './scoreRun.ts';

const options = {
  'no-log': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  faults: { type: 'string', default: '3' },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsConfig['options'];

const usage = [
  'npm run score:traces [-- DIR… options]   score the traces of recorded runs (docs/spec/scoring.md)',
  '',
  '  DIR         a recording, or a folder of recordings; default: those handed with the project',
  '  --no-log    only the row without the log',
  '  --json      for programs',
  '  --faults N  name up to N things that are wrong in each row (default 3)',
  '',
].join('\n');

/** Beside the repository, as they are handed with it. */
export const handedRecordings = join(repositoryRoot, '..', 'shared', 'recordings');

/** Folders with a ground truth at or right below `path`, in order of name. */
export function runsBelow(path: string): readonly string[] {
  if (existsSync(join(path, 'ground.json'))) return [path];
  if (!existsSync(path) || !statSync(path).isDirectory()) return [];
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter((folder) => existsSync(join(folder, 'ground.json')));
}

async function main(argv: readonly string[]): Promise<number> {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const targets = positionals.length === 0 ? [handedRecordings] : positionals;
  const empty = targets.filter((target) => runsBelow(target).length === 0);
  if (empty.length > 0) {
    console.error(`no recording with a ground.json in ${empty.join(', ')}`);
    return 2;
  }
  const misses: string[] = [];
  for (const folder of targets.flatMap(runsBelow)) {
    let run: RunScore | undefined;
    try {
      run = await scoreRun(folder, values['no-log'] ? ['watch'] : undefined);
    } catch (cause) {
      console.error(`${folder} cannot be scored: ${cause instanceof Error ? cause.message : String(cause)}`);
      return 2;
    }
    if (run === undefined) continue;
    const wrong = missed(run);
    misses.push(...wrong);
    console.log(values.json ? JSON.stringify(asJson(run, wrong)) : asText(run, wrong, Number(values.faults)));
  }
  if (!values.json)
    console.log(misses.length === 0 ? 'Every bar is reached.' : `Below the bars:\n  ${misses.join('\n  ')}`);
  return misses.length === 0 ? 0 : 1;
}

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options, allowPositionals: true });
}

function asJson({ run, truth, rows }: RunScore, wrong: readonly string[]) {
  return {
    format: 1,
    run,
    writes: truth.writes.length,
    noChange: truth.unseen,
    ofNoKey: truth.keyless,
    rows: rows.map(({ row, score, queues, spans, tookMs }) => ({
      row,
      ...score,
      inDoubt: [...score.inDoubt],
      queues,
      spans: spans.length,
      tookMs: Math.round(tookMs),
    })),
    missed: wrong,
  };
}

function asText({ run, truth, rows }: RunScore, wrong: readonly string[], faults: number): string {
  const { writes, unseen, keyless, spans, errors } = truth;
  const known = spans === undefined ? '' : `, ${spans.length} reconciles`;
  return [
    `${run}: ${writes.length} writes${known}, ${errors.length} errors (not counted: ${unseen} writes that changed nothing, ${keyless} of no key)`,
    `  ${['input', 'writes right', 'key and controller', 'not its own', 'did not happen', 'errors', 'reconciles found', 'spans'].map((title, index) => title.padEnd(widths[index] ?? 0)).join('')}`,
    ...rows.flatMap((row) => [rowText(row), ...faultText(row, faults), ...queueText(row)]),
    wrong.length === 0 ? '  reaches the bars' : `  misses ${wrong.length}`,
    '',
  ].join('\n');
}

const widths = [27, 18, 20, 15, 17, 12, 18, 6] as const;

function rowText({ row, score, spans }: RowScore): string {
  const count = (one: { right: number; of: number }, none: number) =>
    one.of === 0 ? '–' : `${percent(one, none)} of ${one.of}`;
  const cells = [
    rowTitle[row],
    count(score.writes, 1),
    count(score.writesByKey, 1),
    count(score.notItsOwn, 0),
    count(score.notHappened, 0),
    score.errors.of === 0 ? '–' : `${score.errors.right} of ${score.errors.of}`,
    score.found === undefined ? '–' : count(score.found, 1),
    String(spans.length),
  ];
  return `  ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('')}`;
}

function faultText({ score }: RowScore, most: number): readonly string[] {
  const shown = score.faults.slice(0, most).map((text) => `      ${text}`);
  const left = score.faults.length - shown.length;
  return left > 0 && most > 0 ? [...shown, `      and ${left} more`] : shown;
}

function queueText({ queues }: RowScore): readonly string[] {
  return (queues ?? []).map(({ controller, figure, model, reported, inside }) => {
    const said = model === undefined ? 'nothing' : `${model.lo} to ${model.hi}`;
    return `      queue ${controller} ${figure}: ${said}, reported ${reported}${inside ? '' : ', outside'}`;
  });
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2));
  process.exit();
}
