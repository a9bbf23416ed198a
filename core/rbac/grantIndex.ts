/** Rules that reach one identity, found by resource instead of by walking them all. */
import type { GrantPath } from '../../shared/model/rbac.ts';
import { resourceMatches } from './authorizer.ts';

export interface GrantIndex {
  /** Paths whose rule names the row's resource, exactly or by wildcard, in any scope. */
  candidates(row: {
    readonly apiGroup: string;
    readonly resource: string;
    readonly subresource: string;
  }): readonly GrantPath[];
  /** Scopes in which any right on the resource or a subresource of it is granted. */
  scopesOf(apiGroup: string, resource: string): ReadonlySet<string>;
  /**
   * The scope a missing right belongs to: the cluster, when the kind is granted there otherwise; the namespace asked for,
   * when the kind is granted in single namespaces. `home` (the ServiceAccount's own, where leader election lives) does not
   * speak for others: an operator that holds anything cluster-wide needs the rest there too.
   */
  scopeFor(apiGroup: string, resource: string, namespace: string, home: string | undefined): string;
}

export function createGrantIndex(grants: readonly GrantPath[]): GrantIndex {
  const exact = new Map<string, GrantPath[]>();
  const wild: GrantPath[] = [];
  const scopes = new Map<string, Set<string>>();
  const wildScopes = new Set<string>();
  const clusterWide = grants.some((path) => path.scope === '' && path.rule.resources.length > 0);
  for (const path of grants) {
    const { rule } = path;
    const groupWild = rule.apiGroups.includes('*');
    if (groupWild || rule.resources.some((one) => one.startsWith('*'))) wild.push(path);
    if (rule.resources.includes('*')) wildScopes.add(path.scope);
    for (const group of rule.apiGroups)
      for (const resource of rule.resources) {
        push(exact, `${group}\0${resource}`, path);
        const parent = `${group}\0${resource.split('/')[0] ?? ''}`;
        const set = scopes.get(parent);
        if (set === undefined) scopes.set(parent, new Set([path.scope]));
        else set.add(path.scope);
      }
    for (const url of rule.nonResourceURLs) push(exact, `\0${url}`, path);
  }

  function scopesOf(apiGroup: string, resource: string): ReadonlySet<string> {
    const own = scopes.get(`${apiGroup}\0${resource}`);
    return own ?? new Set(wildScopes);
  }

  return {
    candidates({ apiGroup, resource, subresource }) {
      const combined = subresource === '' ? resource : `${resource}/${subresource}`;
      const found = new Set(exact.get(`${apiGroup}\0${combined}`) ?? []);
      for (const path of wild) {
        const { rule } = path;
        const group = rule.apiGroups.includes(apiGroup) || rule.apiGroups.includes('*');
        if (group && resourceMatches(rule, resource, subresource)) found.add(path);
      }
      return [...found];
    },
    scopesOf,
    scopeFor(apiGroup, resource, namespace, home) {
      const granted = scopesOf(apiGroup, resource);
      if (granted.has('')) return '';
      const elsewhere = [...granted].some((scope) => scope !== home);
      if (elsewhere || namespace === home || !clusterWide) return namespace;
      return '';
    },
  };
}

/** Identifies a path: one rule through one binding. */
export function pathKey(path: GrantPath): string {
  const { binding, role, ruleIndex } = path;
  return [binding.kind, binding.namespace, binding.name, role.kind, role.name, ruleIndex].join('\0');
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
