/**
 * What was seen of an identity's rights: requests that passed or were refused, and requests that its controllers are
 * known to make. Folded as they come, so that a long recording stays small: one record per user, outcome, kind of
 * evidence, verb, resource and namespace.
 */
import type { Evidence } from '../../shared/model/finding.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { AuditEntry } from '../source/audit/auditEntry.ts';
import { type Forbidden, parseForbidden } from '../source/log/forbidden.ts';

/** allowed: RBAC let it pass. refused: RBAC said no. expected: a profile or marker says that it will be asked. */
export type AccessOutcome = 'allowed' | 'refused' | 'expected';

export interface Access {
  readonly user: string;
  readonly outcome: AccessOutcome;
  readonly verb: string;
  readonly apiGroup: string;
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Empty at the cluster scope. */
  readonly namespace: string;
  readonly name?: string;
  readonly evidence: Evidence;
}

/** Equal accesses folded. `name` is the newest one's; `names` the first few different ones, in order of appearance. */
export interface AccessRecord extends Omit<Access, 'evidence'> {
  readonly names: readonly string[];
  readonly count: number;
  readonly first: Evidence;
  readonly last: Evidence;
}

export interface AccessTracker {
  add(access: Access): void;
  records(): readonly AccessRecord[];
}

const namesLimit = 8;

/** Equal accesses as they are folded; a record is made of it when somebody reads. */
interface Folded {
  newest: Access;
  names: readonly string[];
  count: number;
  readonly first: Evidence;
}

/** Every watch event of an operator's own objects adds one or two: so nothing is put together to find them by. */
export function createAccessTracker(): AccessTracker {
  const all: Folded[] = [];
  const byUser = new Map<string, Map<string, Map<string, Folded[]>>>();
  return {
    add(access) {
      const byNamespace = within(byUser, access.user, () => new Map<string, Map<string, Folded[]>>());
      const byResource = within(byNamespace, access.namespace, () => new Map<string, Folded[]>());
      const alike = within(byResource, access.resource, (): Folded[] => []);
      const known = alike.find(({ newest }) => folds(newest, access));
      if (known === undefined) {
        const fresh = { newest: access, names: withName([], access.name), count: 1, first: access.evidence };
        alike.push(fresh);
        all.push(fresh);
        return;
      }
      known.newest = access;
      known.names = withName(known.names, access.name);
      known.count++;
    },
    records: () =>
      all.map(({ newest: { evidence, ...access }, names, count, first }) => ({
        ...access,
        names,
        count,
        first,
        last: evidence,
      })),
  };
}

/** Of one user, namespace and resource name. */
function folds(a: Access, b: Access): boolean {
  const [basis, other] = [a.evidence.basis, b.evidence.basis];
  return (
    a.verb === b.verb &&
    a.subresource === b.subresource &&
    a.outcome === b.outcome &&
    a.apiGroup === b.apiGroup &&
    basis.kind === other.kind &&
    (basis.kind === 'inferred' ? basis.by : basis.from) ===
      (other.kind === 'inferred' ? other.by : other.from)
  );
}

function within<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** `databases/status`, `databases`. */
export function combinedResource(target: {
  readonly resource: string;
  readonly subresource: string;
}): string {
  return target.subresource === '' ? target.resource : `${target.resource}/${target.subresource}`;
}

/** A refusal quoted by a log line, an Event or an audit message. Refused URLs are not resources and give nothing. */
export function accessFromForbidden(forbidden: Forbidden, evidence: Evidence): Access | undefined {
  if (forbidden.kind === 'url') return undefined;
  const { user, verb, apiGroup, resource, subresource, namespace, name } = forbidden;
  return {
    user,
    outcome: 'refused',
    verb,
    apiGroup,
    resource,
    subresource,
    namespace,
    ...(name === undefined ? {} : { name }),
    evidence,
  };
}

/**
 * What an audited request tells of rights. A 403 is a refusal only when the authorizer said so: admission plugins answer
 * 403 too. Nothing for requests without a resource, unfinished ones and 401.
 */
export function accessFromAudit(
  entry: AuditEntry,
  where: Pick<Evidence, 'file' | 'line' | 'seq'>,
): Access | undefined {
  const { target, code, stage } = entry;
  if (target === undefined || code === 0 || code === 401) return undefined;
  const ended = stage === 'ResponseComplete' || stage === 'Panic';
  if (!ended && !(stage === 'ResponseStarted' && entry.verb === 'watch')) return undefined;
  const refused = code === 403 && isRbacRefusal(entry);
  const object = [target.namespace, target.name].filter((part) => part !== '').join('/');
  const evidence: Evidence = {
    text: `${code} on ${entry.verb} ${combinedResource(target)}${object === '' ? '' : ` ${object}`}`,
    basis: { kind: 'observed', from: 'audit' },
    at: new Date(entry.at.hi).toISOString(),
    ...where,
  };
  return {
    user: entry.user,
    outcome: refused ? 'refused' : 'allowed',
    verb: entry.verb,
    apiGroup: target.apiGroup,
    resource: target.resource,
    subresource: target.subresource,
    namespace: target.namespace,
    ...(target.name === '' ? {} : { name: target.name }),
    evidence,
  };
}

/**
 * What the profile says the operator will ask for: get, list, watch on the kinds its informers cache, update on the
 * status of For kinds that it is known to own (`ownsStatus`), and its Lease. `resolve` finds a served resource by
 * `resource.group`; what is not served is left out.
 */
export function accessFromProfile(
  profile: OperatorProfile,
  resolve: (name: string) => ApiResource | undefined,
  ownsStatus: (resource: ApiResource) => boolean,
): readonly Access[] {
  const expected: Access[] = [];
  const user = profile.identity.value.user;
  function add(
    resource: ApiResource,
    subresource: string,
    verbs: readonly string[],
    evidence: Evidence,
  ): void {
    for (const verb of verbs)
      expected.push({
        user,
        outcome: 'expected',
        verb,
        apiGroup: resource.group,
        resource: resource.resource,
        subresource,
        namespace: '',
        evidence,
      });
  }
  for (const controller of profile.controllers) {
    const main = resolve(controller.for.value);
    if (main !== undefined) {
      const evidence = { text: `For kind of controller ${controller.name}`, basis: controller.for.basis };
      add(main, '', cacheVerbs, evidence);
      if (main.subresources.includes('status') && ownsStatus(main))
        add(main, 'status', ['update'], { ...evidence, text: `${evidence.text}: it owns the status` });
    }
    for (const name of controller.owns.value) {
      const resource = resolve(name);
      const text = `owned kind of controller ${controller.name}`;
      if (resource !== undefined) add(resource, '', cacheVerbs, { text, basis: controller.owns.basis });
    }
    for (const { resource: name } of controller.watches.value) {
      const resource = resolve(name);
      const text = `watched by controller ${controller.name}`;
      if (resource !== undefined) add(resource, '', cacheVerbs, { text, basis: controller.watches.basis });
    }
  }
  const lease = profile.lease;
  const [namespace = '', name = ''] = lease?.value.split('/').slice(-2) ?? [];
  if (lease !== undefined && name !== '')
    for (const verb of ['get', 'update'])
      expected.push({
        user,
        outcome: 'expected',
        verb,
        apiGroup: 'coordination.k8s.io',
        resource: 'leases',
        subresource: '',
        namespace,
        name,
        evidence: { text: `leader election of ${profile.name}`, basis: lease.basis },
      });
  return expected;
}

function withName(names: readonly string[], name: string | undefined): readonly string[] {
  const full = names.length >= namesLimit;
  return name === undefined || full || names.includes(name) ? names : [...names, name];
}

const cacheVerbs = ['get', 'list', 'watch'] as const;

function isRbacRefusal(entry: AuditEntry): boolean {
  if (entry.decision !== undefined) return entry.decision === 'forbid';
  return entry.message === undefined || parseForbidden(entry.message) !== undefined;
}
