/** Reads `loopscope.yaml`, format 1. Spec: docs/spec/profile.md */
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type ProfileFile, zProfileFile } from '../../shared/model/profile.ts';

/** Path of a field, as zod reports it. */
export type FieldPath = readonly (string | number)[];

export interface ParsedYaml {
  readonly value: unknown;
  /** Line (from 1) of the field, or of the nearest field above it. */
  lineOf(path: FieldPath): number | undefined;
}

/** The YAML library's part, given by the host. An error says what is wrong, with the line when it is known. */
export type ParseYaml = (
  text: string,
) => Result<ParsedYaml, { readonly message: string; readonly line?: number }>;

export interface ProfileFileProblem {
  readonly code: 'profile-invalid';
  /** `loopscope.yaml, line 7: controllers[0].limiter.base: a duration such as 5ms, 1.5s or 2m` */
  readonly message: string;
}

/** Checks the text against format 1; `fileName` stands in the sentence. Of several problems the first, and how many more. */
export function loadProfileFile(
  text: string,
  parseYaml: ParseYaml,
  fileName = 'loopscope.yaml',
): Result<ProfileFile, ProfileFileProblem> {
  const fail = (line: number | undefined, message: string) =>
    err({
      code: 'profile-invalid' as const,
      message: `${fileName}${line === undefined ? '' : `, line ${line}`}: ${message}`,
    });
  const parsed = parseYaml(text);
  if (!parsed.ok) return fail(parsed.error.line, parsed.error.message);
  const { value } = parsed.value;
  if (value === null || value === undefined)
    return fail(undefined, 'the file is empty; it needs at least "format: 1"');
  const checked = zProfileFile.safeParse(value);
  if (checked.success) return ok(checked.data);
  const [issue] = checked.error.issues;
  if (issue === undefined) return fail(undefined, 'the file does not fit format 1');
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const unknownField = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const at: FieldPath = unknownField === undefined ? path : [...path, unknownField];
  const name = fieldName(at);
  const what = unknownField === undefined ? lowerFirst(issue.message) : 'there is no such field';
  const more = checked.error.issues.length - 1;
  return fail(
    parsed.value.lineOf(at),
    `${name === '' ? '' : `${name}: `}${what}${more > 0 ? ` (and ${more} more)` : ''}`,
  );
}

function fieldName(path: FieldPath): string {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`;
  return text;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
