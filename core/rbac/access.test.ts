import { describe, expect, it } from 'vitest';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { AuditEntry } from '../source/audit/auditEntry.ts';
import { accessFromAudit, accessFromForbidden, accessFromProfile, createAccessTracker } from './access.ts';

const entry: AuditEntry = {
  auditId: 'a',
  stage: 'ResponseComplete',
  at: { lo: 1000, hi: 2000 },
  user: 'u',
  groups: [],
  userAgent: 'manager',
  verb: 'update',
  requestUri: '/x',
  target: {
    apiGroup: 'g',
    apiVersion: 'v1',
    resource: 'things',
    subresource: 'status',
    namespace: 'ns',
    name: 'n',
  },
  code: 403,
};

function outcome(change: Partial<AuditEntry>): string | undefined {
  return accessFromAudit({ ...entry, ...change }, {})?.outcome;
}

describe('access evidence', () => {
  it('[AU3] takes a 403 for a refusal only when the authorizer said so', () => {
    expect(outcome({ decision: 'forbid' })).toBe('refused');
    expect(outcome({ decision: 'allow' })).toBe('allowed');
    expect(outcome({})).toBe('refused');
    expect(outcome({ message: 'things "n" is forbidden: exceeded quota' })).toBe('allowed');
    const message =
      'things.g "n" is forbidden: User "u" cannot update resource "things/status" in API group "g" in the namespace "ns"';
    expect(outcome({ message })).toBe('refused');
  });

  it('counts a conflict as allowed, and neither 401 nor what is unfinished', () => {
    expect(outcome({ code: 409 })).toBe('allowed');
    expect(outcome({ code: 401 })).toBeUndefined();
    expect(outcome({ code: 0, stage: 'RequestReceived' })).toBeUndefined();
    expect(outcome({ code: 200, stage: 'ResponseStarted' })).toBeUndefined();
    expect(outcome({ code: 200, stage: 'ResponseStarted', verb: 'watch' })).toBe('allowed');
  });

  it('names the request and the place it was read', () => {
    const access = accessFromAudit(entry, { file: 'audit.jsonl', line: 3 });
    expect(access?.evidence).toEqual({
      text: '403 on update things/status ns/n',
      basis: { kind: 'observed', from: 'audit' },
      at: '1970-01-01T00:00:02.000Z',
      file: 'audit.jsonl',
      line: 3,
    });
  });

  it('folds equal accesses and keeps first, last and the names', () => {
    const tracker = createAccessTracker();
    for (const name of ['a', 'b', 'a']) {
      const access = accessFromAudit(
        { ...entry, target: { ...entry.target, name } as AuditEntry['target'] & object },
        {},
      );
      if (access !== undefined) tracker.add(access);
    }
    const [record, ...rest] = tracker.records();
    expect(rest).toEqual([]);
    expect(record).toMatchObject({ count: 3, names: ['a', 'b'], name: 'a' });
    expect(record?.first.text).toBe('403 on update things/status ns/a');
  });

  it('has nothing for a refused URL', () => {
    const evidence = { text: '', basis: { kind: 'reported', from: 'log' } } as const;
    expect(
      accessFromForbidden({ kind: 'url', user: 'u', verb: 'get', path: '/metrics' }, evidence),
    ).toBeUndefined();
  });

  it('expects what a profile says the operator will ask for', () => {
    const basis = { kind: 'observed', from: 'file' } as const;
    const known = <T>(value: T) => ({ value, basis, why: 'stated' });
    const profile: OperatorProfile = {
      id: 'o',
      name: 'dbops',
      identity: known({ user: 'u', groups: [] }),
      fieldManagers: known([]),
      lease: known('dbops-system/leader'),
      controllers: [
        {
          name: 'database',
          for: known('databases.db.example.com'),
          owns: known(['services']),
          watches: known([{ resource: 'gone.example.com', maps: 'owner' }]),
          predicates: known([]),
          queue: known('priority' as const),
          limiter: known({ type: 'default' as const }),
          maxConcurrentReconciles: known(1),
        },
      ],
    };
    const resources: Readonly<Record<string, ApiResource>> = {
      'databases.db.example.com': {
        group: 'db.example.com',
        version: 'v1',
        resource: 'databases',
        kind: 'Database',
        namespaced: true,
        verbs: [],
        subresources: ['status'],
      },
      services: {
        group: '',
        version: 'v1',
        resource: 'services',
        kind: 'Service',
        namespaced: true,
        verbs: [],
        subresources: ['status'],
      },
    };
    const asked = (owns: boolean) =>
      accessFromProfile(
        profile,
        (name) => resources[name],
        () => owns,
      ).map(
        ({ verb, resource, subresource, namespace }) => `${verb} ${resource}/${subresource}@${namespace}`,
      );
    const reads = (resource: string) => ['get', 'list', 'watch'].map((verb) => `${verb} ${resource}/@`);
    const lease = ['get leases/@dbops-system', 'update leases/@dbops-system'];
    expect(asked(true)).toEqual([
      ...reads('databases'),
      'update databases/status@',
      ...reads('services'),
      ...lease,
    ]);
    expect(asked(false)).toEqual([...reads('databases'), ...reads('services'), ...lease]);
  });
});
