/** Exit codes, the same for every command. Design, section 5. */
import type { Problem } from '../shared/contract/views/connection.ts';
import type { Finding, NotEvaluated } from '../shared/model/finding.ts';

export const exitCode = {
  clean: 0,
  /** Unreachable, TLS, 401, exec plugin, a child that failed. */
  failed: 1,
  /** Arguments, kubeconfig, or a TARGET that is not there. */
  usage: 2,
  errors: 3,
  warnings: 4,
  incomplete: 5,
} as const;

/** The first that holds, in this order: an error, a warning, something not evaluated (when asked to fail on it). */
export function exitCodeOf(
  findings: readonly Finding[],
  notEvaluated: readonly NotEvaluated[],
  failOnIncomplete: boolean,
): number {
  const open = findings.filter((finding) => finding.closedAt === undefined);
  if (open.some((finding) => finding.severity === 'error')) return exitCode.errors;
  if (open.some((finding) => finding.severity === 'warning')) return exitCode.warnings;
  return failOnIncomplete && notEvaluated.length > 0 ? exitCode.incomplete : exitCode.clean;
}

/** Problems of what the user gave; all others are things that could not be done. */
const givenWrong: ReadonlySet<string> = new Set([
  'missing',
  'empty',
  'malformed',
  'no-such-context',
  'unsupported',
  'profile-invalid',
  'not-found',
  'metrics-url',
  'child-not-found',
  'child-forbidden',
]);

export function exitCodeOfProblem(problem: Problem): number {
  const { code } = problem;
  const given = givenWrong.has(code) || code.startsWith('target-') || code.startsWith('log-');
  return given ? exitCode.usage : exitCode.failed;
}
