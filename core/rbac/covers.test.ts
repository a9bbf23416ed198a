import { describe, expect, it } from 'vitest';
import { covers } from './covers.ts';
import { readRule } from './policy.ts';

function rule(
  apiGroups: readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames: readonly string[] = [],
) {
  return readRule({ apiGroups, resources, verbs, resourceNames });
}

describe('rule coverage', () => {
  it('[RB14] each tuple must be held by one rule of the owner', () => {
    const owner = [rule([''], ['pods'], ['get']), rule([''], ['secrets'], ['list'])];
    const result = covers(owner, [rule([''], ['pods', 'secrets'], ['get', 'list'])]);
    expect(result.covered).toBe(false);
    expect(result.missing.map(({ resources, verbs }) => `${verbs[0]} ${resources[0]}`)).toEqual([
      'list pods',
      'get secrets',
    ]);
  });

  it('[RB15] wildcards cover downwards only', () => {
    expect(
      covers([rule(['a'], ['*/status'], ['update'])], [rule(['a'], ['x/status'], ['update'])]).covered,
    ).toBe(true);
    expect(covers([rule(['a'], ['*/status'], ['update'])], [rule(['a'], ['x'], ['update'])]).covered).toBe(
      false,
    );
    expect(covers([rule(['a'], ['x'], ['get'])], [rule(['a'], ['*'], ['get'])]).covered).toBe(false);
    expect(covers([rule(['*'], ['*'], ['*'])], [rule(['a'], ['x/y'], ['z'], ['n'])]).covered).toBe(true);
  });

  it('[RB15] names: an owner limited to names does not cover the unlimited', () => {
    const limited = [rule(['a'], ['x'], ['get'], ['one', 'two'])];
    expect(covers(limited, [rule(['a'], ['x'], ['get'])]).covered).toBe(false);
    expect(covers(limited, [rule(['a'], ['x'], ['get'], ['two'])]).covered).toBe(true);
    expect(covers(limited, [rule(['a'], ['x'], ['get'], ['two', 'three'])]).missing).toHaveLength(1);
  });

  it('compares URLs by prefix', () => {
    const owner = [readRule({ verbs: ['get'], nonResourceURLs: ['/healthz/*'] })];
    expect(covers(owner, [readRule({ verbs: ['get'], nonResourceURLs: ['/healthz/etcd'] })]).covered).toBe(
      true,
    );
    expect(covers(owner, [readRule({ verbs: ['get'], nonResourceURLs: ['*'] })]).covered).toBe(false);
  });
});
