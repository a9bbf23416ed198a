/**
 * Whose error a line tells that names no controller, where several reconcile the key that it is about. Pure; spec:
 * docs/spec/revisions.md, EV4
 */
import type { LogEntry } from '../source/log/logEntry.ts';
import { namedController } from './evidenceLines.ts';
import type { Scope } from './evidenceScope.ts';

export interface Speaker {
  readonly controller: string;
  /** It may be another's. */
  readonly guess: boolean;
}

/**
 * By what names it; else the one whose errors its metrics count; else the one that owns the kind that the error names.
 * `controllers` sorted, at least one; `failing`: those with errors in their metrics.
 */
export function speakerOf(
  entry: LogEntry,
  controllers: readonly string[],
  scope: Scope,
  failing: ReadonlySet<string>,
): Speaker | undefined {
  const [first, ...others] = controllers;
  if (first === undefined) return undefined;
  if (others.length === 0) return { controller: first, guess: false };
  const named = namedController(entry, scope);
  if (named !== undefined && controllers.includes(named)) return { controller: named, guess: false };
  const failed = controllers.filter((name) => failing.has(name));
  const [one] = failed;
  // What is put back without being an error is counted by none.
  if (one !== undefined && failed.length === 1) return { controller: one, guess: entry.level !== 'error' };
  const kind = kindOfError(entry.error ?? '');
  const owners = controllers.filter((name) =>
    scope.given.controllers.some(
      (controller) => controller.name === name && [...controller.owns].some((owned) => isKind(owned, kind)),
    ),
  );
  return { controller: (owners.length === 1 ? owners[0] : undefined) ?? one ?? first, guess: true };
}

/** `secrets` of `secrets "cart-flpnk" is forbidden: …`. */
function kindOfError(error: string): string {
  return /(?:^|\s)([a-z][a-z0-9-]*)[a-z0-9.-]* \\?"/.exec(error)?.[1] ?? '';
}

function isKind(groupKind: string, resource: string): boolean {
  const kind = groupKind.slice(groupKind.lastIndexOf('/') + 1).toLowerCase();
  return resource !== '' && (resource === `${kind}s` || resource === `${kind}es` || resource === kind);
}
