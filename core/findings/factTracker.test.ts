import { describe, expect, it } from 'vitest';
import { parseLogLine } from '../source/log/logEntry.ts';
import { createFactTracker } from './factTracker.ts';
import { operatorUser, refusalText, refusedLine } from './testInput.ts';

describe('fact tracker', () => {
  it('[LG10] counts a refusal once per reconcile, however often it is logged', () => {
    const tracker = createFactTracker();
    const own = refusedLine(3).replace('Reconciler error', 'updating status');
    for (const line of [own, refusedLine(3), refusedLine(4)]) tracker.addLog(parseLogLine(line), { seq: 1 });
    expect(tracker.access().map(({ count, user }) => [count, user])).toEqual([[2, operatorUser]]);
  });

  it('finds a refusal in a message, in a field, and in a plain line', () => {
    const lines = [
      JSON.stringify({ ts: 1, msg: refusalText() }),
      JSON.stringify({ ts: 2, msg: 'failed', cause: refusalText() }),
      `\tcaused by: ${refusalText()}`,
    ];
    const tracker = createFactTracker();
    for (const line of lines) tracker.addLog(parseLogLine(line), { receivedAt: 5000 });
    expect(tracker.access().map(({ count }) => count)).toEqual([3]);
    expect(tracker.access()[0]?.last.at).toBe('1970-01-01T00:00:05.000Z');
  });

  it('remembers each controller once, with whose log it is', () => {
    const tracker = createFactTracker();
    for (const minute of [1, 2])
      tracker.addLog(parseLogLine(refusedLine(minute)), { seq: minute }, operatorUser);
    expect(tracker.controllers()).toMatchObject([
      {
        user: operatorUser,
        controller: 'database',
        group: 'db.example.com',
        kind: 'Database',
        evidence: { seq: 1 },
      },
    ]);
  });

  it('ignores objects that are no Events, and Events without a refusal', () => {
    const tracker = createFactTracker();
    tracker.addEvent({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, message: refusalText() }, {});
    tracker.addEvent(
      { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, message: 'Pulled image' },
      {},
    );
    expect(tracker.access()).toEqual([]);
  });

  it('shows rights in use from the log of a known operator, when it can name resources', () => {
    const lines = [
      { ts: 1, msg: 'Starting EventSource', controller: 'c', source: 'kind source: *v1.Pod' },
      { ts: 2, msg: 'Starting workers', controller: 'c' },
    ].map((line) => parseLogLine(JSON.stringify(line)));
    const resolveKind = () => ({ group: '', resource: 'pods' });
    const seen = (user: string | undefined, options: Parameters<typeof createFactTracker>[0]) => {
      const tracker = createFactTracker(options);
      for (const line of lines) tracker.addLog(line, { seq: 1 }, user);
      return tracker.access().map(({ outcome, verb, resource }) => `${outcome} ${verb} ${resource}`);
    };
    expect(seen('u', { resolveKind })).toEqual(['allowed list pods', 'allowed watch pods']);
    expect(seen(undefined, { resolveKind })).toEqual([]);
    expect(seen('u', {})).toEqual([]);
  });
});
