/** The probe that authors may copy (probe/probe.go): its own Go tests, and that it stays small. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { repositoryRoot } from './paths.ts';

const folder = join(repositoryRoot, 'probe');

describe('the probe', { timeout: 600_000 }, () => {
  test('is one file of less than 150 lines', () => {
    const lines = readFileSync(join(folder, 'probe.go'), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThan(150);
  });

  // Where CI is set, a missing Go is a failure.
  test.skipIf(!process.env.CI && !hasGo())('passes go vet and its tests (skipped without Go)', async () => {
    await go('vet', './...');
    expect(await go('test', './...')).toMatch(/^ok\s/m);
  });
});

function hasGo(): boolean {
  try {
    execFileSync('go', ['version']);
    return true;
  } catch {
    return false;
  }
}

/** As the operator is built, so that what both need is compiled once. A cold build takes a minute or more: never in one blocking call. */
async function go(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, GOFLAGS: `${process.env.GOFLAGS ?? ''} -trimpath`.trim() };
  const { stdout } = await promisify(execFile)('go', args, { cwd: folder, encoding: 'utf8', env });
  return stdout;
}
