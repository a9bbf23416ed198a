import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../shared/contract/views/objects.ts';
import { compileEventFilter } from './eventFilter.ts';

const row: EventRow = {
  seq: 1,
  at: 0,
  type: 'object',
  op: 'modified',
  object: { key: 'k', group: 'db.example.com', kind: 'Database', namespace: 'shop', name: 'orders-db' },
  writer: { manager: 'helm', operation: 'Update', subresource: 'status' },
  summary: 'spec.version 16.3 → 16.4',
  warning: false,
  metadataOnly: false,
};

describe('compileEventFilter', () => {
  it.each([
    ['', true],
    ['kind:database ns:shop', true],
    ['kind:Data', false],
    ['name:orders', true],
    ['op:modified writer:helm', true],
    ['writer:status', true],
    ['-writer:helm', false],
    ['-kind:Pod', true],
    ['"16.3 → 16.4"', true],
    ['shop/orders-db', true],
    ['nosuch:word', false],
    ['record>0 rv:none', false],
    ['record>0', true],
    ['op:', true],
    ['type:warning', false],
  ])('%s → %s', (text, matches) => {
    expect(compileEventFilter(text)(row)).toBe(matches);
  });
});

describe('compileEventFilter on a Kubernetes Event', () => {
  const { object, ...rest } = row;
  const event: EventRow = {
    ...rest,
    type: 'event',
    object: { key: 'e', group: '', kind: 'Event', namespace: 'shop', name: 'orders-db.17f2' },
    ...(object === undefined ? {} : { about: object }),
  };
  it.each([
    ['kind:Database', true],
    ['kind:Event', true],
    ['kind:Database op:modified', false],
    ['op:event', true],
    ['kind:Pod', false],
    ['-kind:Database', false],
    ['name:17f2', true],
    ['"database shop/orders-db"', true],
  ])('%s → %s: finds it by itself and by what it regards', (text, matches) => {
    expect(compileEventFilter(text)(event)).toBe(matches);
  });
});
