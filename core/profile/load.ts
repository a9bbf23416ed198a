/** Reads `loopscope.yaml`, format 1. Spec: docs/spec/profile.md */
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type ProfileFile, zProfileFile } from '../../shared/model/profile.ts';

/** Path of a field, as zod reports it. */
export type FieldPath = readonly (string | number)[];

/**
 * Checks the text against format 1. `parseYaml` is the host's YAML library: the value, or a throw for what is no YAML.
 * `lineOf`: line (from 1) of a field in the text, where the host can tell. The error is one sentence that names line and
 * field: `line 7, controllers[0].limiter.base: a duration such as 5ms, 1.5s or 2m`; of several problems the first.
 */
export function loadProfileFile(
  text: string,
  parseYaml: (text: string) => unknown,
  lineOf: (text: string, path: FieldPath) => number | undefined = () => undefined,
): Result<ProfileFile, string> {
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (error) {
    return err(syntaxProblem(error));
  }
  if (value === null || value === undefined) return err('the file is empty; it needs at least "format: 1"');
  const checked = zProfileFile.safeParse(value);
  if (checked.success) return ok(checked.data);
  const [issue] = checked.error.issues;
  if (issue === undefined) return err('the file does not fit format 1');
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const unknownField = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const at: FieldPath = unknownField === undefined ? path : [...path, unknownField];
  const line = lineOf(text, at);
  const where = [line === undefined ? '' : `line ${line}`, fieldName(at)]
    .filter((part) => part !== '')
    .join(', ');
  const what = unknownField === undefined ? lowerFirst(issue.message) : 'there is no such field';
  const more = checked.error.issues.length - 1;
  return err(`${where === '' ? '' : `${where}: `}${what}${more > 0 ? ` (and ${more} more)` : ''}`);
}

/** What a YAML library throws: its first line, and the line number where it carries one. */
function syntaxProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const first = message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '';
  const linePos: unknown = error instanceof Error && 'linePos' in error ? error.linePos : undefined;
  const [start] = Array.isArray(linePos) ? (linePos as readonly { readonly line?: number }[]) : [];
  return `${start?.line === undefined ? '' : `line ${start.line}: `}not valid YAML: ${first}`;
}

function fieldName(path: FieldPath): string {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`;
  return text;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
