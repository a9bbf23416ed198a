/** Requests of the operator's identity, told by an audit log or by the probe, as writes that were asked for and as reads. Pure. */
import { objectKey } from '../../shared/model/ids.ts';
import type { TraceRead, TraceWrite } from '../../shared/model/trace.ts';
import type { AuditFact, LogFact } from '../session/facts.ts';
import type { ProbeLine } from '../source/log/probeLine.ts';
import { type ObjectPlace, subjectOf } from './evidenceScope.ts';
import type { AskedWrite } from './evidenceWrites.ts';
import type { ReadEvidence } from './traceTypes.ts';

const writeVerbs: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** Undefined for a request that writes nothing by its nature. */
export function requestOfAudit(fact: AuditFact): AskedWrite | undefined {
  const { entry } = fact;
  const verb = writeVerbs.find((one) => one === entry.verb) as TraceWrite['verb'] | undefined;
  if (verb === undefined) return undefined;
  const isApply =
    verb === 'patch' &&
    /[?&]fieldManager=[^&]*/.test(entry.requestUri) &&
    /[?&]force=/.test(entry.requestUri);
  return {
    seq: fact.seq,
    source: fact.source,
    receivedAt: fact.receivedAt,
    at: entry.at,
    from: 'audit',
    verb: isApply ? 'apply' : verb,
    subresource: entry.target?.subresource ?? '',
    code: entry.code,
    failed: entry.stage === 'Panic',
    resourceVersion: entry.code < 300 ? entry.responseVersion : undefined,
    requestVersion: entry.requestVersion,
    reason: entry.reason,
    message: entry.message,
    manager: managerOf(entry.requestUri, entry.userAgent),
    dryRun: /[?&]dryRun=/.test(entry.requestUri),
    place: undefined,
  };
}

/** What managedFields will call the writer: the request's fieldManager, else the first word of the user agent. */
function managerOf(uri: string, userAgent: string): string | undefined {
  const named = /[?&]fieldManager=([^&]*)/.exec(uri)?.[1];
  if (named !== undefined && named !== '') return named;
  const slash = userAgent.indexOf('/');
  const first = slash < 0 ? userAgent : userAgent.slice(0, slash);
  return first === '' ? undefined : first;
}

/** A read of one object; lists and watches are of nobody's key. */
export function readOfAudit(
  fact: AuditFact,
  object: ObjectPlace,
): Omit<ReadEvidence, 'controller' | 'key'> | undefined {
  const { entry } = fact;
  if (entry.verb !== 'get' || object.name === '') return undefined;
  const read: Omit<TraceRead, 'at' | 'basis' | 'seq'> = {
    verb: entry.verb,
    subject: subjectOf(object),
    object: objectKey(object),
    subresource: entry.target?.subresource ?? '',
    code: entry.code,
  };
  return {
    evidence: 'read',
    seq: fact.seq,
    source: fact.source,
    receivedAt: fact.receivedAt,
    at: entry.at,
    ownClock: true,
    read,
  };
}

/** A write that the probe told of: exact times, and the run it was made by. */
export function askedOfProbe(
  fact: LogFact,
  probe: Extract<ProbeLine, { readonly kind: 'write' }>,
  place: AskedWrite['place'],
): [Omit<ObjectPlace, 'group'> & { readonly group: undefined }, AskedWrite] {
  const [kind = '', namespace = '', ...name] = probe.subject.split('/');
  const failed = probe.failed !== undefined;
  const unchanged = probe.resourceVersion === probe.before;
  return [
    { group: undefined, kind, namespace: namespace === '-' ? '' : namespace, name: name.join('/') },
    {
      seq: fact.seq,
      source: fact.source,
      receivedAt: fact.receivedAt,
      at: { lo: probe.at - probe.tookMs, hi: probe.at },
      from: 'probe',
      verb: probe.verb,
      subresource: probe.subresource,
      code: failed ? 0 : 200,
      failed,
      resourceVersion: failed ? undefined : probe.resourceVersion,
      requestVersion: unchanged ? probe.before : undefined,
      reason: failed && /object has been modified/.test(probe.failed ?? '') ? 'Conflict' : undefined,
      message: probe.failed,
      manager: undefined,
      dryRun: false,
      place,
    },
  ];
}
