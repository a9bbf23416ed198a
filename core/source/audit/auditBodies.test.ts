import { expect, it } from 'vitest';
import { withoutBodies } from './auditBodies.ts';
import { parseAuditLine } from './auditEntry.ts';

const canary = 'canary-of-a-body';
const secret = {
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: {
    name: 'orders',
    namespace: 'shop',
    resourceVersion: '7',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': canary },
  },
  data: { password: canary },
};
const event = {
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'RequestResponse',
  auditID: 'one',
  stage: 'ResponseComplete',
  requestURI: '/api/v1/namespaces/shop/secrets?fieldManager=dbop',
  verb: 'create',
  user: { username: 'system:serviceaccount:db:dbop' },
  objectRef: { resource: 'secrets', namespace: 'shop', apiVersion: 'v1' },
  responseStatus: { code: 201 },
  requestObject: { ...secret, metadata: { ...secret.metadata, resourceVersion: '6' } },
  responseObject: secret,
  requestReceivedTimestamp: '2026-11-30T08:00:00.000001Z',
  stageTimestamp: '2026-11-30T08:00:00.004001Z',
  annotations: {
    'authorization.k8s.io/decision': 'allow',
    'patch.webhook.admission.k8s.io/round_0_index_0': `{"patch":[{"value":"${canary}"}]}`,
  },
};

it('keeps nothing of bodies but which object it was, and tells the same request', () => {
  const line = JSON.stringify(event);
  const kept = withoutBodies(line);
  expect(kept).not.toContain(canary);
  expect(parseAuditLine(kept)).toEqual(parseAuditLine(line));
  expect(JSON.parse(kept).responseObject).toEqual({
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 'orders', namespace: 'shop', resourceVersion: '7' },
  });
  expect(withoutBodies(kept)).toBe(kept);
});

it.each([
  ['a batch', { kind: 'EventList', items: [event, event] }],
  ['a patch in pieces', { ...event, requestObject: [{ op: 'add', path: '/data/password', value: canary }] }],
  ['a list', { ...event, responseObject: { kind: 'SecretList', items: [secret] } }],
  ['an issued token', { ...event, responseObject: { kind: 'TokenRequest', status: { token: canary } } }],
  ['a body that is text', { ...event, requestObject: canary }],
  ['a command', { requestURI: `/api/v1/namespaces/shop/pods/a/exec?command=login&command=${canary}` }],
])('keeps nothing of %s', (_what, value) => {
  expect(withoutBodies(JSON.stringify(value))).not.toContain(canary);
});

it('ends a broken line where a body begins, wherever it is cut', () => {
  const line = JSON.stringify(event);
  for (let end = 1; end < line.length; end += 7) {
    const kept = withoutBodies(line.slice(0, end));
    expect(kept).not.toContain('canary');
    expect(line.startsWith(kept)).toBe(true);
  }
});

it('leaves lines without bodies as they are, byte by byte', () => {
  const line = '{ "kind":"Event", "level":"Metadata", "requestURI":"/api/v1/pods?limit=5" }';
  expect(withoutBodies(line)).toBe(line);
  expect(withoutBodies('no JSON')).toBe('no JSON');
});
