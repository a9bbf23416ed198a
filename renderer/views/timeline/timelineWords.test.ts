import { describe, expect, it } from 'vitest';
import { profile } from '../../testing/incident/operator.ts';
import { rbacView } from '../../testing/incident/rbac.ts';
import { controllerOf, gapOn, modeShown } from './timelineWords.ts';

describe('modeShown', () => {
  it('opens the YAML of a version alone until a mode is asked for', () => {
    expect(modeShown('diff', 1, false)).toBe('yaml');
    expect(modeShown('diff', 1, true)).toBe('diff');
    expect(modeShown('diff', 2, false)).toBe('diff');
    expect(modeShown('owners', 1, false)).toBe('owners');
  });
});

describe('controllerOf', () => {
  const database = { group: 'db.example.com', kind: 'Database' };
  const informers = [{ ...database, resource: 'databases' }];
  it('finds the controller that reconciles the kind', () => {
    expect(controllerOf(database, informers, profile.controllers, undefined)?.for.value).toBe(
      'databases.db.example.com',
    );
  });
  it('takes the preferred one of two for the same kind', () => {
    const [first] = profile.controllers;
    if (first === undefined) throw new Error('the incident has controllers');
    const two = [first, { ...first, name: 'second' }];
    const asked = { group: 'db.example.com', kind: 'Database' };
    expect(controllerOf(asked, informers, two, 'second')?.name).toBe('second');
    expect(controllerOf(asked, informers, two, 'other')?.name).toBe(first.name);
  });
  it('finds none for a kind of another group and for one that no informer knows', () => {
    const other = { group: 'other.example.com', kind: 'Database' };
    expect(controllerOf(other, informers, profile.controllers, undefined)).toBeUndefined();
    expect(controllerOf(database, [], profile.controllers, undefined)).toBeUndefined();
  });
});

describe('gapOn', () => {
  const rows = rbacView.lens?.rows ?? [];
  it('finds the gap on a subresource of the kind', () => {
    expect(gapOn('databases.db.example.com', rows)).toMatchObject({
      resource: 'databases',
      subresource: 'status',
    });
  });
  it('finds none on another group, nor where everything is granted', () => {
    expect(gapOn('databases.other.example.com', rows)).toBeUndefined();
    expect(
      gapOn(
        'databases.db.example.com',
        rows.filter((row) => row.gap === undefined),
      ),
    ).toBeUndefined();
  });
});
