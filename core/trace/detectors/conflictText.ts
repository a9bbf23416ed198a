/**
 * The API server's words for a write that was based on an older version, as they stand in errors:
 *   Operation cannot be fulfilled on flows.batch.example.com "nightly": the object has been modified; please apply …
 * Source: apimachinery pkg/api/errors NewConflict; registry/generic/registry/store.go OptimisticLockErrorMsg.
 */
import { splitResourceName } from '../../profile/resourceNames.ts';
import type { LogEntry } from '../../source/log/logEntry.ts';

export interface ConflictTarget {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty where the line does not tell. */
  readonly namespace: string;
  readonly name: string;
}

const words =
  /Operation cannot be fulfilled on ([a-z0-9][a-z0-9.-]*) \\*"([^"\\]+)\\*": (?:the object has been modified|StorageError)/g;

/** Each object whose conflict the line tells of, once. */
export function conflictsOf(entry: LogEntry): readonly ConflictTarget[] {
  const text = entry.error ?? entry.msg;
  if (!text.includes('Operation cannot be fulfilled')) return [];
  const found = new Map<string, ConflictTarget>();
  for (const [, resourceName = '', name = ''] of text.matchAll(words)) {
    const { resource, group } = splitResourceName(resourceName);
    const namespace = entry.key?.namespace ?? '';
    found.set(`${resourceName} ${name}`, { group, resource, subresource: '', namespace, name });
  }
  return [...found.values()];
}
