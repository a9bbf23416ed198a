/** Replays conditions vectors against core/conditions. */
import {
  isStatusConditionFalse,
  isStatusConditionTrue,
  removeStatusCondition,
  setStatusCondition,
} from '../../../core/conditions/statusConditions.ts';
import type { Condition } from '../../../shared/model/kube.ts';
import { compare, type Mismatch } from '../mismatch.ts';

interface Line {
  readonly id: string;
  readonly initial: readonly Condition[] | null;
  readonly ops: readonly {
    readonly now: string;
    readonly op: string;
    readonly type: string;
    readonly condition?: Condition;
    readonly changed?: boolean;
    readonly isTrue?: boolean;
    readonly isFalse?: boolean;
    readonly after: readonly Condition[] | null;
  }[];
}

export function replay(raw: unknown): readonly Mismatch[] {
  const line = raw as Line;
  const mismatches: Mismatch[] = [];
  let conditions: readonly Condition[] = line.initial ?? [];
  for (const [op, step] of line.ops.entries()) {
    const got: { changed?: boolean; isTrue?: boolean; isFalse?: boolean } = {};
    switch (step.op) {
      case 'set': {
        if (step.condition === undefined) throw new Error('set without a condition');
        const change = setStatusCondition(conditions, step.condition, step.now);
        conditions = change.conditions;
        got.changed = change.changed;
        break;
      }
      case 'remove': {
        const change = removeStatusCondition(conditions, step.type);
        conditions = change.conditions;
        got.changed = change.changed;
        break;
      }
      case 'query':
        got.isTrue = isStatusConditionTrue(conditions, step.type);
        got.isFalse = isStatusConditionFalse(conditions, step.type);
        break;
      default:
        throw new Error(`unknown op ${step.op}`);
    }
    const { changed, isTrue, isFalse, after } = step;
    compare(
      mismatches,
      { id: line.id, op, what: step.op },
      { changed, isTrue, isFalse, after: after ?? [] },
      { ...got, after: conditions },
    );
  }
  return mismatches;
}
