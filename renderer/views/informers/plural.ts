/** `Pod` → `Pods`, `NetworkPolicy` → `NetworkPolicies`, `Ingress` → `Ingresses`; Chinese keeps the kind as it is. */
export function pluralKind(kind: string, locale: 'en' | 'zh-CN'): string {
  if (locale === 'zh-CN') return kind;
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  if (/(s|x|ch|sh)$/.test(kind))
    return kind.endsWith('s') && /points$|Metrics$/.test(kind) ? kind : `${kind}es`;
  return `${kind}s`;
}

/** The rule a user needs, as YAML for a Role or ClusterRole. */
export function grantYaml(
  missing: readonly { readonly verb: string; readonly group: string; readonly resource: string }[],
): string {
  const byResource = new Map<string, { group: string; resource: string; verbs: string[] }>();
  for (const { verb, group, resource } of missing) {
    const id = `${resource}.${group}`;
    const rule = byResource.get(id) ?? { group, resource, verbs: [] };
    if (!rule.verbs.includes(verb)) rule.verbs.push(verb);
    byResource.set(id, rule);
  }
  return [...byResource.values()]
    .map(
      ({ group, resource, verbs }) =>
        `- apiGroups: [${group === '' ? '""' : group}]\n  resources: [${resource}]\n  verbs: [${verbs.join(', ')}]\n`,
    )
    .join('');
}
