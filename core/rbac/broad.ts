/** Grants that reach far beyond what an operator usually needs: shown as "broad". */
import type { GrantPath } from '../../shared/model/rbac.ts';

const reachIntoPods = new Set([
  'pods/exec',
  'pods/attach',
  'pods/portforward',
  'nodes/proxy',
  'serviceaccounts/token',
]);
const aboveOwnRights = ['escalate', 'bind', 'impersonate'];
const reading = ['get', 'list', 'watch', '*'];

/** Wildcards, code execution and tokens, rights above one's own, and reading Secrets of the whole cluster. */
export function isBroad(
  path: GrantPath,
  row: { readonly apiGroup: string; readonly resource: string; readonly subresource: string },
): boolean {
  const { rule, scope } = path;
  if (rule.verbs.includes('*') || rule.apiGroups.includes('*') || rule.resources.includes('*')) return true;
  const combined = row.subresource === '' ? row.resource : `${row.resource}/${row.subresource}`;
  if (row.apiGroup === '' && reachIntoPods.has(combined)) return true;
  if (rule.verbs.some((verb) => aboveOwnRights.includes(verb))) return true;
  const secrets = row.apiGroup === '' && combined === 'secrets';
  return (
    secrets &&
    scope === '' &&
    rule.resourceNames.length === 0 &&
    rule.verbs.some((verb) => reading.includes(verb))
  );
}
