/**
 * `npm run check`: types, lint and format, layers, unused code, unit tests. About a minute; nothing else has to run.
 * Exit code 0 when all is well.
 */
import { availableParallelism } from 'node:os';
import { checkLayers } from './layers.ts';
import {
  inParallel,
  repositoryRoot,
  type SuiteResult,
  seconds,
  summary,
  toolSuite,
  vitestSuite,
} from './suites.ts';

/** All checks; the longest first, so that the short ones fill the other cores. */
export function runChecks(): Promise<SuiteResult[]> {
  const jobs = [
    () => vitestSuite('unit'),
    () => toolSuite('types', ['node_modules/typescript/bin/tsc', '-b']),
    () => toolSuite('lint', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off']),
    () => toolSuite('unused', ['node_modules/knip/bin/knip.js', '--no-progress']),
    layersSuite,
  ];
  return inParallel(jobs, Math.max(2, availableParallelism()));
}

async function layersSuite(): Promise<SuiteResult> {
  const since = performance.now();
  const violations = await checkLayers(repositoryRoot);
  return {
    name: 'layers',
    passed: violations.length === 0 ? 1 : 0,
    failed: violations.length === 0 ? 0 : 1,
    skipped: 0,
    ms: performance.now() - since,
    notes: [],
    output: violations.join('\n'),
  };
}

/** What the failed ones said, each below its name. */
export function failureOutput(results: readonly SuiteResult[]): string {
  return results
    .filter(({ failed, output }) => failed > 0 && output !== '')
    .map(({ name, output }) => `── ${name} ──\n${output.trimEnd()}\n`)
    .join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const since = performance.now();
  const results = await runChecks();
  const failed = results.some((result) => result.failed > 0);
  if (failed) console.log(failureOutput(results));
  console.log(summary(results));
  console.log(failed ? 'check FAILED' : `check passed in ${seconds(performance.now() - since)}`);
  process.exitCode = failed ? 1 : 0;
}
