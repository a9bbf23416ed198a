import { describe, expect, test } from 'vitest';
import { countLastLine, countReport, inParallel, runNode, summary } from './suites.ts';

function report(...files: readonly { status: string; tests: readonly string[] }[]): string {
  return JSON.stringify({
    testResults: files.map(({ status, tests }) => ({
      name: 'a.test.ts',
      status,
      message: '',
      assertionResults: tests.map((each, index) => ({
        status: each,
        ancestorTitles: each === 'todo' ? [] : ['group'],
        title: `test ${index}`,
      })),
    })),
  });
}

describe('countReport', () => {
  test('counts what passed, failed and was skipped, and names the skipped', () => {
    const text = report({ status: 'failed', tests: ['passed', 'failed', 'skipped', 'todo', 'pending'] });
    expect(countReport(text, 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 3,
      notes: ['group: 2 tests', 'test 3'],
    });
  });

  test('a file that failed outside of its tests is a failure', () => {
    const text = report({ status: 'failed', tests: [] }, { status: 'passed', tests: ['passed'] });
    expect(countReport(text, 1)).toMatchObject({ passed: 1, failed: 1 });
  });

  test('an exit code that no test explains is a failure', () => {
    expect(countReport(report({ status: 'passed', tests: ['passed'] }), 1)).toMatchObject({ failed: 1 });
    expect(countReport(undefined, 1)).toMatchObject({ passed: 0, failed: 1 });
    expect(countReport(report({ status: 'passed', tests: ['passed'] }), 0)).toMatchObject({ failed: 0 });
  });
});

test('countLastLine reads the end of the output only', () => {
  expect(countLastLine('a: 1 passed, 2 failed\n10 passed, 0 failed\n')).toEqual({ passed: 10, failed: 0 });
  expect(countLastLine('10 passed, 0 failed\nthen it broke')).toBeUndefined();
});

test('summary names failures and skips', () => {
  const base = { ms: 1234, output: '' };
  const text = summary([
    { ...base, name: 'unit', passed: 3, failed: 0, skipped: 1, notes: ['why not'] },
    { ...base, name: 'types', passed: 0, failed: 1, skipped: 0, notes: [] },
  ]);
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    'unit     1.2 s  3 passed, 1 skipped',
    'skipped: why not',
    'types    1.2 s  0 passed, 1 FAILED',
  ]);
});

test('inParallel keeps the order of the list and the width', async () => {
  let running = 0;
  let most = 0;
  const jobs = [3, 1, 2, 0].map((turns) => async () => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < turns; turn++) await undefined;
    running -= 1;
    return turns;
  });
  expect(await inParallel(jobs, 2)).toEqual([3, 1, 2, 0]);
  expect(most).toBe(2);
});

test('runNode gives code and output of both streams', async () => {
  const script = "console.log('out'); console.error('err'); process.exitCode = 3;";
  const run = await runNode(['--eval', script]);
  expect(run.code).toBe(3);
  expect(run.output).toContain('out');
  expect(run.output).toContain('err');
});
