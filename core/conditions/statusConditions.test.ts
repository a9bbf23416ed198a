import { describe, expect, it } from 'vitest';
import type { Condition } from '../../shared/model/kube.ts';
import {
  isStatusConditionFalse,
  isStatusConditionTrue,
  removeStatusCondition,
  setStatusCondition,
} from './statusConditions.ts';

const before = '2026-01-01T00:00:00Z';
const now = '2026-01-01T00:05:00Z';
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Up',
  message: 'fine',
  lastTransitionTime: before,
};
const synced: Condition = {
  type: 'Synced',
  status: 'False',
  reason: 'No',
  message: '',
  lastTransitionTime: before,
};

describe('status conditions', () => {
  it('[CO1] appends an unknown type with the given time, else now', () => {
    const next: Condition = { type: 'Degraded', status: 'False', reason: 'Ok' };
    expect(setStatusCondition([ready], next, now)).toEqual({
      conditions: [ready, { ...next, lastTransitionTime: now }],
      changed: true,
    });
    const dated = { ...next, lastTransitionTime: before };
    expect(setStatusCondition([], dated, now).conditions).toEqual([dated]);
    const zero = { ...next, lastTransitionTime: '0001-01-01T00:00:00Z' };
    expect(setStatusCondition([], zero, now).conditions[0]?.lastTransitionTime).toBe(now);
  });

  it('[CO2] changes the first of a doubled type only', () => {
    const second: Condition = { ...ready, reason: 'Twin' };
    const { conditions } = setStatusCondition([ready, second], { ...ready, status: 'False' }, now);
    expect(conditions.map(({ status }) => status)).toEqual(['False', 'True']);
    expect(conditions[1]).toBe(second);
  });

  it('[CO3] moves the time with the status: to the given one, else now', () => {
    const down: Condition = { type: 'Ready', status: 'False', reason: 'Down', message: 'fine' };
    expect(setStatusCondition([ready], down, now).conditions[0]?.lastTransitionTime).toBe(now);
    const at = '2026-01-01T00:03:00Z';
    const dated = { ...down, lastTransitionTime: at };
    expect(setStatusCondition([ready], dated, now).conditions[0]?.lastTransitionTime).toBe(at);
  });

  it('[CO4] overwrites reason, message and observedGeneration without moving the time', () => {
    const next: Condition = {
      type: 'Ready',
      status: 'True',
      reason: 'Still',
      message: 'more',
      observedGeneration: 3,
      lastTransitionTime: now,
    };
    const change = setStatusCondition([synced, ready], next, now);
    expect(change).toEqual({ conditions: [synced, { ...next, lastTransitionTime: before }], changed: true });
    expect(change.conditions[0]).toBe(synced);
  });

  it('[CO5] says unchanged, and keeps the list, when only the time differs', () => {
    const list = [ready];
    expect(setStatusCondition(list, { ...ready, lastTransitionTime: now }, now)).toEqual({
      conditions: list,
      changed: false,
    });
    expect(setStatusCondition(list, { ...ready, observedGeneration: 0 }, now).conditions).toBe(list);
  });

  it('[CO6] removes every condition of a type', () => {
    expect(removeStatusCondition([ready, synced, ready], 'Ready')).toEqual({
      conditions: [synced],
      changed: true,
    });
    expect(removeStatusCondition([synced], 'Ready')).toEqual({ conditions: [synced], changed: false });
  });

  it('[CO7] asks the first of a type, by exact name', () => {
    const list = [ready, { ...ready, status: 'False' as const }];
    expect(isStatusConditionTrue(list, 'Ready')).toBe(true);
    expect(isStatusConditionFalse(list, 'Ready')).toBe(false);
    expect(isStatusConditionTrue(list, 'ready')).toBe(false);
    expect(isStatusConditionFalse(list, 'Missing')).toBe(false);
  });
});
