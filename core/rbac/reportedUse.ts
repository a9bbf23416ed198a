/**
 * Rights that an operator's log shows in use, without an audit log: informers that have synced were allowed to list and
 * watch, and a lease that was acquired could be written. Basis: reported.
 */
import type { Evidence } from '../../shared/model/finding.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { LogEntry } from '../source/log/logEntry.ts';
import type { Access } from './access.ts';

/** The served resource behind a Go type such as `*v1.Pod`; undefined where none, or more than one, has that kind. */
export type ResolveKind = (
  kind: string,
  version: string,
) => Pick<ApiResource, 'group' | 'resource'> | undefined;

export interface ReportedUse {
  /** What this line shows; mostly nothing. Lines come in order, of one operator's log. */
  add(entry: LogEntry, evidence: Omit<Evidence, 'text' | 'basis'>, user: string): readonly Access[];
}

export function createReportedUse(resolveKind: ResolveKind): ReportedUse {
  /** Sources of each controller, until its workers start: before that they may still be refused. */
  const starting = new Map<string, { readonly kind: string; readonly version: string }[]>();

  function reads(kind: string, version: string, user: string, evidence: Evidence): readonly Access[] {
    const resource = resolveKind(kind, version);
    if (resource === undefined) return [];
    return ['list', 'watch'].map((verb) => ({
      user,
      outcome: 'allowed',
      verb,
      apiGroup: resource.group,
      resource: resource.resource,
      subresource: '',
      namespace: '',
      evidence,
    }));
  }

  return {
    add(entry, place, user) {
      const basis = { kind: 'reported', from: 'log' } as const;
      const { controller = '', event } = entry;
      const key = `${user}\0${controller}`;
      if (event?.kind === 'startingEventSource') {
        const { sourceKind, sourceVersion } = event;
        if (sourceKind !== undefined && sourceVersion !== undefined)
          starting.set(key, [...(starting.get(key) ?? []), { kind: sourceKind, version: sourceVersion }]);
        return [];
      }
      if (event?.kind === 'startingWorkers') {
        const sources = starting.get(key) ?? [];
        starting.delete(key);
        return sources.flatMap(({ kind, version }) =>
          reads(kind, version, user, {
            text: `workers of controller ${controller} started: its cache of ${kind} has synced`,
            basis,
            ...place,
          }),
        );
      }
      const populated = populatedType(entry);
      if (populated !== undefined)
        return reads(populated.kind, populated.version, user, {
          text: `cache of ${populated.kind} populated`,
          basis,
          ...place,
        });
      const lease = acquiredLease(entry);
      if (lease === undefined) return [];
      return ['get', 'update'].map((verb) => ({
        user,
        outcome: 'allowed',
        verb,
        apiGroup: 'coordination.k8s.io',
        resource: 'leases',
        subresource: '',
        ...lease,
        evidence: { text: `lease ${lease.namespace}/${lease.name} acquired`, basis, ...place },
      }));
    },
  };
}

/** client-go's reflector: `Caches populated for *v1.Pod from …`, or `"Caches populated" type="*v1.Pod"`. */
function populatedType(entry: LogEntry): { readonly kind: string; readonly version: string } | undefined {
  if (!entry.msg.startsWith('Caches populated')) return undefined;
  const { type } = entry.fields;
  const text = typeof type === 'string' ? type : entry.msg;
  const match = /\*(?:[\w.]*\/)?(v\w+)\.(\w+)/.exec(text);
  return match === null ? undefined : { version: match[1] ?? '', kind: match[2] ?? '' };
}

/** client-go's leader election: `successfully acquired lease ns/name`, or with the name in `lock`. */
function acquiredLease(entry: LogEntry): { readonly namespace: string; readonly name: string } | undefined {
  if (!/^successfully acquired lease/i.test(entry.msg)) return undefined;
  const { lock } = entry.fields;
  const text = typeof lock === 'string' ? lock : entry.msg;
  const match = /([a-z0-9-]+)\/([a-z0-9.-]+)$/.exec(text.trim());
  return match === null ? undefined : { namespace: match[1] ?? '', name: match[2] ?? '' };
}
