/** What the API server's own audit log says of Loopscope: it asked, and changed nothing. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Cluster } from '../testbed/cluster.ts';

export interface AuditEvent {
  readonly verb: string;
  readonly stageTimestamp: string;
  readonly user: { readonly username: string };
  readonly responseStatus?: { readonly code?: number };
  readonly responseObject?: { readonly metadata?: { readonly resourceVersion?: string } };
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly impersonatedUser?: unknown;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly subresource?: string;
  };
}

/** Written out here once more, apart from the product's own list: the two must agree. */
const questions = new Set([
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authentication.k8s.io/selfsubjectreviews',
]);

/**
 * Asserts that every request of a `loopscope/…` user agent is inside the allow-list, and that there were some. Returns
 * how many. Call it while the API server runs, after the windows were closed.
 */
export function assertOnlyReads(cluster: Cluster): number {
  const ours = auditEvents(cluster).filter(({ userAgent }) => userAgent?.startsWith('loopscope/'));
  expect(ours.length, 'requests of Loopscope in the audit log').toBeGreaterThan(0);
  const outside = ours
    .filter((event) => !isAllowed(event))
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
  expect(outside, 'requests of Loopscope outside the allow-list').toEqual([]);
  return ours.length;
}

export function auditEvents(cluster: Cluster): readonly AuditEvent[] {
  return readFileSync(cluster.auditLogPath, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as AuditEvent];
      } catch {
        // A server that was killed may have left half a line.
        return [];
      }
    });
}

function isAllowed({ verb, requestURI, impersonatedUser, objectRef }: AuditEvent): boolean {
  if (impersonatedUser !== undefined) return false;
  const path = new URL(requestURI, 'https://server').pathname;
  if (objectRef?.resource === undefined)
    return (
      verb === 'get' &&
      /^\/(version|livez|readyz|api|api\/[^/]+|apis|apis\/[^/]+|apis\/[^/]+\/[^/]+|openapi\/.+)$/.test(path)
    );
  const { apiGroup = '', resource, subresource = '' } = objectRef;
  if (verb === 'create') return subresource === '' && questions.has(`${apiGroup}/${resource}`);
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return false;
  if (/\/(exec|attach|portforward|proxy|ephemeralcontainers|token)(\/|$)/.test(path)) return false;
  return (
    subresource === '' ||
    subresource === 'status' ||
    subresource === 'scale' ||
    (subresource === 'log' && apiGroup === '' && resource === 'pods')
  );
}
