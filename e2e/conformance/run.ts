/**
 * Replays golden vector files, recorded from the real Go code, against this product's own modules.
 *   npm run conformance -- [FILE…]      default: every file vendored in e2e/vectors
 * Prints `name: N passed, N failed` per file and ends with `N passed, N failed`.
 * Exit codes: 0 all passed, 1 a line failed, 2 a file could not be replayed (unreadable, unknown kind, malformed).
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mismatch } from './mismatch.ts';
import { replayFile } from './replayFile.ts';
import { readArguments } from './usage.ts';

const asked = readArguments(process.argv.slice(2));
if (asked.kind === 'run') process.exitCode = await run(asked.files);
else {
  (asked.kind === 'help' ? console.log : console.error)(asked.text);
  process.exitCode = asked.kind === 'help' ? 0 : 2;
}

async function run(files: readonly string[]): Promise<number> {
  const paths = files.length > 0 ? files : await vendored();
  let passed = 0;
  let failed = 0;
  let broken = false;
  for (const path of paths) {
    const outcome = await replayFile(path);
    if (!outcome.ok) {
      console.error(outcome.error);
      broken = true;
    } else {
      passed += outcome.value.passed;
      failed += outcome.value.failed;
      console.log(`${outcome.value.kind}: ${outcome.value.passed} passed, ${outcome.value.failed} failed`);
      for (const mismatch of outcome.value.first) console.log(describe(mismatch));
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return broken ? 2 : failed > 0 ? 1 : 0;
}

async function vendored(): Promise<string[]> {
  const folder = join(import.meta.dirname, '../vectors');
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

function describe(mismatch: Mismatch): string {
  const where = mismatch.op === undefined ? mismatch.id : `${mismatch.id} op ${mismatch.op}`;
  return `  ${where}: ${mismatch.what} differs\n    expected ${text(mismatch.expected)}\n    got      ${text(mismatch.got)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
