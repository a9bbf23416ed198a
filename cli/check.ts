/** `loopscope check`: a case folder here, a live cluster in checkLive.ts. */

import type { CaseProblem } from '../core/source/caseFolder/caseFiles.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import type { NotEvaluated } from '../shared/model/finding.ts';
import type { ParsedArgs } from './args.ts';
import { exitCode, exitCodeOf, exitCodeOfProblem } from './exitCodes.ts';
import type { Io } from './io.ts';
import { clean, everyRule, type Report, reportJson, reportText, styleFor } from './output.ts';

/** Flags that say something about a live cluster only. */
const liveOnly = ['kubeconfig', 'context', 'namespace', 'for', 'sync-timeout', 'log', 'metrics', 'profile'];

/** A binary file in the place of a log would say the same ten thousand times. */
const notesPerFile = 10;

export async function runCheck(args: ParsedArgs, io: Io): Promise<number> {
  const [target] = args.positionals;
  if (target === undefined) return (await import('./checkLive.ts')).checkLive(args, io);
  const misplaced = liveOnly.find((flag) => args.has(flag));
  if (misplaced !== undefined) {
    io.note(`loopscope: --${misplaced} is for a live cluster; a case folder holds its own data.`);
    return exitCode.usage;
  }
  return checkFolder(target, args, io);
}

async function checkFolder(target: string, args: ParsedArgs, io: Io): Promise<number> {
  const { parseCaseYaml, readCaseFolder } = await import('../core/node/readCaseFolder.ts');
  const { checkCase } = await import('../core/source/caseFolder/caseFolder.ts');
  const files = await readCaseFolder(target);
  if (!files.ok) return fail(files.error, io);
  // Some rules read what the operator did: put together from the same files.
  const { folderSpans } = await import('../core/node/openTarget.ts');
  const spans = await folderSpans(files.value, (where, error) =>
    io.note(
      `note: this is a bug, please report it: ${where}: ${error instanceof Error ? error.message : String(error)}`,
    ),
  );
  const known = spans === undefined ? {} : { spans };
  const { problems, ...report } = checkCase(files.value, parseCaseYaml, known);
  const told = new Map<string, number>();
  for (const { file, line, text } of problems) {
    const count = (told.get(file) ?? 0) + 1;
    told.set(file, count);
    if (count <= notesPerFile)
      io.note(`note: ${file}${line === undefined ? '' : ` line ${line}`} was skipped: ${clean(text)}`);
  }
  for (const [file, count] of told)
    if (count > notesPerFile) io.note(`note: ${file}: ${count - notesPerFile} more lines were skipped.`);
  const skipped = [...told].map(([file, count]) => skippedOf(file, count, problems));
  return finish({ ...report, notEvaluated: [...skipped, ...report.notEvaluated] }, args, io);
}

/** What a file held and no rule could read, as one entry: a program that reads the JSON sees no standard error. */
function skippedOf(file: string, count: number, problems: readonly CaseProblem[]): NotEvaluated {
  const { line, text = '' } = problems.find((problem) => problem.file === file) ?? {};
  const first = `${line === undefined ? '' : `line ${line}: `}${text}`;
  const what = count === 1 ? `A part of ${file} was` : `${count} parts of ${file} were`;
  return { rule: everyRule, reason: `${what} skipped (${first}), so no rule read it.` };
}

/** Prints the report as asked for and gives its exit code. */
export function finish(report: Report, args: ParsedArgs, io: Io): number {
  if (args.has('json')) io.out(reportJson(report));
  else io.out(reportText(report, styleFor({ isTTY: io.stdoutIsTerminal }, io.env)));
  return exitCodeOf(report.findings, report.notEvaluated, args.has('fail-on-incomplete'));
}

/** An expected failure: its sentence, its exit code. */
export function fail(problem: Problem, io: Io): number {
  io.note(`loopscope: ${clean(problem.message)}`);
  return exitCodeOfProblem(problem);
}
