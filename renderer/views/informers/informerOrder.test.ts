import { expect, it } from 'vitest';
import type { GapRow, InformerRow } from '../../../shared/contract/views/sources.ts';
import { informers } from '../../testing/incident/sources.ts';
import { blindTime, compareInformers, foldsForbidden } from './informerOrder.ts';

const [pods] = informers as readonly [InformerRow, ...InformerRow[]];

function row(id: string, state: InformerRow['state'], listed = true): InformerRow {
  const { lastResourceVersion, ...rest } = pods;
  return { ...rest, id, resource: id, state, ...(listed ? { lastResourceVersion: '1' } : {}) };
}

it('puts what can be read before what was never listed and what may not be read', () => {
  const rows = [
    row('a', 'forbidden', false),
    row('b', 'lost', false),
    row('c', 'live'),
    row('own', 'live'),
    row('d', 'syncing', false),
    row('e', 'recovered'),
    row('f', 'lost'),
  ];
  const order = [...rows].sort((a, b) => compareInformers(a, b, ['own'])).map((one) => one.id);
  expect(order).toEqual(['f', 'e', 'own', 'c', 'd', 'b', 'a']);
});

it('folds what may not be read when it is much and not everything', () => {
  const forbidden = ['a', 'b', 'c', 'd'].map((id) => row(id, 'forbidden', false));
  expect(foldsForbidden([...forbidden, row('live', 'live')])).toBe(true);
  expect(foldsForbidden(forbidden)).toBe(false);
  expect(foldsForbidden([...forbidden.slice(1), row('live', 'live')])).toBe(false);
});

it('counts the time of gaps that overlap once', () => {
  function gap(source: string, from: number, to?: number): GapRow {
    return {
      id: `${source}${from}`,
      seq: from,
      source,
      from,
      ...(to === undefined ? {} : { to }),
      why: 'expired',
      text: '',
    };
  }
  const gaps = [gap('a', 100, 200), gap('b', 150, 260), gap('c', 170, 180), gap('a', 900), gap('x', 0, 5000)];
  expect(blindTime(gaps, new Set(['a', 'b', 'c']), 1000)).toBe(160 + 100);
  expect(blindTime([], new Set(['a']), 1000)).toBe(0);
});
