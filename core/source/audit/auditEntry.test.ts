import { describe, expect, it } from 'vitest';
import { parseAuditLine } from './auditEntry.ts';

const event = {
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'RequestResponse',
  auditID: 'id-1',
  stage: 'ResponseComplete',
  requestURI: '/apis/db.example.com/v1/namespaces/shop/databases/orders/status',
  verb: 'update',
  user: { username: 'system:serviceaccount:a:b', groups: ['system:authenticated'] },
  userAgent: 'manager/v0',
  objectRef: {
    resource: 'databases',
    namespace: 'shop',
    name: 'orders',
    apiGroup: 'db.example.com',
    apiVersion: 'v1',
    subresource: 'status',
  },
  responseStatus: { code: 200 },
  requestObject: { metadata: { resourceVersion: '41' } },
  responseObject: { kind: 'Database', metadata: { name: 'orders', resourceVersion: '42' } },
  requestReceivedTimestamp: '2026-03-10T09:00:00.124000Z',
  stageTimestamp: '2026-03-10T09:00:00.128000Z',
  annotations: { 'authorization.k8s.io/decision': 'allow' },
};

function one(change: object) {
  const parsed = parseAuditLine(JSON.stringify({ ...event, ...change }));
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value[0];
}

describe('audit events', () => {
  it('[AU2] reads an event with its interval, target and versions', () => {
    const start = Date.UTC(2026, 2, 10, 9, 0, 0, 124);
    expect(one({})).toEqual({
      auditId: 'id-1',
      stage: 'ResponseComplete',
      at: { lo: start, hi: start + 4 },
      user: 'system:serviceaccount:a:b',
      groups: ['system:authenticated'],
      userAgent: 'manager/v0',
      verb: 'update',
      requestUri: event.requestURI,
      target: {
        apiGroup: 'db.example.com',
        apiVersion: 'v1',
        resource: 'databases',
        subresource: 'status',
        namespace: 'shop',
        name: 'orders',
      },
      code: 200,
      decision: 'allow',
      responseVersion: '42',
      requestVersion: '41',
    });
  });

  it('[AU2] counts a request for the impersonated user', () => {
    const entry = one({ impersonatedUser: { username: 'alice', groups: ['dev'] } });
    expect(entry).toMatchObject({
      user: 'alice',
      groups: ['dev'],
      impersonatedBy: 'system:serviceaccount:a:b',
    });
  });

  it('takes the name of a create from its answer, never from a Status', () => {
    const objectRef = { resource: 'events', namespace: 'shop' };
    expect(one({ verb: 'create', objectRef })?.target?.name).toBe('orders');
    const responseObject = { kind: 'Status', metadata: { name: 'x' } };
    expect(one({ verb: 'create', objectRef, responseObject })?.target?.name).toBe('');
  });

  it('has no target for a request without a resource, and no code before the answer', () => {
    const entry = one({ objectRef: undefined, responseStatus: undefined, stage: 'RequestReceived' });
    expect(entry?.target).toBeUndefined();
    expect(entry?.code).toBe(0);
  });

  it('[AU1] unfolds batches and leaves out what is no event', () => {
    const list = { kind: 'EventList', items: [event, { broken: true }, { ...event, auditID: 'id-2' }] };
    const parsed = parseAuditLine(JSON.stringify(list));
    expect(parsed.ok && parsed.value.map(({ auditId }) => auditId)).toEqual(['id-1', 'id-2']);
    expect(parseAuditLine('{"kind":"EventList","items":[]}')).toEqual({ ok: true, value: [] });
  });

  it('[AU1] answers a sentence for what cannot be read', () => {
    expect(parseAuditLine('{"kind":').ok).toBe(false);
    expect(parseAuditLine('{"kind":"Pod"}')).toEqual({ ok: false, error: 'not an audit.k8s.io event' });
    expect(parseAuditLine('null').ok).toBe(false);
  });
});
