import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../shared/model/filter.ts';
import { keySchema } from '../state/listSchemas.ts';
import { countBasis } from '../state/useOperator.ts';
import { arrange } from '../state/useStableOrder.ts';
import { keys, profile } from '../testing/incident/operator.ts';
import { moment } from '../testing/incident/time.ts';
import { compareKeys } from './keyOrder.ts';
import { imageTag } from './Nav.tsx';

describe('key list', () => {
  it('stands worst first, more failures before fewer, then by name', () => {
    const sorted = [...keys].sort(compareKeys).map((row) => row.key);
    expect(sorted.slice(0, 5)).toEqual([
      'billing/ledger-db',
      'shop/orders-db',
      'dev/sandbox-db',
      'qa/report-db',
      'load/db-07',
    ]);
    expect(sorted.indexOf('shop/legacy-db')).toBe(8);
  });
  it('filters by all words over key, text and state', () => {
    const schema = keySchema(() => moment);
    const found = (filter: string) => keys.filter(compileFilter(filter, schema).test).map((row) => row.key);
    expect(found('upgrading')).toEqual(['shop/orders-db']);
    expect(found('shop running')).toEqual(['shop/cart-db']);
    expect(found('shop nothing')).toEqual([]);
    expect(found('  ')).toHaveLength(keys.length);
    expect(found('failures>16')).toEqual(['shop/orders-db', 'billing/ledger-db']);
    expect(found('next>1m next<5m')).toEqual(['shop/orders-db']);
    expect(found('ns:qa state:waiting')).toEqual(['qa/report-db']);
  });
});

it('arrange keeps the held order, drops what is gone and appends what is new', () => {
  const rows = ['c', 'a', 'd'].map((key) => ({ key }));
  expect(arrange(rows, (row) => row.key, ['a', 'b', 'c']).map((row) => row.key)).toEqual(['a', 'c', 'd']);
});

it('countBasis counts entries, an edited guess among those set by the user', () => {
  const { observed, inferred, set } = countBasis(profile);
  expect(observed + inferred + set).toBe(4 + 3 * 7);
  const [first] = profile.controllers;
  if (first === undefined) throw new Error('the incident has controllers');
  const edited = { ...profile, controllers: [{ ...first, limiter: { ...first.limiter, edited: true } }] };
  const before = countBasis({ ...profile, controllers: [first] });
  expect(countBasis(edited)).toEqual({ ...before, inferred: before.inferred - 1, set: before.set + 1 });
});

it('imageTag takes the tag, else a short digest', () => {
  expect(imageTag('registry.example.com:5000/dbops/operator:v1.8.0')).toBe('v1.8.0');
  expect(imageTag('registry.example.com:5000/dbops/operator')).toBe('');
  expect(imageTag('operator@sha256:0123456789abcdef0123')).toBe('0123456789ab');
  expect(imageTag(undefined)).toBe('');
});
