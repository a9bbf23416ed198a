import { describe, expect, it } from 'vitest';
import { parseLogLine } from './logEntry.ts';
import { readProbeLine } from './probeLine.ts';

const at = '2026-11-30T15:00:00.123456789Z';
const ms = Date.UTC(2026, 10, 30, 15) + 123.456789;

function read(fields: Record<string, unknown>) {
  return readProbeLine('loopscope.probe', { at, tookMs: 1.5, ...fields });
}

describe('lines of the probe', () => {
  it('[PR1] reads starts and ends, with every result', () => {
    expect(read({ probe: 'start', key: 'shop/orders', tookMs: 0 })).toEqual({
      kind: 'start',
      key: 'shop/orders',
      at: expect.closeTo(ms, 2),
      tookMs: 0,
    });
    expect(read({ probe: 'end', key: '/node-a', result: 'requeue-after', after: '1m30s' })).toMatchObject({
      kind: 'end',
      key: 'node-a',
      result: 'requeue-after',
      afterMs: 90_000,
    });
    const failed = read({ probe: 'end', key: 'a/b', result: 'error', after: '0s', failed: 'quota' });
    expect(failed).toMatchObject({ result: 'error', failed: 'quota' });
    expect(failed).not.toHaveProperty('afterMs');
  });

  it('[PR2] reads reads of the cache and of the API server', () => {
    expect(
      read({ probe: 'read', verb: 'get', from: 'cache', kind: 'Secret', of: 'shop/a', version: '7' }),
    ).toMatchObject({
      kind: 'read',
      verb: 'get',
      from: 'cache',
      subject: 'Secret/shop/a',
      resourceVersion: '7',
    });
    expect(
      read({ probe: 'read', verb: 'list', from: 'live', kind: 'NodeList', of: '/', items: 3 }),
    ).toMatchObject({ from: 'live', subject: 'NodeList/-/', items: 3 });
  });

  it('[PR3] reads writes with the versions around them', () => {
    expect(
      read({
        probe: 'write',
        verb: 'update',
        subresource: 'status',
        kind: 'Database',
        of: 'shop/orders',
        before: '7',
        version: '8',
      }),
    ).toMatchObject({
      kind: 'write',
      verb: 'update',
      subresource: 'status',
      subject: 'Database/shop/orders',
      before: '7',
      resourceVersion: '8',
    });
  });

  it('[PR4] reads them out of text logs, whose numbers are text', () => {
    const line = `I1130 15:00:00.123500    1 probe.go:33] "loopscope.probe" controller="database" namespace="shop" name="orders" reconcileID="id" probe="read" at="${at}" tookMs="0.25" verb="list" from="cache" kind="SecretList" of="shop/" items="2"`;
    const entry = parseLogLine(line, { nearMs: ms });
    expect(entry).toMatchObject({ controller: 'database', reconcileId: 'id' });
    expect(readProbeLine(entry.msg, entry.fields)).toMatchObject({
      tookMs: 0.25,
      subject: 'SecretList/shop/',
      items: 2,
    });
  });

  it('[PR5] leaves other lines and damaged ones alone', () => {
    expect(readProbeLine('Reconciling', { probe: 'start', key: 'a/b', at, tookMs: 0 })).toBeUndefined();
    expect(read({ probe: 'start' })).toBeUndefined();
    expect(read({ probe: 'start', key: 'a/b', at: 'yesterday' })).toBeUndefined();
    expect(read({ probe: 'end', key: 'a/b', result: 'fine' })).toBeUndefined();
    expect(read({ probe: 'write', verb: 'steal', kind: 'Secret', of: 'a/b' })).toBeUndefined();
    expect(read({ probe: 'else' })).toBeUndefined();
  });
});
