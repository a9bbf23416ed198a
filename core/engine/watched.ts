/**
 * Watched: what derivations ask of the watching side: what the server serves, what may be read, how well. A live session
 * answers from its WatchManager, a played one from what was recorded of it; the answers are worked out here, once.
 */
import { type GroupResource, groupOf, type ObjectKey, parseObjectKey } from '../../shared/model/ids.ts';
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';
import { resolveResource, splitResourceName } from '../profile/resourceNames.ts';
import { defaultWatchPlan } from '../source/watch/watchPlan.ts';
import type { SourceStatus, WatchDetail } from '../source/watch/watchTypes.ts';

export interface Watched {
  resources(): readonly ApiResource[];
  /** All served versions of what `name` means, the preferred one first; empty when nothing is served under it. */
  resolve(name: string): readonly ApiResource[];
  /** `version` without a group: of whatever group serves it in that version. */
  resourceOfKind(
    kind: string,
    where: { readonly group: string } | { readonly version: string },
  ): ApiResource | undefined;
  /** Roles, bindings and CRDs were listed, or may not be. */
  policyKnown(): boolean;
  /** Resources that were listed nowhere, as `resource.group`: for want of a right, or because the server fails to. */
  unreadable(): readonly string[];
  /** Those of them for which no right is missing. */
  failing(): readonly string[];
  /** Everything of its kind in its namespace was listed: what is not there does not exist. */
  isListed(key: ObjectKey): boolean;
  detailOf(key: ObjectKey): { readonly detail: WatchDetail; readonly upgrading: boolean };
}

/** What the answers rest on. */
export interface WatchedState {
  /** One for each Reflector of ours. */
  sources(): readonly SourceStatus[];
  /** Each resource once, in the version the server prefers; and every version of every resource. */
  resources(): readonly ApiResource[];
  served(): readonly ApiResource[];
  /** Group versions of which the server does not tell what they hold. */
  undiscovered(): readonly string[];
  /** Nobody waits for first lists any more. */
  gaveUp(): boolean;
  /** Asked for in full, and no whole object has come yet. */
  isUpgrading(resource: GroupResource): boolean;
}

export function createWatched(state: WatchedState): Watched {
  /** Resources we want and do not know to be served, because their group could not be discovered. */
  function unknownResources(): readonly string[] {
    const undiscovered = state.undiscovered();
    if (undiscovered.length === 0) return [];
    const groups = new Set(undiscovered.map(groupOf));
    const known = new Set(state.resources().map(resourceName));
    return defaultWatchPlan
      .flat()
      .filter(({ resource }) => groups.has(splitResourceName(resource).group) && !known.has(resource))
      .map(({ resource }) => resource);
  }

  /** No right is missing, and yet it was never listed: the server fails to, or took longer than we wait. */
  function neverListed(status: SourceStatus): boolean {
    if (status.version !== '') return false;
    return status.state === 'lost' || (state.gaveUp() && isUnlisted(status));
  }

  return {
    resources: () => state.resources(),
    resolve(name) {
      const preferred = resolveResource(name, state.resources());
      if (preferred === undefined) return [];
      const others = state
        .served()
        .filter(
          (one) =>
            one.group === preferred.group &&
            one.resource === preferred.resource &&
            one.version !== preferred.version,
        );
      return [preferred, ...others];
    },
    resourceOfKind: (kind, where) =>
      'group' in where
        ? state.resources().find((one) => one.kind === kind && one.group === where.group)
        : state.served().find((one) => one.kind === kind && one.version === where.version),
    policyKnown() {
      if (state.gaveUp()) return true;
      const sources = state.sources();
      return sources.length > 0 && sources.filter(isPolicy).every((status) => !isUnlisted(status));
    },
    unreadable: () => [
      ...resourcesAll(state, (status) => status.state === 'forbidden' || neverListed(status)),
      ...unknownResources(),
    ],
    failing: () => [...resourcesAll(state, neverListed), ...unknownResources()],
    isListed(key) {
      const { group, kind, namespace } = parseObjectKey(key);
      return state
        .sources()
        .some(
          (status) =>
            status.resource.group === group &&
            status.resource.kind === kind &&
            (status.namespace === undefined || status.namespace === namespace) &&
            status.state !== 'forbidden' &&
            !isUnlisted(status) &&
            !neverListed(status),
        );
    },
    detailOf(key) {
      const status = statusOf(state, key);
      if (status === undefined) return { detail: 'metadata', upgrading: false };
      return { detail: status.detail, upgrading: state.isUpgrading(resourceName(status.resource)) };
    },
  };
}

/** Resources all of whose sources are so. */
export function resourcesAll(
  state: Pick<WatchedState, 'sources'>,
  isSo: (status: SourceStatus) => boolean,
): readonly string[] {
  const all = new Map<string, boolean>();
  for (const status of state.sources()) {
    const name = resourceName(status.resource);
    all.set(name, (all.get(name) ?? true) && isSo(status));
  }
  return [...all].filter(([, so]) => so).map(([name]) => name);
}

export function statusOf(state: Pick<WatchedState, 'sources'>, key: ObjectKey): SourceStatus | undefined {
  const { group, kind } = parseObjectKey(key);
  return state.sources().find(({ resource }) => resource.group === group && resource.kind === kind);
}

/** Its first list is still to come. */
export function isUnlisted({ state }: SourceStatus): boolean {
  return state === 'syncing' || state === 'waiting';
}

/** A kind that verdicts on rights rest on. */
export function isPolicy({ resource }: Pick<SourceStatus, 'resource'>): boolean {
  return judgedBy.has(resourceName(resource));
}

const judgedBy: ReadonlySet<string> = new Set([
  'roles.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);
