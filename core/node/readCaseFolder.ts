/** The files of a case folder from disk, and the YAML of its documents. What they mean is core/source/caseFolder's. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { CaseFile } from '../source/caseFolder/caseFiles.ts';

const known = /^(cluster\.ya?ml|watch\.jsonl|operator\.log|metrics.*\.txt|audit\.jsonl|asof\.txt)$/;
/** A string in memory has at most 512 MiB. */
const largestBytes = 256 * 1024 * 1024;

/** Files in order of name; others in the folder are passed over. Codes: target-missing, target-not-a-case, target-unreadable. */
export async function readCaseFolder(target: string): Promise<Result<readonly CaseFile[], Problem>> {
  let names: readonly string[];
  try {
    if (!(await stat(target)).isDirectory())
      return fail(
        'target-not-a-case',
        `${target} is a file. Give the folder that holds cluster.yaml and the other files.`,
      );
    names = (await readdir(target)).filter((name) => known.test(name)).sort();
  } catch (error) {
    return unreadable(target, error);
  }
  if (names.length === 0)
    return fail(
      'target-not-a-case',
      `${target} is no case folder: it holds none of cluster.yaml, watch.jsonl, operator.log, metrics*.txt, audit.jsonl.`,
    );
  const files: CaseFile[] = [];
  for (const name of names) {
    const path = join(target, name);
    try {
      const about = await stat(path);
      // Reading a pipe or a device may never end.
      if (!about.isFile()) return fail('target-unreadable', `${path} is no file. Save its content as one.`);
      if (about.size > largestBytes)
        return fail('target-unreadable', `${path} is larger than 256 MiB. Cut it to the time in question.`);
      files.push({ name, text: decodeText(await readFile(path)) });
    } catch (error) {
      return unreadable(path, error);
    }
  }
  return ok(files);
}

/** One YAML document; throws the library's error for what is no YAML. Time stamps stay text. */
export function parseCaseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 100 });
}

/** UTF-8, or the UTF-16 that Windows PowerShell writes for `kubectl get … > cluster.yaml`; without byte order mark. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

function unreadable(path: string, error: unknown): Result<never, Problem> {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return fail('target-missing', `There is no folder ${path}. Check the path.`);
  if (code === 'EACCES' || code === 'EPERM')
    return fail('target-unreadable', `${path} may not be read by this user. Check its permissions.`);
  return fail(
    'target-unreadable',
    `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  );
}

function fail(code: string, message: string): Result<never, Problem> {
  return err({ code, message });
}
