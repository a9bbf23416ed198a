/**
 * Running tools and test suites as children and making one kind of result of them. No output of a tool is lost: what is
 * not streamed is kept and shown when the step fails.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const repositoryRoot = join(import.meta.dirname, '..');

/** One line of the summary. Counts are tests; a tool (types, lint …) counts as one. */
export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly ms: number;
  /** What did not run and why, a sentence each. */
  readonly notes: readonly string[];
  /** Shown below the summary when something failed; empty when it was streamed. */
  readonly output: string;
}

export interface Run {
  readonly code: number;
  readonly output: string;
  readonly ms: number;
  readonly timedOut: boolean;
}

export interface RunOptions {
  /** To this terminal as it comes; `output` is empty then. */
  readonly stream?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** After this the child and its children are ended and `timedOut` is set. */
  readonly limitMs?: number;
}

/** Runs `args` with this process's Node in the repository. Never rejects; a start that fails is code 1 with the reason. */
export function runNode(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const since = performance.now();
  const { stream = false, limitMs } = options;
  return new Promise((resolve) => {
    // A group of its own where there is a limit, so that all of it can be ended.
    const ownGroup = limitMs !== undefined && process.platform !== 'win32';
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd: repositoryRoot,
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0', ...options.env },
      stdio: ['ignore', stream ? 'inherit' : 'pipe', stream ? 'inherit' : 'pipe'],
      detached: ownGroup,
    });
    let output = '';
    let timedOut = false;
    const collect = (chunk: string) => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    const limit =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            if (ownGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
            else child.kill();
          }, limitMs);
    const finish = (code: number) => {
      clearTimeout(limit);
      resolve({ code, output, ms: performance.now() - since, timedOut });
    };
    child.once('error', (error) => {
      output += error.message;
      finish(1);
    });
    child.once('close', (code) => finish(code ?? 1));
  });
}

/** A tool that says yes or no. */
export async function toolSuite(name: string, args: readonly string[]): Promise<SuiteResult> {
  const { code, output, ms } = await runNode(args);
  return {
    name,
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    skipped: 0,
    ms,
    notes: [],
    output,
  };
}

export interface VitestOptions extends RunOptions {
  readonly exclude?: readonly string[];
}

/** One vitest project, counted from its JSON report. */
export async function vitestSuite(project: string, options: VitestOptions = {}): Promise<SuiteResult> {
  const report = join(tmpdir(), `loopscope-vitest-${project}-${process.pid}.json`);
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    `--project=${project}`,
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(options.exclude ?? []).map((pattern) => `--exclude=${pattern}`),
  ];
  const { code, output, ms } = await runNode(args, options);
  let text: string | undefined;
  try {
    text = readFileSync(report, 'utf8');
  } catch {
    text = undefined; // vitest ended before it wrote one; counted as a failure below
  }
  rmSync(report, { force: true });
  const counts = countReport(text, code);
  return { name: project, ...counts, ms, output };
}

interface ReportFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly ancestorTitles: readonly string[];
    readonly title: string;
  }[];
}

type Counts = Pick<SuiteResult, 'passed' | 'failed' | 'skipped' | 'notes'>;

/**
 * Counts of a vitest JSON report. A file that failed outside of its tests (import, hook) counts as one failure, and so does
 * an exit code that no test explains (an unhandled error, no report at all).
 */
export function countReport(text: string | undefined, code: number): Counts {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  const skippedIn = new Map<string, string[]>();
  const files =
    text === undefined ? [] : (JSON.parse(text) as { testResults: readonly ReportFile[] }).testResults;
  for (const file of files) {
    const before = failed;
    for (const { status, ancestorTitles, title } of file.assertionResults) {
      if (status === 'passed') passed += 1;
      else if (status === 'failed') failed += 1;
      else {
        skipped += 1;
        const group = ancestorTitles[0] ?? '';
        skippedIn.set(group, [...(skippedIn.get(group) ?? []), title]);
      }
    }
    if (file.status === 'failed' && failed === before) failed += 1;
  }
  if (code !== 0 && failed === 0) failed = 1;
  return { passed, failed, skipped, notes: [...skippedIn].flatMap(skipNotes) };
}

/** A group that was skipped as a whole is one line: its title says why. */
function skipNotes([group, titles]: readonly [string, readonly string[]]): string[] {
  if (group === '') return [...titles];
  return titles.length === 1 ? [`${group}: ${titles[0]}`] : [`${group}: ${titles.length} tests`];
}

/** `12 passed, 0 failed` at the end of a tool's output; undefined when it is not there. */
export function countLastLine(output: string): { passed: number; failed: number } | undefined {
  const match = /(\d+) passed, (\d+) failed\s*$/.exec(output);
  if (match === null) return undefined;
  return { passed: Number(match[1]), failed: Number(match[2]) };
}

/** Table of results; the output of what failed goes below it. */
export function summary(results: readonly SuiteResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines: string[] = [];
  for (const result of results) {
    const counts = [`${result.passed} passed`];
    if (result.failed > 0) counts.push(`${result.failed} FAILED`);
    if (result.skipped > 0) counts.push(`${result.skipped} skipped`);
    lines.push(`  ${result.name.padEnd(width)}  ${seconds(result.ms).padStart(7)}  ${counts.join(', ')}`);
    for (const note of result.notes) lines.push(`  ${' '.repeat(width)}           skipped: ${note}`);
  }
  return lines.join('\n');
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Runs `jobs` with at most `width` at a time, in order of the list; results keep the order of the list. */
export async function inParallel<T>(jobs: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index];
      if (job !== undefined) results[index] = await job();
    }
  }
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
