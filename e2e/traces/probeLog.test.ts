import { expect, test } from 'vitest';
import { asDefaultLog, readProbeLog } from './probeLog.ts';

const at = '2026-11-30T15:00:00.123456Z';
const run = {
  controller: 'database',
  controllerKind: 'Database',
  Database: { namespace: 'shop', name: 'a' },
  namespace: 'shop',
  name: 'a',
  reconcileID: 'id',
};

function line(more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ level: 'info', ts: at, ...run, ...more });
}

const started = line({ level: 'Level(-5)', msg: 'Reconciling' });
const failed = line({ level: 'error', msg: 'Reconciler error', error: 'quota' });
const probe = (more: Readonly<Record<string, unknown>>) =>
  line({ msg: 'loopscope.probe', at, tookMs: 2, ...more });
const written = { probe: 'write', verb: 'update', subresource: 'status', kind: 'Database', of: 'shop/a' };

test('[SC5] the probe tells reconciles and stored writes; its lines are no input', () => {
  const log = readProbeLog(
    [
      started,
      probe({ probe: 'start', key: 'shop/a' }),
      probe({ ...written, before: '7', version: '8' }),
      probe({ ...written, before: '8', version: '8' }),
      probe({ ...written, before: '8', version: '8', failed: 'conflict' }),
      probe({ probe: 'end', key: 'shop/a', result: 'error', after: '0s', failed: 'quota' }),
      failed,
      '',
    ].join('\n'),
  );
  const end = Date.UTC(2026, 10, 30, 15) + 123.456;
  expect(log.spans).toEqual([
    expect.objectContaining({ controller: 'database', key: 'shop/a', result: 'error', reconcileId: 'id' }),
  ]);
  expect(log.spans[0]?.end).toBeCloseTo(end, 2);
  expect(log.spans[0]?.start).toBeCloseTo(end - 2, 2);
  expect(log.writes.map(({ resourceVersion, changed }) => [resourceVersion, changed])).toEqual([
    ['8', true],
    ['8', false],
  ]);
  expect(log.errors).toMatchObject([{ key: 'shop/a', controller: 'database', reconcileId: 'id' }]);
  expect(log.plainLines).toEqual([started, failed]);
});

test('[SC5] a run that was cut by force is one, up to what was said of it last', () => {
  const later = line({ ts: '2026-11-30T15:00:01Z', msg: 'Child changed' });
  const log = readProbeLog([probe({ probe: 'start', key: 'shop/a', tookMs: 0 }), later].join('\n'));
  expect(log.spans).toEqual([
    expect.objectContaining({
      key: 'shop/a',
      result: 'unknown',
      reconcileId: 'id',
      end: Date.UTC(2026, 10, 30, 15, 0, 1),
    }),
  ]);
});

test('[SC5] a damaged line of the probe is no truth', () => {
  expect(() => readProbeLog(probe({ probe: 'end', key: 'shop/a', result: 'fine' }))).toThrow(/damaged line/);
});

test('[SC2] the default log has no V levels and whole seconds', () => {
  const text = 'E1130 15:00:00.100000 1 reflector.go:1] "a line of client-go"';
  expect(asDefaultLog([started, failed, text])).toEqual([
    failed.replace('15:00:00.123456Z', '15:00:00Z'),
    text,
  ]);
});
