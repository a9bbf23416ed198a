import { expect, test } from 'vitest';
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import { profileOf } from '../queue/testOperator.ts';
import type { LogFact } from '../session/facts.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import { createControllerSources } from './controllerSources.ts';
import { createErrorNotes } from './errorNotes.ts';

const start = Date.parse('2026-11-30T09:00:00Z');
const profile: ControllerProfile = {
  ...profileOf({ kind: 'priority', limiter: { type: 'default' }, workers: 1 }),
  name: 'database',
};
const database = { profile, sources: createControllerSources(profile, () => []) };
const other = { ...database, profile: { ...profile, name: 'other' } };

/** A followed line at `seconds`; `unsureMs`: one that was there before, with a coarse time stamp. */
function failed(seconds: number, error: string, options: { name?: string; unsureMs?: number } = {}): LogFact {
  const { name = 'orders', unsureMs } = options;
  const at = start + seconds * 1000;
  const text = JSON.stringify({
    level: 'error',
    msg: 'Reconciler error',
    controller: 'database',
    namespace: 'shop',
    name,
    error,
  });
  return {
    fact: 'log',
    seq: recordSeq(1),
    source: sourceId('log:1'),
    at: { lo: at, hi: at + (unsureMs ?? 0) },
    receivedAt: unsureMs === undefined ? at : start + 3_600_000,
    entry: parseLogLine(text),
  };
}

test('the last error of a key: its first line, bounded; of its own controller and key only', () => {
  const notes = createErrorNotes();
  notes.add(failed(0, 'first'));
  notes.add(failed(1, 'second\nand more'));
  notes.add(failed(1, 'x'.repeat(400), { name: 'billing' }));
  expect(notes.lastError(database, 'shop/orders')).toBe('second');
  expect(notes.lastError(database, 'shop/billing')).toBe(`${'x'.repeat(299)}…`);
  expect(notes.lastError(database, 'shop/other')).toBeUndefined();
  expect(notes.lastError(other, 'shop/orders')).toBeUndefined();
});

test('a line of the past that comes later does not replace what was said since', () => {
  const notes = createErrorNotes();
  notes.add(failed(100, 'now'));
  notes.add(failed(40, 'long ago'));
  expect(notes.lastError(database, 'shop/orders')).toBe('now');
  expect(notes.gapsMs(database)).toEqual([60_000]);
});

test('gaps of all keys: like ones are one, to two digits, ascending', () => {
  const notes = createErrorNotes();
  for (const [name, offset] of [
    ['orders', 0],
    ['billing', 0.3],
  ] as const)
    for (const at of [0, 1.004, 4.01, 13.02, 33.05, 53.08]) notes.add(failed(at + offset, 'boom', { name }));
  expect(notes.gapsMs(database)).toEqual([1000, 3000, 9000, 20_000]);
});

test('time stamps in whole seconds tell long gaps, not short ones', () => {
  const notes = createErrorNotes();
  for (const at of [0, 1, 4, 24]) notes.add(failed(at, 'boom', { unsureMs: 999 }));
  expect(notes.gapsMs(database)).toEqual([20_000]);
});
