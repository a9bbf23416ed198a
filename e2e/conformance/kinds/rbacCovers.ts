/** Replays rbac-covers vectors against core/rbac/covers.ts. */
import { covers } from '../../../core/rbac/covers.ts';
import { readRule } from '../../../core/rbac/policy.ts';
import { compare, type Mismatch, normalise } from '../mismatch.ts';

interface Line {
  readonly id: string;
  readonly owner: readonly unknown[] | null;
  readonly servant: readonly unknown[] | null;
  readonly covered?: boolean;
  readonly missing?: readonly unknown[] | null;
}

export function replay(raw: unknown): readonly Mismatch[] {
  const line = raw as Line;
  const result = covers((line.owner ?? []).map(readRule), (line.servant ?? []).map(readRule));
  const mismatches: Mismatch[] = [];
  compare(
    mismatches,
    { id: line.id, what: 'covers' },
    { covered: line.covered, missing: asSet((line.missing ?? []).map(readRule)) },
    { covered: result.covered, missing: asSet(result.missing) },
  );
  return mismatches;
}

/** Go sorts by its own string form; only the set counts. */
function asSet(rules: readonly unknown[]): string[] {
  return [...new Set(rules.map((rule) => JSON.stringify(normalise(rule))))].sort();
}
