import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../session/memoryLog.ts';
import { createRecorder } from '../session/recorder.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createFeeds } from './feeds.ts';
import { readConnectionRecord, readDiscoveryRecord, recordedLabel } from './watchRecords.ts';

describe('[PB5] what of a feed is put on record', () => {
  it.each([
    ['log', '/var/log/operator.log', '/var/log/operator.log'],
    ['stdin', 'standard input', 'standard input'],
    ['metrics', 'https://me:canary@host:8443/metrics?token=canary#x', 'https://host:8443/metrics'],
    ['metrics', 'http://127.0.0.1:8080/metrics', 'http://127.0.0.1:8080/metrics'],
    ['child', 'make run --token canary', 'make'],
    ['child', '  ./operator --password=canary', './operator'],
  ] as const)('%s %s', (kind, label, told) => {
    expect(recordedLabel(kind, label)).toBe(told);
  });

  it('never the secret of an address or a command, whatever the feed says of itself', () => {
    const clock = new FakeClock(1000);
    const log = createMemoryLog({ clock });
    const feeds = createFeeds({ now: () => clock.now(), onGap: () => undefined });
    feeds.bind(createRecorder(log));
    const url = 'http://me:canary@host/metrics?key=canary';
    feeds.attach({
      kind: 'metrics',
      label: url,
      start(sink) {
        sink.state('waiting', 'http://me:canary@host:80/metrics?key=canary');
        sink.state('failed', 'refused', { code: 'x', message: `${url} cannot be reached` });
        return { dispose() {} };
      },
    });
    const command = './operator --password=canary';
    feeds.attach({
      kind: 'child',
      label: command,
      start(sink) {
        sink.state('live', command);
        return { dispose() {} };
      },
    });
    const payloads = [...log.heads({})].map(({ seq }) => log.payload(seq));
    expect(payloads.length).toBeGreaterThan(3);
    expect(payloads.join('\n')).toContain('http://host/metrics cannot be reached');
    expect(payloads.join('\n')).not.toContain('canary');
    expect(feeds.rows()[0]?.label).toBe(url);
  });
});

describe('records that cannot be read', () => {
  it.each(['', 'null', '[]', '{}', '{"what":7}', 'not json'])('%j is no record', (payload) => {
    expect(readConnectionRecord(payload)).toBeUndefined();
    expect(readDiscoveryRecord(payload)).toBeUndefined();
  });
});
