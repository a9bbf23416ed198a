import { describe, expect, it } from 'vitest';
import type { ObjectMeta } from '../../../shared/model/kube.ts';
import type { HandlerEvent } from '../handlers/event.ts';
import {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  not,
  or,
  resourceVersionChanged,
} from './predicates.ts';

function update(old: Partial<ObjectMeta>, object: Partial<ObjectMeta>): HandlerEvent {
  return { kind: 'update', old: { metadata: old }, object: { metadata: object } };
}

const others: readonly HandlerEvent[] = [
  { kind: 'create', object: { metadata: {} }, isInInitialList: true },
  { kind: 'delete', object: { metadata: {} } },
  { kind: 'generic', object: { metadata: {} } },
];

describe('predicates', () => {
  it('[PR1] [PR2] the four change predicates pass everything but updates', () => {
    for (const predicate of [resourceVersionChanged, generationChanged, labelChanged, annotationChanged]) {
      for (const event of others) expect(predicate(event)).toBe(true);
      expect(predicate(update({}, {}))).toBe(false);
    }
  });

  it('[PR2] each looks at its own field', () => {
    expect(resourceVersionChanged(update({ resourceVersion: '1' }, { resourceVersion: '2' }))).toBe(true);
    expect(generationChanged(update({ generation: 1 }, { generation: 2 }))).toBe(true);
    expect(generationChanged(update({ generation: 1, labels: { a: '1' } }, { generation: 1 }))).toBe(false);
    expect(labelChanged(update({ labels: { a: '1' } }, { labels: { a: '2' } }))).toBe(true);
    expect(labelChanged(update({ labels: { a: '1' } }, { labels: { b: '1' } }))).toBe(true);
    expect(annotationChanged(update({ annotations: { a: '1' } }, { annotations: { a: '1' } }))).toBe(false);
  });

  it('[PR3] nil and empty maps are equal', () => {
    expect(labelChanged(update({ labels: {} }, {}))).toBe(false);
    expect(annotationChanged(update({}, { annotations: {} }))).toBe(false);
  });

  it('[PR4] a selector looks at the new object: what leaves it is not seen', () => {
    const selected = labelSelectorPredicate((labels) => labels?.app === 'x');
    expect(selected(update({ labels: { app: 'x' } }, { labels: { app: 'y' } }))).toBe(false);
    expect(selected(update({}, { labels: { app: 'x' } }))).toBe(true);
    expect(selected({ kind: 'delete', object: { metadata: {} } })).toBe(false);
  });

  it('[PR5] And() is true, Or() is false, Not inverts every event type', () => {
    for (const event of others) {
      expect(and()(event)).toBe(true);
      expect(or()(event)).toBe(false);
      expect(not(generationChanged)(event)).toBe(false);
    }
    const relabelled = update({ generation: 1 }, { generation: 1, labels: { a: '1' } });
    expect(not(generationChanged)(relabelled)).toBe(true);
    expect(or(generationChanged, labelChanged)(relabelled)).toBe(true);
    expect(and(generationChanged, labelChanged)(relabelled)).toBe(false);
  });
});
