/**
 * `ground.json` of a run of the test bed, in the form of the handed recordings, with what only the probe can tell beside it:
 * `key`, `controller` and `reconcileID` of each write, and `spans`. Writes of the operator are those of the audit log; the probe says
 * which reconcile did them.
 */
import { parseMetrics } from '../../core/source/metrics/parse.ts';
import type { AuditEvent } from '../integration/auditLog.ts';
import type { ProbedRun, ProbedWrite } from './probeLog.ts';
import type { TrueSpan } from './truth.ts';

export interface GroundWrite {
  readonly at: string;
  readonly verb: string;
  readonly subresource: string;
  readonly code: number;
  readonly resourceVersion: string | null;
  readonly fieldManager: string | null;
  readonly noChange?: true;
  readonly key?: string;
  readonly controller?: string;
  readonly reconcileID?: string;
}

export interface Ground {
  readonly run: string;
  readonly operator: string;
  readonly window: { readonly from: string; readonly to: string };
  readonly writes: Readonly<Record<string, readonly GroundWrite[]>>;
  readonly reconcileErrors: Readonly<
    Record<string, { readonly count: number; readonly at: readonly string[] }>
  >;
  readonly queues: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly reconciles: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly scrapedFrom?: string;
  readonly scrapedAt?: string;
  readonly spans?: readonly TrueSpan[];
  readonly errors?: ProbedRun['errors'];
}

export interface RunFacts {
  readonly run: string;
  readonly operator: string;
  readonly from: number;
  readonly to: number;
  /** Of the operator's identity alone. */
  readonly audit: readonly AuditEvent[];
  readonly probed: ProbedRun;
  readonly scrape?: { readonly from: number; readonly at: number; readonly text: string };
}

const writing = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** The audit log notes an answer before or after the operator has it; both run on one busy machine, ms. */
const slackMs = 100;
const mostUnexplained = 4;
const notWrites = new Set(['tokenreviews', 'subjectaccessreviews', 'selfsubjectaccessreviews']);

export function groundOf(facts: RunFacts): Ground {
  const { run, operator, from, to, audit, probed, scrape } = facts;
  const writes: Record<string, GroundWrite[]> = {};
  const unclaimed = [...probed.writes];
  // A process that is ended cannot tell of the write it was waiting for, one a worker.
  const unexplained: string[] = [];
  for (const event of audit) {
    const { verb, objectRef, responseStatus, stageTimestamp } = event;
    const code = responseStatus?.code ?? 0;
    if (!writing.has(verb) || objectRef?.resource === undefined || notWrites.has(objectRef.resource))
      continue;
    if (code < 200 || code > 299) continue;
    const at = Date.parse(stageTimestamp);
    const told = isEvent(objectRef.resource) ? eventOf(event, probed.spans) : claim(event, unclaimed);
    const subject =
      told?.subject ?? `${objectRef.resource}/${objectRef.namespace ?? '-'}/${objectRef.name ?? ''}`;
    if (told === undefined && objectRef.resource !== 'leases')
      unexplained.push(`${verb} ${event.requestURI}`);
    const { key, controller, reconcileId } = told ?? {};
    entryOf(writes, subject, (): GroundWrite[] => []).push({
      at: new Date(at).toISOString(),
      verb,
      subresource: objectRef.subresource ?? '',
      code,
      resourceVersion: told?.resourceVersion ?? event.responseObject?.metadata?.resourceVersion ?? null,
      fieldManager: new URL(event.requestURI, 'https://server').searchParams.get('fieldManager'),
      ...(told?.changed === false ? { noChange: true as const } : {}),
      ...(key === undefined ? {} : { key }),
      ...(controller === undefined ? {} : { controller }),
      ...(reconcileId === undefined ? {} : { reconcileID: reconcileId }),
    });
  }
  if (unexplained.length > mostUnexplained)
    throw new Error(`writes of the operator that no reconcile explains: ${unexplained.join(', ')}`);
  const metrics = scrape === undefined ? undefined : totals(scrape.text);
  return {
    run,
    operator,
    window: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    writes,
    reconcileErrors: errorsByKey(probed),
    queues: metrics?.queues ?? {},
    reconciles: metrics?.reconciles ?? {},
    ...(scrape === undefined
      ? {}
      : {
          scrapedFrom: new Date(scrape.from).toISOString(),
          scrapedAt: new Date(scrape.at).toISOString(),
        }),
    spans: probed.spans,
    errors: probed.errors,
  };
}

function isEvent(resource: string): boolean {
  return resource === 'events';
}

interface Told extends Partial<Pick<ProbedWrite, 'key' | 'controller' | 'reconcileId' | 'changed'>> {
  readonly subject: string;
  readonly resourceVersion?: string;
}

/** The probe's word on a request: same object, verb and subresource, answered about when the audit says. Each is used once. */
function claim(event: AuditEvent, unclaimed: ProbedWrite[]): Told | undefined {
  const { verb, objectRef, stageTimestamp, responseObject } = event;
  const at = Date.parse(stageTimestamp);
  const version = responseObject?.metadata?.resourceVersion;
  const name = `${objectRef?.namespace ?? '-'}/${objectRef?.name ?? ''}`;
  const fits = (write: ProbedWrite) =>
    write.verb === verb &&
    write.subresource === (objectRef?.subresource ?? '') &&
    write.subject.slice(write.subject.indexOf('/') + 1) === name &&
    resourceOf(write.subject) === objectRef?.resource &&
    (version === undefined || verb === 'delete' || write.resourceVersion === version) &&
    at > write.at - write.tookMs - slackMs &&
    at < write.at + slackMs;
  const index = unclaimed.findIndex(fits);
  if (index < 0) return undefined;
  const [write] = unclaimed.splice(index, 1);
  return write;
}

/** Kinds of the test bed; their resources are regular. */
function resourceOf(subject: string): string {
  return `${subject.slice(0, subject.indexOf('/')).toLowerCase()}s`;
}

interface EventBody {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
  };
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string } | null;
  readonly regarding?: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
  readonly involvedObject?: EventBody['regarding'];
}

/** An Event's key is its object's; its reconcile is the one that was running when it was recorded. */
function eventOf(event: AuditEvent, spans: readonly TrueSpan[]): Told | undefined {
  const body = event.responseObject as EventBody | undefined;
  const regarding = body?.regarding ?? body?.involvedObject;
  const name = body?.metadata?.name ?? event.objectRef?.name;
  if (regarding?.name === undefined || name === undefined) return undefined;
  const subject = `Event/${body?.metadata?.namespace ?? '-'}/${name}`;
  const resourceVersion = body?.metadata?.resourceVersion;
  const version = resourceVersion === undefined ? {} : { resourceVersion };
  if (regarding.kind === 'Lease') return { subject, ...version };
  const key = regarding.namespace ? `${regarding.namespace}/${regarding.name}` : regarding.name;
  const recorded = Date.parse(body?.series?.lastObservedTime ?? body?.eventTime ?? event.stageTimestamp);
  // Several controllers may run on the key: the one on Database records Events.
  const span = spans.find(
    (one) =>
      one.key === key &&
      one.controller === 'database' &&
      one.start - 1 <= recorded &&
      recorded <= one.end + 1,
  );
  return {
    subject,
    ...version,
    key,
    controller: 'database',
    ...(span === undefined ? {} : { reconcileId: span.reconcileId }),
  };
}

function errorsByKey(probed: ProbedRun): Ground['reconcileErrors'] {
  const byKey: Record<string, { count: number; at: string[] }> = {};
  for (const { key = '', controller = '', lo } of probed.errors) {
    const entry = entryOf(byKey, `${controller}|${key}`, () => ({ count: 0, at: [] as string[] }));
    entry.count += 1;
    entry.at.push(new Date(lo).toISOString());
  }
  return byKey;
}

function totals(text: string): Pick<Ground, 'queues' | 'reconciles'> {
  const queues: Record<string, Record<string, number>> = {};
  const reconciles: Record<string, Record<string, number>> = {};
  for (const { name, labels, value } of parseMetrics(text).samples) {
    const { controller = '', result = '', name: queue = '' } = labels;
    if (name === 'controller_runtime_reconcile_total')
      entryOf(reconciles, controller, (): Record<string, number> => ({}))[result] = value;
    for (const counter of ['adds_total', 'retries_total', 'depth']) {
      if (name !== `workqueue_${counter}`) continue;
      // The depth of a priority queue is told by priority.
      const counters = entryOf(queues, queue, (): Record<string, number> => ({}));
      counters[counter] = (counters[counter] ?? 0) + value;
    }
  }
  return { queues, reconciles };
}

function entryOf<T>(record: Record<string, T>, name: string, create: () => T): T {
  const found = record[name] ?? create();
  record[name] = found;
  return found;
}
