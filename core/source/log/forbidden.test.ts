import { describe, expect, it } from 'vitest';
import { parseForbidden } from './forbidden.ts';

const message =
  'conveyors.chain.example.com "line-1" is forbidden: User "system:serviceaccount:a:b" cannot update resource "conveyors/status" in API group "chain.example.com" in the namespace "team-a"';
const parsed = {
  kind: 'resource',
  user: 'system:serviceaccount:a:b',
  verb: 'update',
  apiGroup: 'chain.example.com',
  resource: 'conveyors',
  subresource: 'status',
  namespace: 'team-a',
  name: 'line-1',
};

describe('refusals in texts', () => {
  it('[LG8] reads a namespaced refusal with text around it', () => {
    expect(parseForbidden(message)).toEqual(parsed);
    expect(parseForbidden(`updating status: ${message}; will retry`)).toEqual(parsed);
  });

  it('[LG8] reads it inside of JSON, once and twice escaped', () => {
    const once = JSON.stringify({ error: message });
    expect(parseForbidden(once)).toEqual(parsed);
    expect(parseForbidden(JSON.stringify({ line: once }))).toEqual(parsed);
  });

  it('[LG8] reads the cluster scope, and a list without a name', () => {
    const text =
      'failed to list *v1.Index: indices.search.example.org is forbidden: User "u" cannot list resource "indices" in API group "search.example.org" at the cluster scope';
    expect(parseForbidden(text)).toEqual({
      kind: 'resource',
      user: 'u',
      verb: 'list',
      apiGroup: 'search.example.org',
      resource: 'indices',
      subresource: '',
      namespace: '',
    });
  });

  it('[LG8] keeps the reason of the authorizer', () => {
    const reason = 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found';
    expect(parseForbidden(`${message}: ${reason}`)).toEqual({ ...parsed, reason });
  });

  it('[LG8] reads the core group and a subresource with a slash of its own', () => {
    expect(
      parseForbidden(
        'pods "x" is forbidden: User "u" cannot get resource "pods/proxy/metrics" in API group "" in the namespace "n"',
      ),
    ).toMatchObject({ apiGroup: '', resource: 'pods', subresource: 'proxy/metrics', name: 'x' });
  });

  it('[LG9] reads the form before Kubernetes 1.13, and URLs', () => {
    expect(
      parseForbidden('forbidden: User "u" cannot list deployments.apps in the namespace "n"'),
    ).toMatchObject({
      apiGroup: 'apps',
      resource: 'deployments',
      namespace: 'n',
    });
    expect(
      parseForbidden('User "u" cannot update widgets.example.com/status at the cluster scope'),
    ).toMatchObject({
      apiGroup: 'example.com',
      resource: 'widgets',
      subresource: 'status',
      namespace: '',
    });
    expect(parseForbidden('forbidden: User "u" cannot get path "/metrics"')).toEqual({
      kind: 'url',
      user: 'u',
      verb: 'get',
      path: '/metrics',
    });
  });

  it('finds nothing where RBAC refused nothing', () => {
    expect(parseForbidden('pods "x" is forbidden: exceeded quota')).toBeUndefined();
    expect(
      parseForbidden(
        "secrets is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
      ),
    ).toBeUndefined();
    expect(parseForbidden('User "u" cannot be found')).toBeUndefined();
    expect(parseForbidden('')).toBeUndefined();
  });
});
