import { describe, expect, it } from 'vitest';
import { compileLabelSelector, type Labels, parseLabelSelector } from './labelSelector.ts';

function matches(text: string, labels: Labels): boolean {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value(labels);
}

describe('label selectors', () => {
  it('[PR6] reads every form of a requirement', () => {
    expect(matches('app=x,tier notin (db, cache)', { app: 'x', tier: 'web' })).toBe(true);
    expect(matches('app=x,tier notin (db, cache)', { app: 'x', tier: 'cache' })).toBe(false);
    expect(matches('app==x', { app: 'x' })).toBe(true);
    expect(matches('app!=x', {})).toBe(true);
    expect(matches('tier notin (db)', {})).toBe(true);
    expect(matches('tier in (db)', {})).toBe(false);
    expect(matches('example.com/a-key', { 'example.com/a-key': '' })).toBe(true);
    expect(matches('!legacy', { legacy: 'true' })).toBe(false);
    expect(matches('app=', { app: '' })).toBe(true);
    expect(matches('', { anything: 'goes' })).toBe(true);
  });

  it('does not take a property of every object for a label', () => {
    expect(matches('toString', {})).toBe(false);
  });

  it('refuses what is no requirement', () => {
    expect(parseLabelSelector('a b c').ok).toBe(false);
    expect(parseLabelSelector('=x').ok).toBe(false);
  });

  it('[PR7] compiles objects as apimachinery does', () => {
    const none = compileLabelSelector(undefined);
    const empty = compileLabelSelector({});
    expect(none.ok && none.value({ a: '1' })).toBe(false);
    expect(empty.ok && empty.value({})).toBe(true);
    const both = compileLabelSelector({
      matchLabels: { a: '1' },
      matchExpressions: [
        { key: 'b', operator: 'NotIn', values: ['2'] },
        { key: 'c', operator: 'DoesNotExist' },
      ],
    });
    expect(both.ok && both.value({ a: '1' })).toBe(true);
    expect(both.ok && both.value({ a: '1', b: '2' })).toBe(false);
    expect(both.ok && both.value({ a: '1', c: '' })).toBe(false);
    expect(compileLabelSelector({ matchExpressions: [{ key: 'a', operator: 'In' }] }).ok).toBe(false);
    expect(
      compileLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }).ok,
    ).toBe(false);
    expect(compileLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Near' }] }).ok).toBe(false);
  });
});
