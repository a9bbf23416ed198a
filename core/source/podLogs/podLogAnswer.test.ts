import { expect, test } from 'vitest';
import { podLogPath, readRefusal } from './podLogAnswer.ts';
import { parseStamped } from './stampedLine.ts';

const target = { namespace: 'ops', pod: 'p-0', container: 'manager' };

test('[SRC2] the request: whole seconds, its container, nothing that is not asked', () => {
  expect(podLogPath(target, {})).toBe(
    '/api/v1/namespaces/ops/pods/p-0/log?container=manager&timestamps=true',
  );
  expect(podLogPath(target, { previous: true, since: Date.parse('2026-05-01T08:00:00.999Z') })).toBe(
    '/api/v1/namespaces/ops/pods/p-0/log?container=manager&timestamps=true&previous=true&sinceTime=2026-05-01T08%3A00%3A00Z',
  );
});

test('[SRC3] the runtime’s time: up to nine digits, any zone, an empty line; anything else is the kubelet’s word', () => {
  const base = Date.parse('2026-05-01T08:00:00Z');
  expect(parseStamped('2026-05-01T08:00:00.123456789Z text  with blanks ')).toEqual({
    ms: base + 123.456789,
    text: 'text  with blanks ',
  });
  expect(parseStamped('2026-05-01T16:00:00.5+08:00 here')).toEqual({ ms: base + 500, text: 'here' });
  expect(parseStamped('2026-05-01T08:00:00Z \r')).toEqual({ ms: base, text: '' });
  expect(parseStamped('2026-05-01T08:00:00Z')).toEqual({ ms: base, text: '' });
  expect(parseStamped('2026-13-01T08:00:00Z x')).toBeUndefined();
  expect(parseStamped('2026-05-01T08:00:00.1234567890Z x')).toBeUndefined();
  expect(parseStamped('failed to watch file')).toBeUndefined();
});

function read(code: number, message: string, retryAfter?: string) {
  return readRefusal(target, code, JSON.stringify({ kind: 'Status', code, message }), retryAfter);
}

test('[SRC27] what answers mean', () => {
  expect(read(404, 'pods "p-0" not found').kind).toBe('gone');
  expect(read(410, 'Gone').kind).toBe('gone');
  expect(read(400, 'container "manager" in pod "p-0" is waiting to start: PodInitializing').kind).toBe(
    'waiting',
  );
  expect(read(400, 'previous terminated container "manager" in pod "p-0" not found').kind).toBe('noPrevious');
  expect(read(400, 'container manager is not valid for pod p-0')).toMatchObject({
    kind: 'failed',
    problem: { code: 'no-such-container' },
  });
  expect(read(403, 'forbidden')).toMatchObject({ problem: { code: 'forbidden' } });
  expect(read(429, 'busy', '7')).toMatchObject({ retryAfterMs: 7000 });
  expect(read(500, 'Get "https://n:10250/containerLogs/a": dial tcp: lookup n: no such host')).toMatchObject({
    problem: { code: 'kubelet-unreachable' },
  });
  expect(read(503, 'x'.repeat(1000))).toMatchObject({ problem: { code: 'log-refused' } });
  // A proxy in between speaks no Kubernetes.
  expect(readRefusal(target, 502, '<html>bad gateway</html>', undefined)).toMatchObject({
    kind: 'failed',
    problem: { message: expect.stringContaining('(502)') },
  });
});
