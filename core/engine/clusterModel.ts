/**
 * ClusterModel: whole objects of the few kinds that rules and the profile read: roles and bindings, CRDs, workloads,
 * ServiceAccounts, Leases, webhook configurations. Everything else is known by its facts alone.
 */
import type { ObjectKey } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { ObjectFact } from '../session/facts.ts';
import { groupKindName } from './groupKinds.ts';

/** `group/Kind`, empty group for core. */
const kept = new Set([
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/RoleBinding',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apps/Deployment',
  'apps/StatefulSet',
  'apps/DaemonSet',
  '/ServiceAccount',
  'coordination.k8s.io/Lease',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
]);

/** Leases move every few seconds and say nothing about rights: they alone do not make the model "changed". */
const quiet = new Set(['coordination.k8s.io/Lease']);

export interface ClusterModel {
  /** Whether apply() looks at the object itself. */
  reads(fact: ObjectFact): boolean;
  /** True when the object is of a kept kind and its change may matter to rules and profile. */
  apply(fact: ObjectFact, object: KubeObject | undefined): boolean;
  ofKind(groupKind: string): readonly KubeObject[];
  get(key: ObjectKey): KubeObject | undefined;
}

export function createClusterModel(): ClusterModel {
  const byKind = new Map<string, Map<ObjectKey, KubeObject>>();
  return {
    reads: (fact) => !fact.metadataOnly && kept.has(groupKindName(fact.group, fact.kind)),
    apply(fact, object) {
      const groupKind = groupKindName(fact.group, fact.kind);
      if (!kept.has(groupKind) || fact.metadataOnly) return false;
      let map = byKind.get(groupKind);
      if (map === undefined) {
        map = new Map();
        byKind.set(groupKind, map);
      }
      if (fact.op === 'deleted' || fact.op === 'vanished' || object === undefined) map.delete(fact.key);
      else map.set(fact.key, object);
      return !quiet.has(groupKind);
    },
    ofKind: (groupKind) => [...(byKind.get(groupKind)?.values() ?? [])],
    get(key) {
      for (const map of byKind.values()) {
        const object = map.get(key);
        if (object !== undefined) return object;
      }
      return undefined;
    },
  };
}
