import { expect, test } from 'vitest';
import type { LogEntry } from '../source/log/logEntry.ts';
import { namesOfLine } from './evidenceLines.ts';

function names(msg: string, fields: LogEntry['fields'] = {}): readonly string[] {
  return namesOfLine({ msg, fields } as LogEntry);
}

test('names are whole words: none is what is left of a word with a capital letter', () => {
  expect(names('Reconciling Database orders-db', { Kind: 'StatefulSet' })).toEqual(['orders-db']);
  expect(names('updated "shop/orders-db", myName2 and web_1')).toEqual([
    'updated',
    'shop/orders-db',
    'orders-db',
    'and',
  ]);
});

test('a kind before a name is kept', () => {
  expect(names('created Secret/shop/orders-db.')).toEqual(['created', 'Secret/shop/orders-db', 'orders-db']);
});
