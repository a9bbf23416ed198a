import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { diffOf } from '../testing/incident/objects.ts';
import { groupDiff, StructuralDiff, splitPath } from './StructuralDiff.tsx';

describe('splitPath', () => {
  it.each([
    ['spec.replicas', 'spec', 'replicas'],
    ['status.conditions[Ready].status', 'status.conditions[Ready]', 'status'],
    ['metadata.annotations[example.com/note]', 'metadata.annotations', '[example.com/note]'],
    ['rules[1].resources', 'rules[1]', 'resources'],
    ['data', '', 'data'],
  ])('%s', (path, parent, leaf) => {
    expect(splitPath(path)).toEqual([parent, leaf]);
  });
});

describe('groupDiff', () => {
  it('keeps neighbours of one parent and writer under one head', () => {
    const groups = groupDiff(diffOf(152_240, undefined).rows.filter((row) => !row.bookkeeping));
    expect(groups.map((group) => [group.parent, group.owner?.manager, group.rows.length])).toEqual([
      ['status.conditions[Ready]', 'database-operator', 4],
      ['status', 'database-operator', 1],
      ['metadata.annotations', 'kubectl-edit', 1],
    ]);
  });
  it('separates a field that was taken from another manager', () => {
    const owner = { manager: 'hpa', operation: 'Update' as const };
    const row = { sign: '~' as const, old: '3', new: '5', owner, bookkeeping: false };
    const groups = groupDiff([
      { ...row, path: 'spec.replicas', takenFrom: 'kubectl' },
      { ...row, path: 'spec.paused' },
    ]);
    expect(groups.map((group) => group.takenFrom)).toEqual(['kubectl', undefined]);
  });
});

describe('StructuralDiff', () => {
  it('shows old and new and folds bookkeeping behind its count', () => {
    const html = renderToStaticMarkup(<StructuralDiff rows={diffOf(152_201, undefined).rows} />);
    expect(html).toContain('kubectl-edit, takes it from helm');
    expect(html).toContain('Show 3 bookkeeping fields');
    expect(html).not.toContain('managedFields');
  });
  it('says when only bookkeeping or nothing differs', () => {
    const bookkeeping = diffOf(152_201, undefined).rows.filter((row) => row.bookkeeping);
    expect(renderToStaticMarkup(<StructuralDiff rows={bookkeeping} />)).toContain('Metadata only');
    expect(renderToStaticMarkup(<StructuralDiff rows={[]} />)).toContain('No field differs.');
  });
});
