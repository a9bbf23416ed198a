import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { kinds } from './kinds/index.ts';
import type { KindModule, Mismatch } from './mismatch.ts';

/** What became of one vector file. A line passes or fails as a whole; `first` holds the first mismatches in full. */
export interface FileOutcome {
  readonly kind: string;
  readonly passed: number;
  readonly failed: number;
  readonly first: readonly Mismatch[];
}

const KEEP_MISMATCHES = 3;

/** Replays one file; its kind is its base name. An unreadable file, unknown kind or malformed line is an error sentence. */
export async function replayFile(path: string): Promise<Result<FileOutcome, string>> {
  const name = basename(path, '.jsonl');
  const load = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (load === undefined)
    return err(`${path}: no vector kind is called "${name}" (known: ${Object.keys(kinds).join(', ')}).`);

  const text = await readFile(path, 'utf8').catch((reason: unknown) =>
    reason instanceof Error ? reason : new Error(String(reason)),
  );
  if (text instanceof Error) return err(`${path}: the file cannot be read (${text.message}).`);
  return replayLines(name, path, text, await load());
}

/** Replays the lines of `text`. A throwing replay is a failed line, not the end of the run. */
async function replayLines(
  name: string,
  path: string,
  text: string,
  module: KindModule,
): Promise<Result<FileOutcome, string>> {
  let passed = 0;
  let failed = 0;
  const first: Mismatch[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (reason) {
      return err(
        `${path}:${index + 1}: not a JSON line (${reason instanceof Error ? reason.message : String(reason)}).`,
      );
    }
    const mismatches = await replayLine(module, parsed, index + 1);
    if (mismatches.length === 0) passed += 1;
    else {
      failed += 1;
      const room = KEEP_MISMATCHES - first.length;
      if (room > 0) first.push(...mismatches.slice(0, Math.min(room, 1)));
    }
  }
  return ok({ kind: name, passed, failed, first });
}

async function replayLine(module: KindModule, line: unknown, number: number): Promise<readonly Mismatch[]> {
  try {
    return await module.replay(line);
  } catch (reason) {
    const id = typeof line === 'object' && line !== null && 'id' in line ? String(line.id) : `line ${number}`;
    return [
      {
        id,
        what: 'exception',
        expected: 'none',
        got: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason),
      },
    ];
  }
}
