import { expect, test } from 'vitest';
import { agreementOf, type ModelCheckRow, offBy, percentText } from './modelAgreement.ts';

function row(name: ModelCheckRow['name'], lo: number, hi: number, reported?: number): ModelCheckRow {
  return {
    name,
    model: { lo, hi },
    ...(reported === undefined ? {} : { reported, inside: reported >= lo && reported <= hi }),
  };
}

test('[SPG40] inside the interval nothing is off; outside the distance to its nearer end', () => {
  expect(offBy(row('adds', 10, 12, 11))).toBe(0);
  expect(offBy(row('adds', 10, 12, 15))).toBe(3);
  expect(offBy(row('adds', 10, 12, 8))).toBe(-2);
  expect(offBy(row('adds', 10, 12))).toBeUndefined();
});

test('[SPG40] the percentage is of everything that was reported, and 100 only when all of it is inside', () => {
  const rows = [row('adds', 1204, 1204, 1204), row('retries', 312, 312, 313), row('requeue', 3, 3)];
  const agreement = agreementOf(rows);
  expect(agreement?.outside.map(({ name }) => name)).toEqual(['retries']);
  expect(percentText(agreement?.share ?? 0)).toBe('99.9 %');
  expect(percentText(0.99999)).toBe('99.9 %');
  expect(percentText(agreementOf([row('adds', 5, 5, 5)])?.share ?? 0)).toBe('100 %');
  expect(agreementOf([row('depth', 0, 0, 0)])?.share).toBe(1);
  expect(agreementOf([row('adds', 0, 0, 50)])?.share).toBe(0);
});

test('[SPG40] without a report there is nothing to agree with', () => {
  expect(agreementOf([])).toBeUndefined();
  expect(agreementOf([row('adds', 1, 2)])).toBeUndefined();
});

test('[SPG40] a wide interval says so: it is no agreement to allow everything', () => {
  expect(agreementOf([row('adds', 90, 100, 95), row('error', 3, 3, 3)])?.width).toBe(0.1);
  expect(agreementOf([row('adds', 95, 95, 95)])?.width).toBe(0);
});
