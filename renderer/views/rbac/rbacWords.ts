import type { FeedRow } from '../../../shared/contract/views/sources.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { RbacLens, RbacRow } from '../../../shared/model/rbac.ts';
import { rbacVerbs } from '../../../shared/model/rbac.ts';

/** `databases/status`; a non-resource rule's URL as it is. */
export function resourceOf(row: Pick<RbacRow, 'resource' | 'subresource'>): string {
  return row.subresource === '' ? row.resource : `${row.resource}/${row.subresource}`;
}

/** True when a feed is attached that tells of requests made: any log or an audit file, not metrics. */
export function tellsAttempts(feeds: readonly Pick<FeedRow, 'kind'>[]): boolean {
  return feeds.some((feed) => feed.kind !== 'metrics');
}

/**
 * The missing status grant of this identity that was closed last in this session and did not come back. The findings
 * stream keeps closed ones; an open one of the same id stands in front of them.
 */
export function closedGap(
  lens: Pick<RbacLens, 'identity'>,
  findings: readonly Finding[],
): Finding | undefined {
  const { serviceAccount, user } = lens.identity;
  const subject =
    serviceAccount === undefined
      ? `User/-/${user}`
      : `ServiceAccount/${serviceAccount.namespace}/${serviceAccount.name}`;
  const own = findings.filter(
    (finding) => finding.rule === 'rbac/missing-status-subresource' && finding.subject === subject,
  );
  const open = new Set(own.filter((finding) => finding.closedAt === undefined).map((finding) => finding.id));
  return own
    .filter((finding) => finding.closedAt !== undefined && !open.has(finding.id))
    .sort((a, b) => Date.parse(b.closedAt ?? '') - Date.parse(a.closedAt ?? ''))[0];
}

/** The row that a missing status grant was about; its id ends in the resource, `…:databases.db.example.com`. */
export function rowOfFinding(finding: Pick<Finding, 'id'>, rows: readonly RbacRow[]): RbacRow | undefined {
  return rows.find(
    (row) => row.subresource === 'status' && finding.id.endsWith(`:${row.resource}.${row.apiGroup}`),
  );
}

/** What stands in place of a table without rows. Only grants that were judged can be said to be used. */
export function emptyWord(
  lens: Pick<RbacLens, 'unreadable' | 'rules'>,
): 'rbac.unused.unreadable' | 'rbac.unused.none' | 'rbac.unused.noRows' {
  if (lens.unreadable.length > 0) return 'rbac.unused.unreadable';
  return lens.rules > 0 ? 'rbac.unused.none' : 'rbac.unused.noRows';
}

/** Who the lens looks at, short: the ServiceAccount's name or the user. */
export function identityName(lens: RbacLens): string {
  return lens.identity.serviceAccount?.name ?? lens.identity.user;
}

/** The columns: the seven verbs, then any other that a row has. */
export function verbColumns(rows: readonly RbacRow[]): readonly string[] {
  const known: readonly string[] = rbacVerbs;
  const others = new Set<string>();
  for (const row of rows)
    for (const verb of Object.keys(row.cells)) if (!known.includes(verb)) others.add(verb);
  return [...known, ...[...others].sort()];
}

/** The worst gap: most refusals, then the first row. */
export function worstGap(rows: readonly RbacRow[]): RbacRow | undefined {
  const gaps = rows.filter((row) => row.gap !== undefined);
  return [...gaps].sort((a, b) => (b.gap?.refusals ?? 0) - (a.gap?.refusals ?? 0))[0];
}

/** The default roles that the API server binds to every authenticated user or to every ServiceAccount. */
const everyonesRoles: ReadonlySet<string> = new Set([
  'system:basic-user',
  'system:cluster-trust-bundle-discovery',
  'system:discovery',
  'system:public-info-viewer',
  'system:service-account-issuer-discovery',
]);

/** Granted by nothing but what every identity has, and not seen in use: it says nothing of this operator. */
export function isEveryones({ group, grants }: Pick<RbacRow, 'group' | 'grants'>): boolean {
  return (
    group === 'unused' &&
    grants.length > 0 &&
    grants.every(
      ({ binding, role }) =>
        binding.kind === 'ClusterRoleBinding' && binding.name === role.name && everyonesRoles.has(role.name),
    )
  );
}

/** Long group names of the API, cut to what tells them apart: `coordination.k8s.io` → `coordination`. */
export function shortGroup(group: string): string {
  return group
    .replace(/\.(authorization|authentication)\.k8s\.io$/, '')
    .replace(/(?<!^events)\.k8s\.io$/, '');
}

/** A role named after the operator, without that prefix: `database-operator-manager` → `manager`. */
export function shortRole(role: string, identity: string): string {
  return role.startsWith(`${identity}-`) ? role.slice(identity.length + 1) : role;
}
