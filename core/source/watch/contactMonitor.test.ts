import { expect, test } from 'vitest';
import { sourceId } from '../../../shared/model/ids.ts';
import { FakeClock } from '../../testing/fakeClock.ts';
import { apiResource } from '../../testing/scriptedCluster.ts';
import type { KubeTransport } from '../transport.ts';
import { ContactMonitor } from './contactMonitor.ts';
import type { Contact, SourceState, SourceStatus } from './watchTypes.ts';

const start = 1_000_000;

function source(name: string, state: SourceState, lostSince?: number): SourceStatus {
  const lost = state === 'lost';
  return {
    source: sourceId(`watch:v1/${name}`),
    resource: apiResource(name, name),
    detail: 'full',
    mode: 'list',
    state,
    since: start,
    objects: 0,
    expected: undefined,
    version: '',
    reconnects: 0,
    relists: 0,
    missing: [],
    error: lost ? { code: 0, reason: 'refused', message: 'Nobody listens.', causes: [] } : undefined,
    lostSince,
    nextTryAt: undefined,
  };
}

function setUp() {
  const clock = new FakeClock(start);
  const told: Contact[] = [];
  const counts = { back: 0, asked: 0 };
  const transport = {
    request: async () => {
      counts.asked++;
      return { ok: false, error: { code: 'refused', message: 'Nobody listens.' } };
    },
    onRequest: () => ({ dispose: () => undefined }),
    dispose: () => undefined,
  } as unknown as KubeTransport;
  const monitor = new ContactMonitor({
    transport,
    clock,
    onChange: (contact) => told.push(contact),
    onBack: () => {
      counts.back++;
    },
  });
  return { clock, told, counts, monitor };
}

test('contact lasted as long as the last of the sources heard something', () => {
  const { monitor, told } = setUp();
  monitor.update([source('pods', 'lost', start - 60_000), source('events', 'lost', start - 500)]);
  expect(told.at(-1)).toMatchObject({ kind: 'lost', since: start - 500 });
  monitor.dispose();
});

test('a source that came back by itself brings the others back at once, and once', async () => {
  const { monitor, told, counts, clock } = setUp();
  monitor.update([source('pods', 'lost', start), source('events', 'lost', start)]);
  expect(told.at(-1)).toMatchObject({ kind: 'lost' });
  monitor.update([source('pods', 'live'), source('events', 'lost', start)]);
  expect(told.at(-1)).toEqual({ kind: 'connected' });
  expect(counts.back).toBe(1);
  monitor.update([source('pods', 'live'), source('events', 'lost', start)]);
  await clock.advance(60_000);
  expect(counts).toEqual({ back: 1, asked: 0 });
  monitor.dispose();
});

test('nobody is called back when all came back by themselves', () => {
  const { monitor, counts } = setUp();
  monitor.update([source('pods', 'lost', start)]);
  monitor.update([source('pods', 'live')]);
  expect(counts.back).toBe(0);
  monitor.dispose();
});
