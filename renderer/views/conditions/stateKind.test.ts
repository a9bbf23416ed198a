import { expect, it } from 'vitest';
import { stateKind } from './stateKind.ts';

const well = { good: true, unknown: false, deleting: false, held: false, usual: true };

it('is green only for a good value that is known to hold now', () => {
  expect(stateKind(well)).toEqual({ kind: 'good', ink: 'inkOk' });
  expect(stateKind({ ...well, held: true })).toEqual({ kind: 'held', ink: 'inkDegraded' });
  expect(stateKind({ ...well, deleting: true, held: true })).toEqual({ kind: 'deleting', ink: 'inkUnknown' });
});

it('tells of a bad value against the others where it is known how long they take', () => {
  expect(stateKind({ ...well, good: false })).toEqual({ kind: 'stuck', ink: 'inkFailed' });
  expect(stateKind({ ...well, good: false, usual: false, held: true })).toMatchObject({ kind: 'bad' });
  expect(stateKind({ ...well, good: false, unknown: true })).toMatchObject({ ink: 'inkUnknown' });
});
