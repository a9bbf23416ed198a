/**
 * How Kubernetes code changes `status.conditions`. Lists are values here: a change answers a new list, entries that did
 * not change keep their identity. Mirrors apimachinery pkg/api/meta/conditions.go. Spec: docs/spec/conditions.md
 */
import type { Condition } from '../../shared/model/kube.ts';

export interface ConditionsChange {
  readonly conditions: readonly Condition[];
  readonly changed: boolean;
}

/**
 * meta.SetStatusCondition: appends an unknown type, else updates the first condition of that type.
 * `now` (RFC 3339, whole seconds) counts where `next.lastTransitionTime` is missing, and only when the status is new.
 */
export function setStatusCondition(
  conditions: readonly Condition[],
  next: Condition,
  now: string,
): ConditionsChange {
  const index = conditions.findIndex((condition) => condition.type === next.type);
  const existing = conditions[index];
  const time = isZeroTime(next.lastTransitionTime) ? now : next.lastTransitionTime;
  if (existing === undefined)
    return { conditions: [...conditions, { ...next, lastTransitionTime: time }], changed: true };

  const statusChanged = existing.status !== next.status;
  const changed =
    statusChanged ||
    (existing.reason ?? '') !== (next.reason ?? '') ||
    (existing.message ?? '') !== (next.message ?? '') ||
    (existing.observedGeneration ?? 0) !== (next.observedGeneration ?? 0);
  if (!changed) return { conditions, changed };

  const merged: Condition = {
    type: existing.type,
    status: next.status,
    ...(next.reason === undefined ? {} : { reason: next.reason }),
    ...(next.message === undefined ? {} : { message: next.message }),
    ...(next.observedGeneration === undefined ? {} : { observedGeneration: next.observedGeneration }),
    ...timeField(statusChanged ? time : existing.lastTransitionTime),
  };
  return { conditions: conditions.with(index, merged), changed };
}

/** meta.RemoveStatusCondition: drops every condition of that type. */
export function removeStatusCondition(conditions: readonly Condition[], type: string): ConditionsChange {
  const kept = conditions.filter((condition) => condition.type !== type);
  return kept.length === conditions.length
    ? { conditions, changed: false }
    : { conditions: kept, changed: true };
}

/** The first condition of that type; types are case sensitive. */
export function findStatusCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Present and `True`. */
export function isStatusConditionTrue(conditions: readonly Condition[], type: string): boolean {
  return findStatusCondition(conditions, type)?.status === 'True';
}

/** Present and `False`. */
export function isStatusConditionFalse(conditions: readonly Condition[], type: string): boolean {
  return findStatusCondition(conditions, type)?.status === 'False';
}

function timeField(time: string | undefined): { lastTransitionTime?: string } {
  return time === undefined ? {} : { lastTransitionTime: time };
}

/** metav1.Time's zero value is written as null; clients in other languages write the year 1. */
function isZeroTime(time: string | null | undefined): time is undefined | null {
  return time === undefined || time === null || time === '' || time.startsWith('0001-01-01T00:00:00');
}
