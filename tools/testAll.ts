/**
 * `npm test`: check (types, lint, layers, unused, unit), conformance, integration on a real cluster, the window in a real
 * browser, the desktop program on a stand-in for Electron, and in Electron itself. `--fast` leaves out `*.slow.test.ts` and does not wait for a cold Go build; at most five minutes.
 * What cannot run is skipped visibly; in CI (environment CI) it fails. The last line is `N passed, N failed, N skipped`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { failureOutput, runChecks } from './check.ts';
import { ensureWindowBuilt } from './runtime.mjs';
import {
  countLastLine,
  repositoryRoot,
  runNode,
  type SuiteResult,
  seconds,
  summary,
  vitestSuite,
} from './suites.ts';

const SLOW = '**/*.slow.test.ts';
/** A warm build takes seconds; a cold one of the API server 5 to 7 minutes. */
const FAST_BUILD_LIMIT_MS = 60_000;

async function main(args: readonly string[]): Promise<number> {
  const fast = args.includes('--fast');
  const ci = process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false';
  const since = performance.now();
  const results: SuiteResult[] = [];

  // First, because some of the unit tests start the built window.
  heading('window');
  const window = await windowSuite();
  results.push(...show([window]));
  heading('check');
  results.push(...show(await runChecks()));
  heading('conformance');
  results.push(...show([await conformanceSuite()]));

  heading('test bed');
  const built = await runNode(['e2e/testbed/build.ts'], {
    stream: true,
    ...(fast ? { limitMs: FAST_BUILD_LIMIT_MS } : {}),
  });
  console.log(`test bed: ${seconds(built.ms)}`);

  for (const project of ['integration', 'browser', 'desktop', 'electron']) {
    heading(project);
    if (built.timedOut) {
      const why = 'the test bed is not built yet and --fast does not wait for it: run npm test once';
      results.push(notRun(project, why, ci));
    } else if (project !== 'integration' && window.failed > 0) {
      results.push(notRun(project, 'the window could not be built', true));
    } else {
      const ran = await vitestSuite(project, { stream: true, exclude: fast ? [SLOW] : [] });
      results.push(withLeftOut(ran, project, fast, ci));
    }
  }

  console.log(`\n${failureOutput(results)}`);
  console.log(summary(results));
  console.log(`  in ${seconds(performance.now() - since)}${fast ? ', without the slow ones' : ''}`);
  const total = (count: (result: SuiteResult) => number) =>
    results.reduce((sum, result) => sum + count(result), 0);
  const failed = total((result) => result.failed);
  console.log(
    `${total((result) => result.passed)} passed, ${failed} failed, ${total((result) => result.skipped)} skipped`,
  );
  return failed > 0 ? 1 : 0;
}

function heading(name: string): void {
  console.log(`\n── ${name} ──`);
}

function show(results: readonly SuiteResult[]): readonly SuiteResult[] {
  console.log(summary(results));
  return results;
}

async function conformanceSuite(): Promise<SuiteResult> {
  const { code, output, ms } = await runNode(['e2e/conformance/run.ts']);
  const counted = countLastLine(output);
  const passed = counted?.passed ?? 0;
  const failed = counted?.failed ?? 0;
  const notes = output.split('\n').filter((line) => line.includes('not replayed'));
  return {
    name: 'conformance',
    passed,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: notes.length,
    ms,
    notes,
    output,
  };
}

async function windowSuite(): Promise<SuiteResult> {
  const since = performance.now();
  const base = { name: 'window build', skipped: 0, notes: [] };
  try {
    await ensureWindowBuilt({ node: process.execPath });
    return { ...base, passed: 1, failed: 0, ms: performance.now() - since, output: '' };
  } catch (error) {
    const output = error instanceof Error ? error.message : String(error);
    return { ...base, passed: 0, failed: 1, ms: performance.now() - since, output };
  }
}

/** A suite that cannot run: a failure where it must run, else one visible skip. */
function notRun(name: string, why: string, mustRun: boolean): SuiteResult {
  return {
    name,
    passed: 0,
    failed: mustRun ? 1 : 0,
    skipped: mustRun ? 0 : 1,
    ms: 0,
    notes: mustRun ? [] : [why],
    output: mustRun ? why : '',
  };
}

function withLeftOut(ran: SuiteResult, project: string, fast: boolean, ci: boolean): SuiteResult {
  const left = fast ? slowFiles(project) : [];
  const notes = [...ran.notes, ...left.map((file) => `${file} (slow, left out by --fast)`)];
  const skipped = ran.skipped + left.length;
  // Tests that find no cluster or browser skip themselves; in CI a suite of nothing but skips has not run. Electron's own
  // binary may be missing there: its suite is a visible skip.
  if (ci && project !== 'electron' && ran.passed === 0 && ran.failed === 0 && ran.skipped > 0) {
    return { ...ran, failed: 1, skipped, notes, output: `${project} could not run, and in CI it must` };
  }
  return { ...ran, skipped, notes };
}

/** Below e2e, by suite. */
const foldersOf: Readonly<Record<string, readonly string[]>> = {
  integration: ['testbed', 'integration', 'traces'],
  browser: ['browser'],
  desktop: ['electron'],
};

function slowFiles(project: string): string[] {
  const folders = foldersOf[project] ?? [];
  return folders.flatMap((folder) => {
    try {
      return readdirSync(join(repositoryRoot, 'e2e', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.slow.test.ts'))
        .map((name) => `e2e/${folder}/${name}`);
    } catch {
      return []; // a folder that is not there has no slow files
    }
  });
}

process.exitCode = await main(process.argv.slice(2));
