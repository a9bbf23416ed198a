/**
 * Which resources are watched from the start, in what order and how much of them. Tier by tier: what explains an
 * operator comes first, what there is most of comes last. Everything else waits until somebody asks. Pure.
 */
import { type GroupResource, groupResource } from '../../../shared/model/ids.ts';
import type { WatchDetail } from './watchTypes.ts';

export interface PlannedResource {
  readonly resource: GroupResource;
  readonly detail: WatchDetail;
}

export type WatchPlan = readonly (readonly PlannedResource[])[];

export const customResourceDefinitions = groupResource('apiextensions.k8s.io', 'customresourcedefinitions');

export const defaultWatchPlan: WatchPlan = [
  [
    full('apiextensions.k8s.io', 'customresourcedefinitions'),
    full('rbac.authorization.k8s.io', 'clusterroles'),
    full('rbac.authorization.k8s.io', 'clusterrolebindings'),
    full('rbac.authorization.k8s.io', 'roles'),
    full('rbac.authorization.k8s.io', 'rolebindings'),
    full('admissionregistration.k8s.io', 'validatingwebhookconfigurations'),
    full('admissionregistration.k8s.io', 'mutatingwebhookconfigurations'),
    full('apps', 'deployments'),
    full('apps', 'statefulsets'),
    full('apps', 'daemonsets'),
    full('', 'serviceaccounts'),
    full('coordination.k8s.io', 'leases'),
    metadata('', 'namespaces'),
  ],
  [
    full('', 'pods'),
    full('', 'services'),
    full('apps', 'replicasets'),
    metadata('', 'secrets'),
    metadata('', 'configmaps'),
  ],
  [full('', 'events')],
];

/** Secrets are metadata whatever was asked. */
export function allowedDetail(resource: GroupResource, wanted: WatchDetail): WatchDetail {
  return resource === groupResource('', 'secrets') ? 'metadata' : wanted;
}

function full(group: string, resource: string): PlannedResource {
  return { resource: groupResource(group, resource), detail: 'full' };
}

function metadata(group: string, resource: string): PlannedResource {
  return { resource: groupResource(group, resource), detail: 'metadata' };
}
