import { expect, it } from 'vitest';
import type { AuditFact, LogFact } from '../session/facts.ts';
import { parseAuditLine } from '../source/audit/auditEntry.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import { createKeyNotes, type ObjectName } from './keyNotes.ts';

const orders: ObjectName = {
  group: 'db.example.com',
  kind: 'Database',
  resource: 'databases',
  namespace: 'shop',
  name: 'orders',
};
let seq = 0;

function log(at: number, fields: Readonly<Record<string, unknown>>): LogFact {
  seq += 1;
  const line = JSON.stringify({
    level: 'error',
    msg: 'Reconciler error',
    controller: 'database',
    controllerGroup: 'db.example.com',
    controllerKind: 'Database',
    Database: { name: 'orders', namespace: 'shop' },
    namespace: 'shop',
    name: 'orders',
    ...fields,
  });
  return {
    fact: 'log',
    seq: seq as LogFact['seq'],
    at: { lo: at, hi: at },
    receivedAt: at,
    source: 'log:1' as LogFact['source'],
    entry: parseLogLine(line),
  };
}

function audit(at: number, code: number): AuditFact {
  seq += 1;
  const time = new Date(at).toISOString();
  const parsed = parseAuditLine(
    JSON.stringify({
      kind: 'Event',
      stage: 'ResponseComplete',
      verb: 'update',
      user: { username: 'u', groups: [] },
      objectRef: {
        resource: 'databases',
        subresource: 'status',
        apiGroup: 'db.example.com',
        namespace: 'shop',
        name: 'orders',
      },
      responseStatus: { code },
      requestReceivedTimestamp: time,
      stageTimestamp: time,
      annotations: { 'authorization.k8s.io/decision': code === 403 ? 'forbid' : 'allow' },
    }),
  );
  const entry = parsed.ok ? parsed.value[0] : undefined;
  if (entry === undefined) throw new Error('no audit entry');
  return {
    fact: 'audit',
    seq: seq as AuditFact['seq'],
    at: { lo: at, hi: at },
    receivedAt: at,
    source: 'audit:1' as AuditFact['source'],
    entry,
  };
}

const forbidden =
  'databases.db.example.com "orders" is forbidden: User "u" cannot update resource "databases/status" in API group "db.example.com" in the namespace "shop"';

it('counts refusals by each source since the last write that passed', () => {
  const notes = createKeyNotes();
  notes.addAudit(audit(1000, 403));
  notes.addAudit(audit(2000, 200));
  expect(notes.refusals(orders)).toEqual([]);
  for (const at of [3000, 4000, 5000]) notes.addAudit(audit(at, 403));
  notes.addLog(log(5001, { error: forbidden, reconcileID: 'a' }));
  expect(notes.refusals(orders)).toMatchObject([
    { from: 'audit', count: 3, first: { at: 3000 } },
    { from: 'log', count: 1, first: { at: 5001, verb: 'update', user: 'u' } },
  ]);
  expect(notes.allRefusals(orders)).toMatchObject({
    from: 'audit',
    all: [{ at: 1000 }, { at: 3000 }, { at: 4000 }, { at: 5000 }],
  });
});

it('takes two lines of one reconcile for one refusal', () => {
  const notes = createKeyNotes();
  notes.addLog(log(1000, { msg: 'cannot write status', error: forbidden, reconcileID: 'a' }));
  notes.addLog(log(1001, { error: forbidden, reconcileID: 'a' }));
  notes.addLog(log(2000, { error: forbidden, reconcileID: 'b' }));
  expect(notes.refusals(orders)[0]?.count).toBe(2);
});

it('keeps errors in order of time, whatever order they were read in, and those of other kinds apart', () => {
  const notes = createKeyNotes();
  notes.addLog(log(5000, { error: 'later' }));
  notes.addLog(log(1000, { error: 'earlier' }));
  notes.addLog(log(3000, { error: 'of a Backup', controller: 'backup', controllerKind: 'Backup' }));
  const errors = notes.errors(orders, 'database');
  expect(errors).toMatchObject({ count: 2, first: { at: 1000, text: 'earlier' } });
  expect(errors?.recent.map(({ text }) => text)).toEqual(['earlier', 'later']);
  expect(notes.errors({ ...orders, name: 'other' }, 'database')).toBeUndefined();
  expect(notes.lastLineAt('database', 'Database')).toBe(5000);
});

it('is no larger for a long log', () => {
  const notes = createKeyNotes();
  for (let n = 0; n < 500; n++) notes.addLog(log(n, { error: `e${n}` }));
  const errors = notes.errors(orders, 'database');
  expect(errors?.count).toBe(500);
  expect(errors?.recent).toHaveLength(64);
  expect(errors?.first.text).toBe('e0');
  expect(errors?.recent.at(-1)?.text).toBe('e499');
});
