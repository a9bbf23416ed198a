/**
 * The RBAC lens: what an identity needs beside what it is granted, and through which binding, role and rule. Rows are
 * resources in a scope, gaps first; a RoleBinding grants in its namespace only. Rebuilt on every change: cheap, because
 * only rules that reach the identity are looked at. Spec: docs/spec/rbac.md
 */
import type { Evidence } from '../../shared/model/finding.ts';
import type { Identity } from '../../shared/model/profile.ts';
import {
  type GrantPath,
  type RbacCellState,
  type RbacGap,
  type RbacLens,
  type RbacRow,
  rbacVerbs,
} from '../../shared/model/rbac.ts';
import { type AccessRecord, combinedResource } from './access.ts';
import { withAggregatedRules } from './aggregation.ts';
import { createAuthorizer, isSuperuser } from './authorizer.ts';
import { isBroad } from './broad.ts';
import { earliest, latest, newestFirst } from './evidenceTime.ts';
import { createGrantIndex, pathKey } from './grantIndex.ts';
import { explainRefusal, type MissingAccess, nearestRule } from './nearest.ts';
import { kubebuilderMarker, patchFor } from './patch.ts';
import type { RbacPolicy } from './policy.ts';

/** Answer of a SubjectAccessReview for one verb of a row. */
export interface AccessReview {
  readonly verb: string;
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly allowed: boolean;
  readonly reason?: string;
}

export interface RbacLensInput {
  readonly identity: Identity;
  readonly policy: RbacPolicy;
  /** Records of other users are ignored. */
  readonly access: readonly AccessRecord[];
  readonly reviews?: readonly AccessReview[];
  /** RBAC resources that may not be listed, as `resource.group`: then no grant is judged. */
  readonly unreadable?: readonly string[];
}

interface Seen {
  readonly record: AccessRecord;
  readonly granted: boolean;
}

interface Draft {
  readonly id: string;
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
  /** Position of the first rule that names it; what no rule names comes last. */
  order: number;
  readonly own: GrantPath[];
  readonly seen: Seen[];
}

const evidenceLimit = 20;

/** Builds the lens. Never throws; unknown roles and malformed rules grant nothing. */
export function rbacLens(input: RbacLensInput): RbacLens {
  const { identity, reviews = [], unreadable = [] } = input;
  const policy = withAggregatedRules(input.policy);
  const authorizer = createAuthorizer(policy);
  const grants = authorizer.grants(identity);
  const bindings = authorizer.bindings(identity);
  const index = createGrantIndex(grants);
  const everything = isSuperuser(identity);
  const judged = unreadable.length === 0;
  const home = identity.serviceAccount?.namespace;
  const drafts = new Map<string, Draft>();
  const usedPaths = new Map<string, Set<string>>();

  function draft(target: Pick<Draft, 'apiGroup' | 'resource' | 'subresource' | 'scope'>): Draft {
    const { apiGroup, resource, subresource, scope } = target;
    const id = `${combinedResource(target)}.${apiGroup}@${scope}`;
    let row = drafts.get(id);
    if (row === undefined) {
      row = { id, apiGroup, resource, subresource, scope, order: grants.length, own: [], seen: [] };
      drafts.set(id, row);
    }
    return row;
  }

  for (const [position, path] of grants.entries()) {
    for (const target of targetsOf(path)) {
      const row = draft({ ...target, scope: path.scope });
      row.own.push(path);
      row.order = Math.min(row.order, position);
    }
  }
  for (const record of input.access) {
    if (record.user !== identity.user) continue;
    const { apiGroup, resource } = record;
    for (const namespace of namespacesOf(record)) {
      const decision = ask(record, namespace);
      if (decision.allowed && record.outcome === 'allowed') {
        const key = pathKey(decision.path);
        const verbs = usedPaths.get(key) ?? new Set();
        usedPaths.set(key, verbs.add(record.verb));
      }
      const scope = decision.allowed
        ? decision.path.scope
        : index.scopeFor(apiGroup, resource, namespace, home);
      draft({ ...record, scope }).seen.push({ record, granted: everything || decision.allowed });
    }
  }

  function ask(record: AccessRecord, namespace: string) {
    const { verb, apiGroup, resource, subresource, name = '' } = record;
    return authorizer.authorize(identity, {
      kind: 'resource',
      verb,
      apiGroup,
      resource,
      subresource,
      namespace,
      name,
    });
  }

  /**
   * What the API server told names its namespace. Profiles and logs leave it open: such a need is met in the namespaces
   * where the verb is granted; granted nowhere, it is missing wherever the kind is granted.
   */
  function namespacesOf(record: AccessRecord): readonly string[] {
    const told =
      record.outcome === 'refused' || (record.outcome === 'allowed' && record.last.basis.kind === 'observed');
    if (record.namespace !== '' || told) return [record.namespace];
    const scopes = index.scopesOf(record.apiGroup, record.resource);
    if (scopes.size === 0 || scopes.has('')) return [''];
    const met = [...scopes].filter((scope) => ask(record, scope).allowed);
    return met.length > 0 ? met : [...scopes];
  }

  function finish(row: Draft): RbacRow {
    const granting = index.candidates(row).filter((path) => path.scope === '' || path.scope === row.scope);
    const cells: Record<string, RbacCellState> = {};
    const missing = new Set<string>();
    for (const verb of verbsOf(row, granting)) {
      const state = cellState(row, verb, granting);
      if (state === 'none') continue;
      cells[verb] = state;
      if (state === 'refused' || state === 'neededNotTried') missing.add(verb);
    }
    const evidence = foldEvidence(row.seen);
    const used = Object.values(cells).includes('grantedUsed');
    const group = missing.size > 0 ? 'gap' : used ? 'used' : 'unused';
    const names = granting.every((path) => path.rule.resourceNames.length > 0)
      ? [...new Set(granting.flatMap((path) => path.rule.resourceNames))]
      : [];
    return {
      id: row.id,
      group,
      apiGroup: row.apiGroup,
      resource: row.resource,
      subresource: row.subresource,
      scope: row.scope,
      resourceNames: names,
      cells,
      grants: [...granting].sort((a, b) => Number(b.scope === row.scope) - Number(a.scope === row.scope)),
      ...(evidence[0] === undefined ? {} : { lastEvidence: evidence[0] }),
      evidence,
      broad: granting.some((path) => isBroad(path, row)),
      ...(missing.size === 0 ? {} : { gap: gapOf(row, missing) }),
    };
  }

  function cellState(row: Draft, verb: string, granting: readonly GrantPath[]): RbacCellState {
    const seen = row.seen.filter(({ record }) => record.verb === verb);
    if (judged && seen.some((one) => !one.granted && one.record.outcome === 'refused')) return 'refused';
    if (judged && seen.some((one) => !one.granted)) return 'neededNotTried';
    if (!judged && seen.length > 0) {
      const refused = seen.every(({ record }) => record.outcome === 'refused');
      return refused
        ? 'refused'
        : seen.some(({ record }) => record.outcome === 'allowed')
          ? 'grantedUsed'
          : 'none';
    }
    const paths = granting.filter(({ rule }) => rule.verbs.includes(verb) || rule.verbs.includes('*'));
    if (paths.length === 0 && !(everything && seen.length > 0)) return 'none';
    const direct = seen.some(({ record }) => record.outcome === 'allowed');
    const wildcard = row.resource === '*' || row.apiGroup === '*' || row.resource.startsWith('*/');
    const through = wildcard && row.own.some((path) => usedPaths.get(pathKey(path))?.has(verb) === true);
    return direct || through ? 'grantedUsed' : 'grantedNotSeen';
  }

  function gapOf(row: Draft, verbs: ReadonlySet<string>): RbacGap {
    const ordered = verbsOf(row, []).filter((verb) => verbs.has(verb));
    const { apiGroup, resource, subresource, scope } = row;
    const missing: MissingAccess = { apiGroup, resource, subresource, scope, verbs: ordered };
    const nearest = nearestRule(grants, missing);
    const refused = row.seen.filter(({ record, granted }) => !granted && record.outcome === 'refused');
    const perBasis = new Map<string, number>();
    for (const { record } of refused) {
      const from = record.last.basis.kind === 'inferred' ? 'inferred' : record.last.basis.from;
      perBasis.set(from, (perBasis.get(from) ?? 0) + record.count);
    }
    const firstRefusedAt = earliest(refused.map(({ record }) => record.first.at));
    const lastRefusedAt = latest(refused.map(({ record }) => record.last.at));
    const patch = patchFor(missing, identity, policy, bindings, nearest);
    const review = reviews.find(
      (one) =>
        one.apiGroup === apiGroup &&
        one.resource === resource &&
        one.subresource === subresource &&
        (one.namespace === scope || scope === '') &&
        verbs.has(one.verb),
    );
    return {
      verbs: ordered,
      refusals: Math.max(0, ...perBasis.values()),
      ...(firstRefusedAt === undefined ? {} : { firstRefusedAt }),
      ...(lastRefusedAt === undefined ? {} : { lastRefusedAt }),
      steps: explainRefusal(missing, grants, bindings, nearest),
      patch,
      marker: kubebuilderMarker(missing, patch.role),
      ...(review === undefined
        ? {}
        : {
            review: {
              allowed: review.allowed,
              agrees: !review.allowed,
              ...(review.reason === undefined ? {} : { reason: review.reason }),
            },
          }),
    };
  }

  const ordered = [...drafts.values()].sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
  const rows = ordered
    .map(finish)
    .filter((row) => row.group !== 'unused' || Object.keys(row.cells).length > 0);
  const gaps = rows.filter((row) => row.group === 'gap').sort((a, b) => refusals(b) - refusals(a));
  const needed = rows.filter((row) => row.evidence.length > 0);
  const roles = new Set(
    bindings.flatMap(({ role, roleRef }) => (role === undefined ? [] : [JSON.stringify(roleRef)])),
  );
  return {
    identity,
    bindings: bindings.length,
    roles: roles.size,
    rules: grants.length,
    rows: [
      ...gaps,
      ...rows.filter((row) => row.group === 'used'),
      ...rows.filter((row) => row.group === 'unused'),
    ],
    gaps: gaps.length,
    needed: needed.length,
    covered: needed.filter((row) => row.group !== 'gap').length,
    reach: bindings.map(({ binding, role, roleRef }) => ({
      binding: binding.ref,
      role: roleRef,
      roleExists: role !== undefined,
      rules: role?.rules.length ?? 0,
    })),
    unreadable,
  };
}

function refusals(row: RbacRow): number {
  return row.gap?.refusals ?? 0;
}

function targetsOf({ rule }: GrantPath): readonly Pick<Draft, 'apiGroup' | 'resource' | 'subresource'>[] {
  const targets: Pick<Draft, 'apiGroup' | 'resource' | 'subresource'>[] = [];
  for (const apiGroup of rule.apiGroups)
    for (const combined of rule.resources) {
      const slash = combined.indexOf('/');
      const resource = slash < 0 ? combined : combined.slice(0, slash);
      targets.push({ apiGroup, resource, subresource: slash < 0 ? '' : combined.slice(slash + 1) });
    }
  for (const url of rule.nonResourceURLs) targets.push({ apiGroup: '', resource: url, subresource: '' });
  return targets;
}

function verbsOf(row: Draft, granting: readonly GrantPath[]): readonly string[] {
  const verbs = new Set<string>(rbacVerbs);
  for (const path of granting) for (const verb of path.rule.verbs) if (verb !== '*') verbs.add(verb);
  for (const { record } of row.seen) verbs.add(record.verb);
  return [...verbs];
}

/** Newest first; a folded record says how often. */
function foldEvidence(seen: readonly Seen[]): readonly Evidence[] {
  const records = new Set(seen.map(({ record }) => record));
  return [...records]
    .map(({ count, last }) => (count === 1 ? last : { ...last, text: `${count} × ${last.text}` }))
    .sort((a, b) => newestFirst(a.at, b.at))
    .slice(0, evidenceLimit);
}
