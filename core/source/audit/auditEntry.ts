/** AuditEntry: one audit.k8s.io/v1 event, cut to what derivations read. Source: k8s.io/apiserver pkg/apis/audit/v1. */
import { asRecord } from '../../../shared/base/json.ts';
import { err, ok, type Result } from '../../../shared/base/result.ts';
import type { TimeInterval } from '../../session/record.ts';

export interface AuditEntry {
  readonly auditId: string;
  /** `ResponseComplete` and `Panic` end a request; `RequestReceived` and `ResponseStarted` say that it runs. */
  readonly stage: string;
  /** From the request's arrival to this stage, ms. */
  readonly at: TimeInterval;
  /** Whom the request counted for: the impersonated user, where there is one. */
  readonly user: string;
  readonly groups: readonly string[];
  /** Set when that was somebody else's doing. */
  readonly impersonatedBy?: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly requestUri: string;
  /** Absent for a request that names no resource. */
  readonly target?: AuditTarget;
  /** HTTP status; 0 while there is no answer. */
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  /** The authorizer's word: `allow` or `forbid`. */
  readonly decision?: string;
  /** Version the answer carries; with RequestResponse level only. */
  readonly responseVersion?: string;
  /** Version the request was based on (optimistic lock); with bodies only. */
  readonly requestVersion?: string;
}

export interface AuditTarget {
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty for a list, and for a create that left the name to the server and whose answer is not recorded. */
  readonly name: string;
  /** Version the request was based on, as its object's metadata gave it; at every level. */
  readonly resourceVersion?: string;
}

/**
 * One line of an audit file, or one webhook batch: an Event, or an EventList. Items of a list that are no audit events
 * are left out; a line that holds none is an error sentence.
 */
export function parseAuditLine(line: string): Result<readonly AuditEntry[], string> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // What the parser says quotes the line, and this sentence goes into the program's own log.
    return err('not JSON');
  }
  const top = asRecord(value);
  const items = top?.kind === 'EventList' && Array.isArray(top.items) ? top.items : [value];
  const entries = items.flatMap((item) => readEntry(item) ?? []);
  if (entries.length === 0 && items.length > 0) return err('not an audit.k8s.io event');
  return ok(entries);
}

function readEntry(value: unknown): AuditEntry | undefined {
  const event = asRecord(value);
  if (event === undefined) return undefined;
  const stage = text(event.stage);
  const verb = text(event.verb);
  const from = Date.parse(text(event.requestReceivedTimestamp));
  const to = Date.parse(text(event.stageTimestamp));
  const known = Number.isNaN(from) ? to : from;
  if (stage === '' || verb === '' || Number.isNaN(known)) return undefined;
  const own = asRecord(event.user);
  const impersonated = asRecord(event.impersonatedUser);
  const user = impersonated ?? own;
  const status = asRecord(event.responseStatus);
  const response = asRecord(event.responseObject);
  const target = readTarget(event.objectRef, response);
  const annotations = asRecord(event.annotations);
  return {
    auditId: text(event.auditID),
    stage,
    at: { lo: known, hi: Number.isNaN(to) ? known : Math.max(known, to) },
    user: text(user?.username),
    groups: texts(user?.groups),
    ...(impersonated === undefined ? {} : { impersonatedBy: text(own?.username) }),
    userAgent: text(event.userAgent),
    verb,
    requestUri: text(event.requestURI),
    ...(target === undefined ? {} : { target }),
    code: typeof status?.code === 'number' ? status.code : 0,
    ...optional('reason', status?.reason),
    ...optional('message', status?.message),
    ...optional('decision', annotations?.['authorization.k8s.io/decision']),
    ...optional('responseVersion', versionOf(response)),
    ...optional('requestVersion', versionOf(asRecord(event.requestObject))),
  };
}

function readTarget(value: unknown, response: Fields | undefined): AuditTarget | undefined {
  const reference = asRecord(value);
  if (reference === undefined || text(reference.resource) === '') return undefined;
  const answered = response?.kind === 'Status' ? '' : text(asRecord(response?.metadata)?.name);
  return {
    apiGroup: text(reference.apiGroup),
    apiVersion: text(reference.apiVersion),
    resource: text(reference.resource),
    subresource: text(reference.subresource),
    namespace: text(reference.namespace),
    name: text(reference.name) === '' ? answered : text(reference.name),
    ...optional('resourceVersion', reference.resourceVersion),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function versionOf(object: Fields | undefined): unknown {
  return asRecord(object?.metadata)?.resourceVersion;
}

function optional<K extends string>(name: K, value: unknown): { [P in K]?: string } {
  return (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { [P in K]?: string };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
