import { describe, expect, test } from 'vitest';
import { checkAllowed, metricsProxyTarget, NotAllowed } from './allowList.ts';

const metadata = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

describe('[TR1] allowed', () => {
  test.each([
    '/version',
    '/livez',
    '/readyz',
    '/api',
    '/apis',
    '/api/v1',
    '/apis/apps',
    '/apis/apps/v1',
    '/openapi/v3',
    '/openapi/v3/apis/apps/v1?hash=1',
  ])('GET %s', (path) => {
    expect(checkAllowed({ method: 'GET', path })).toMatchObject({ kind: 'nonResource' });
  });

  test.each([
    ['/api/v1/pods?limit=500', { resource: 'pods', namespace: '', name: '', subresource: '' }],
    ['/api/v1/namespaces', { resource: 'namespaces', namespace: '', name: '' }],
    ['/api/v1/namespaces/a', { resource: 'namespaces', namespace: '', name: 'a' }],
    ['/api/v1/namespaces/a/status', { resource: 'namespaces', name: 'a', subresource: 'status' }],
    ['/api/v1/namespaces/a/pods/p', { resource: 'pods', namespace: 'a', name: 'p' }],
    ['/api/v1/namespaces/a/pods/p/log?follow=true', { resource: 'pods', subresource: 'log' }],
    ['/apis/apps/v1/namespaces/a/deployments/d/scale', { resource: 'deployments', subresource: 'scale' }],
    ['/apis/db.example.com/v1alpha1/databases?watch=1', { group: 'db.example.com', resource: 'databases' }],
    ['/apis/db.example.com/foo10/databases', { version: 'foo10', resource: 'databases' }],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode', { name: 'system:node' }],
  ])('GET %s', (path, target) => {
    expect(checkAllowed({ method: 'GET', path })).toMatchObject({ kind: 'resource', ...target });
  });

  test.each([
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    '/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews',
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  ])('POST %s', (path) => {
    expect(() => checkAllowed({ method: 'POST', path })).not.toThrow();
  });
});

describe('[TR2] refused whatever the method', () => {
  const connect = [
    '/api/v1/namespaces/a/pods/p/exec?command=sh',
    '/api/v1/namespaces/a/pods/p/attach',
    '/api/v1/namespaces/a/pods/p/portforward',
    '/api/v1/namespaces/a/pods/p/ephemeralcontainers',
    '/api/v1/namespaces/a/pods/p/eviction',
    '/api/v1/namespaces/a/pods/p/binding',
    '/api/v1/namespaces/a/pods/p/resize',
    '/api/v1/namespaces/a/pods/p/proxy',
    '/api/v1/namespaces/a/pods/p:8080/proxy/metrics',
    '/api/v1/namespaces/a/services/s/proxy',
    '/api/v1/namespaces/a/services/https:s:443/proxy/metrics',
    '/api/v1/nodes/n/proxy/metrics',
    '/api/v1/nodes/n/proxy',
    '/api/v1/proxy/namespaces/a/pods/p',
    '/api/v1/watch/pods',
    '/api/v1/namespaces/a/serviceaccounts/s/token',
    '/api/v1/namespaces/a/finalize',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests/c/approval',
    '/apis/authentication.k8s.io/v1/tokenreviews/t/x',
  ];
  for (const path of connect) {
    test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'CONNECT'])(
      `%s ${path}`,
      (method) => {
        expect(() => checkAllowed({ method, path })).toThrow(NotAllowed);
      },
    );
  }
});

describe('[TR3] no write, whatever the path', () => {
  const paths = [
    '/api/v1/namespaces',
    '/api/v1/namespaces/a/pods',
    '/api/v1/namespaces/a/pods/p',
    '/api/v1/namespaces/a/pods/p/status',
    '/apis/apps/v1/namespaces/a/deployments/d/scale',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/version',
    '/apis',
  ];
  for (const path of paths) {
    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'get', ''])(`%s ${path}`, (method) => {
      expect(() => checkAllowed({ method, path })).toThrow(NotAllowed);
    });
  }

  test.each([
    '/apis/authentication.k8s.io/v1/tokenreviews',
    '/apis/authorization.k8s.io/v1/localsubjectaccessreviews',
    '/apis/authorization.k8s.io/v1/namespaces/a/subjectaccessreviews',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/x',
    '/apis/authorization.example.com/v1/subjectaccessreviews',
    '/api/v1/subjectaccessreviews',
  ])('POST %s', (path) => {
    expect(() => checkAllowed({ method: 'POST', path })).toThrow(NotAllowed);
  });
});

describe('[TR4] paths that two parsers could read in two ways', () => {
  test.each([
    '/api/v1/namespaces/a/pods/p/%65xec%2F',
    '/api/v1/namespaces/a/pods/p%2Fexec',
    '/api/v1/namespaces/a/pods/p%252Fexec',
    '/api/v1/namespaces/a/pods/p/%65xec',
    '/api/v1/namespaces/a/pods/./p/exec',
    '/api/v1/namespaces/a/pods/p/../p/exec',
    '/api/v1/namespaces/a/pods/p/log/../exec',
    '/api/v1/namespaces/a/pods/p/%2e%2e/x',
    '/api/v1/namespaces/a/pods/p/.%2e/x',
    '/api/v1//namespaces/a/pods',
    '//evil.example/api/v1/pods',
    '/api/v1/namespaces/a/pods/',
    '/api/v1/namespaces/a/pods/p\\exec',
    '/api/v1/namespaces/a/pods/p%5Cexec',
    '/api/v1/pods#/exec',
    '/api/v1/pods%23',
    '/api/v1/pods;x=1',
    '/api/v1/pods%3Bx',
    '/api/v1/pods%00',
    '/api/v1/pods%zz',
    '/api/v1/pods HTTP/1.1',
    '/api/v1/pods\r\nX-Evil: 1',
    '/api/v1/pods?x=\n',
    '/api/v1/pöds',
    'api/v1/pods',
    'http://evil.example/api/v1/pods',
    '*',
    '',
    '/',
  ])('%j', (path) => {
    expect(() => checkAllowed({ method: 'GET', path })).toThrow(NotAllowed);
  });
});

test.each([
  '/metrics',
  '/logs',
  '/healthz',
  '/debug/pprof/profile',
  '/configz',
  '/openapi',
  '/livez/etcd',
  '/version/x',
  '/API/v1/pods',
  '/api/v1/Pods',
  '/api/latest/pods',
  '/apis/a..b/v1_/x',
])('[TR5] nothing else is read: %s', (path) => {
  expect(() => checkAllowed({ method: 'GET', path })).toThrow(NotAllowed);
});

describe('[TR6] secrets', () => {
  test.each(['/api/v1/secrets', '/api/v1/namespaces/a/secrets?watch=1', '/api/v1/namespaces/a/secrets/s'])(
    '%s only as metadata',
    (path) => {
      expect(() => checkAllowed({ method: 'GET', path, accept: metadata })).not.toThrow();
      for (const accept of [undefined, 'application/json', `${metadata},application/json`, '*/*']) {
        expect(() => checkAllowed({ method: 'GET', path, accept })).toThrow(NotAllowed);
      }
    },
  );
});

test('[TR7] metrics by pod proxy: for the pod and port that were opted into, that path, GET', () => {
  const grants = { metricsProxies: new Set(['a/p:8080']) };
  const path = '/api/v1/namespaces/a/pods/p:8080/proxy/metrics';
  expect(() => checkAllowed({ method: 'GET', path }, grants)).not.toThrow();
  for (const other of [
    '/api/v1/namespaces/b/pods/p:8080/proxy/metrics',
    '/api/v1/namespaces/a/pods/p:8081/proxy/metrics',
    '/api/v1/namespaces/a/pods/p:8080/proxy/metrics/x',
    '/api/v1/namespaces/a/pods/p:8080/proxy/debug',
    '/api/v1/namespaces/a/pods/p:8080/proxy',
    '/api/v1/namespaces/a/services/p:8080/proxy/metrics',
    '/api/v1/namespaces/a/nodes/p:8080/proxy/metrics',
    '/apis/apps/v1/namespaces/a/pods/p:8080/proxy/metrics',
    '/api/v1/namespaces/a/pods/https:p:8080/proxy/metrics',
    '/api/v1/namespaces/a/pods/p/proxy/metrics',
    '/api/v1/proxy/namespaces/a/pods/p:8080/metrics',
    '/api/v1/namespaces/a/pods/p:8080/proxy/metrics?name=go_goroutines',
    '/api/v1/namespaces/a/pods/p:8080/proxy/metrics?',
    '/api/v1/namespaces/a/pods/p:8080/proxy/metrics/../debug/pprof',
    '/api/v1/namespaces/a/pods/p:8080/proxy/metrics%2F..%2Fdebug',
    '/api/v1/namespaces/a/pods/p:8080/proxy/METRICS',
  ]) {
    expect(() => checkAllowed({ method: 'GET', path: other }, grants)).toThrow(NotAllowed);
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'CONNECT'])
    expect(() => checkAllowed({ method, path }, grants)).toThrow(NotAllowed);
  // Given up again: refused from then on.
  grants.metricsProxies.delete('a/p:8080');
  expect(() => checkAllowed({ method: 'GET', path }, grants)).toThrow(NotAllowed);
});

test('[TR9] what can be opted into is one pod and one port', () => {
  for (const target of ['a/p:8080', 'a/https:p.q:8443', 'a/p-0:65535'])
    expect(metricsProxyTarget(target)).toBe(target);
  for (const target of [
    'a/p',
    'p:8080',
    'a/p:http',
    'a/p:0',
    'a/p:65536',
    'a/b/p:80',
    'a/p:80/x',
    'a/ftp:p:80',
    '*/p:80',
    'a/..:80',
    '',
  ])
    expect(() => metricsProxyTarget(target), target).toThrow(NotAllowed);
});

test('[TR25] a log is asked for with what picks its lines, and with nothing else', () => {
  const log = '/api/v1/namespaces/a/pods/p/log';
  for (const query of [
    '',
    '?container=c&timestamps=true&follow=true&sinceTime=2026-05-01T08%3A00%3A00Z',
    '?previous=true&tailLines=5',
  ])
    expect(() => checkAllowed({ method: 'GET', path: `${log}${query}` })).not.toThrow();
  for (const query of [
    '?insecureSkipTLSVerifyBackend=true',
    '?follow=true&%66ollow=true',
    '?stream=x&',
    '?x',
  ])
    expect(() => checkAllowed({ method: 'GET', path: `${log}${query}` }), query).toThrow(NotAllowed);
});

test('[TR8] the message names method and path, never the query', () => {
  expect(() => checkAllowed({ method: 'GET', path: '/metrics?token=canary' })).toThrow(
    'GET /metrics is not allowed: not an API path we use',
  );
});
