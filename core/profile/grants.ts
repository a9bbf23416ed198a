/**
 * What an identity is granted, as the profile reads it: coarse questions over rules at any scope. The exact authorizer
 * is core/rbac; its GrantPath fits ProfileGrant as it is.
 */
import type { PolicyRule } from '../../shared/model/rbac.ts';

export interface ProfileGrant {
  readonly rule: PolicyRule;
  /** Namespace the grant counts in; empty: the whole cluster. */
  readonly scope: string;
}

/** The questions inference asks of one identity. */
export interface Grants {
  /** All of `verbs` on `resource` (`databases`, `databases/status`), each by some rule at some scope, for any name. */
  all(group: string, resource: string, verbs: readonly string[]): boolean;
  any(group: string, resource: string, verbs: readonly string[]): boolean;
  /** The same by a rule that names the group: a rule for every group says nothing about what is meant. */
  named(group: string, resource: string, verbs: readonly string[]): boolean;
  /** Resources named outright, with their group; no wildcards, no subresources. */
  readonly namedResources: readonly { readonly group: string; readonly resource: string }[];
  readonly rules: number;
}

export function readGrants(grants: readonly ProfileGrant[]): Grants {
  const rules = grants.map((grant) => grant.rule).filter((rule) => rule.resources.length > 0);
  const covers = (rule: PolicyRule, group: string, resource: string, verb: string) =>
    (rule.apiGroups.includes(group) || rule.apiGroups.includes('*')) &&
    (rule.verbs.includes(verb) || rule.verbs.includes('*')) &&
    (rule.resources.includes(resource) ||
      rule.resources.includes('*') ||
      (resource.includes('/') && rule.resources.includes(`*/${resource.split('/')[1]}`)));
  const open = rules.filter((rule) => rule.resourceNames.length === 0);
  const seen = new Map<string, { group: string; resource: string }>();
  for (const rule of rules) {
    for (const group of rule.apiGroups) {
      for (const resource of rule.resources) {
        if (group !== '*' && !resource.includes('*') && !resource.includes('/')) {
          seen.set(`${resource}.${group}`, { group, resource });
        }
      }
    }
  }
  return {
    all: (group, resource, verbs) =>
      verbs.every((verb) => open.some((rule) => covers(rule, group, resource, verb))),
    any: (group, resource, verbs) =>
      verbs.some((verb) => open.some((rule) => covers(rule, group, resource, verb))),
    named: (group, resource, verbs) =>
      verbs.some((verb) =>
        rules.some((rule) => rule.apiGroups.includes(group) && covers(rule, group, resource, verb)),
      ),
    namedResources: [...seen.values()],
    rules: rules.length,
  };
}
