/**
 * A case folder: what a person can save of a cluster by hand, judged like a live one. Any file may be missing and says
 * nothing then. Design, section 6: cluster.yaml, watch.jsonl, operator.log, metrics*.txt, audit.jsonl, asof.txt.
 */
import type { Finding, NotEvaluated } from '../../../shared/model/finding.ts';
import { groupOf, objectKey } from '../../../shared/model/ids.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import { createFactTracker, type FactTracker } from '../../findings/factTracker.ts';
import type { FindingInput, FindingObjects, ObjectHead } from '../../findings/findingInput.ts';
import { evaluate } from '../../findings/registry.ts';
import { readPolicy, refText } from '../../rbac/policy.ts';
import { createChangeLedger, toldOfObject } from '../../trace/detectors/changeLedger.ts';
import type { SeenChanges } from '../../trace/detectors/seen.ts';
import { type AuditEntry, parseAuditLine } from '../audit/auditEntry.ts';
import { type LogEntry, parseLogLine } from '../log/logEntry.ts';
import { operatorMetrics } from '../metrics/controllerMetrics.ts';
import {
  type CaseFile,
  type CaseProblem,
  linesOf,
  type ParseYaml,
  readDocuments,
  readWatch,
  type WatchLine,
} from './caseFiles.ts';
import { caseOperators } from './caseOperators.ts';
import { nameTime, readAsOf } from './caseTimes.ts';
import { newestTime } from './newestTime.ts';

export type { CaseFile, CaseProblem, ParseYaml } from './caseFiles.ts';

export interface CaseCheck {
  /** RFC 3339: the moment of judgement. */
  readonly asOf: string;
  readonly findings: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
  readonly problems: readonly CaseProblem[];
}

export interface CaseInput {
  readonly input: FindingInput;
  readonly problems: readonly CaseProblem[];
}

/**
 * Reads a folder and judges it by all rules. Never throws for what stands in the files. `known`: reconciles that were put
 * together from the same files.
 */
export function checkCase(
  files: readonly CaseFile[],
  parseYaml: ParseYaml,
  known: Pick<FindingInput, 'spans'> = {},
): CaseCheck {
  const { input, problems } = readCase(files, parseYaml);
  const { findings, notEvaluated } = evaluate({ ...input, ...known });
  return { asOf: input.now, findings, notEvaluated, problems };
}

interface Placed {
  readonly object: KubeObject;
  readonly place: { readonly file: string; readonly line: number };
}

/** The same without judging: what the rules would read. */
export function readCase(files: readonly CaseFile[], parseYaml: ParseYaml): CaseInput {
  const problems: CaseProblem[] = [];
  const byName = new Map(files.map((file) => [file.name, file]));
  const documents = files
    .filter((file) => /^cluster\.ya?ml$/.test(file.name))
    .flatMap((file) => readDocuments(file, parseYaml, problems));
  const watchFile = byName.get('watch.jsonl');
  const watch = watchFile === undefined ? [] : readWatch(watchFile, problems);
  const audit = readAudit(byName.get('audit.jsonl'), problems);

  const stated = readAsOf(byName.get('asof.txt'), problems);
  const known = newestTime(
    documents.map(({ object }) => object),
    [...watch.map(({ at }) => at), ...audit.map(({ entry }) => entry.at.hi), ...files.map(nameTime)],
  );
  // klog lines have no year: they are read near what is known so far.
  const log = readLog(byName.get('operator.log'), stated ?? known);
  const asOf = stated ?? newestTime([], [known, ...log.map(({ entry }) => entry.at?.lo)]) ?? 0;

  const until = stated === undefined ? Number.POSITIVE_INFINITY : stated + 999;
  const events = watch.filter(({ at }) => at === undefined || at <= until);
  const objects = currentObjects(
    documents.map(({ object, file, line }) => ({ object, place: { file, line } })),
    events,
  );
  const tracker = createFactTracker();
  for (const { entry, line } of audit)
    if (entry.at.lo <= until) tracker.addAudit(entry, { file: 'audit.jsonl', line });
  for (const { entry, line } of log)
    if ((entry.at?.lo ?? 0) <= until) tracker.addLog(entry, { file: 'operator.log', line });
  addEvents(tracker, objects, events);

  const current = objects.map(({ object }) => object);
  const policy = readPolicy(current);
  const places = new Map(objects.map(({ object, place }) => [placeKey(object), place]));
  return {
    input: {
      now: asOf === 0 ? '1970-01-01T00:00:00Z' : isoTime(asOf),
      objects: objectIndex(current),
      policy,
      access: tracker.access(),
      controllers: tracker.controllers(),
      profiles: caseOperators(current, policy),
      unreadable: [],
      objectBasis: 'file',
      changes: seenChanges({
        listed: documents.map(({ object }) => object),
        events,
        audit,
        log,
        metrics: newestScrape(files, until),
        until,
        asOf,
      }),
      locate: (ref) => places.get(refText(ref)),
    },
    problems,
  };
}

interface FolderChanges {
  readonly listed: readonly KubeObject[];
  readonly events: readonly WatchLine[];
  readonly audit: readonly { readonly entry: AuditEntry; readonly line: number }[];
  readonly log: readonly { readonly entry: LogEntry; readonly line: number }[];
  readonly metrics: string | undefined;
  readonly until: number;
  readonly asOf: number;
}

/** What changes again and again, as detectors read it. */
function seenChanges(folder: FolderChanges): SeenChanges {
  const { listed, events, audit, log, metrics, until, asOf } = folder;
  const whole = new Map(listed.map((object) => [placeKey(object), object]));
  const ledger = createChangeLedger({
    read: (version) => events[version]?.object,
    placeOf: (version) => ({ file: 'watch.jsonl', line: events[version]?.line ?? 1 }),
  });
  const ops = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;
  for (const [version, { at, type, object }] of events.entries()) {
    if (at === undefined) continue;
    const { kind, metadata } = object;
    const key = objectKey({
      group: groupOf(object.apiVersion),
      kind,
      namespace: metadata.namespace ?? '',
      name: metadata.name,
    });
    // What was cut to its changes may have lost who owns which field: the list has it.
    const cut = (metadata.managedFields ?? []).length === 0;
    const managedFields = cut ? whole.get(placeKey(object))?.metadata.managedFields : undefined;
    const signed =
      managedFields === undefined ? object : { ...object, metadata: { ...metadata, managedFields } };
    ledger.object(version, toldOfObject(key, signed, ops[type], at));
  }
  for (const { entry, line } of audit)
    if (entry.at.lo <= until) ledger.audit(entry, { file: 'audit.jsonl', line });
  for (const { entry, line } of log)
    if ((entry.at?.lo ?? 0) <= until) ledger.log(entry, entry.at, { file: 'operator.log', line });
  if (metrics !== undefined) ledger.metrics(operatorMetrics(metrics));
  return ledger.seen(asOf);
}

/** The last scrape before the moment of judgement. `metrics.txt` has no time in its name: it is the last of all. */
function newestScrape(files: readonly CaseFile[], until: number): string | undefined {
  const scrapes = files
    .filter(({ name }) => /^metrics.*\.txt$/.test(name))
    .map((file) => ({ file, at: nameTime(file) ?? until }))
    .filter(({ at }) => at <= until)
    .sort((a, b) => a.at - b.at);
  return scrapes.at(-1)?.file.text;
}

function readLog(
  file: CaseFile | undefined,
  nearMs: number | undefined,
): readonly { entry: LogEntry; line: number }[] {
  if (file === undefined) return [];
  const options = nearMs === undefined ? {} : { nearMs };
  return Array.from(linesOf(file.text), ({ text, line }) => ({ entry: parseLogLine(text, options), line }));
}

function readAudit(
  file: CaseFile | undefined,
  problems: CaseProblem[],
): readonly { readonly entry: AuditEntry; readonly line: number }[] {
  const entries: { entry: AuditEntry; line: number }[] = [];
  for (const { text, line } of linesOf(file?.text ?? '')) {
    const parsed = parseAuditLine(text);
    if (parsed.ok) for (const entry of parsed.value) entries.push({ entry, line });
    else problems.push({ file: 'audit.jsonl', line, text: parsed.error });
  }
  return entries;
}

/**
 * The objects at the moment of judgement. cluster.yaml is that list; watch events (whose objects may be cut to what
 * changed) add only what it does not hold. Without cluster.yaml the events alone are folded.
 */
function currentObjects(listed: readonly Placed[], events: readonly WatchLine[]): readonly Placed[] {
  const current = new Map<string, Placed>();
  for (const { type, object, line } of events) {
    const key = placeKey(object);
    if (type === 'DELETED') current.delete(key);
    else current.set(key, { object, place: { file: 'watch.jsonl', line } });
  }
  for (const placed of listed) current.set(placeKey(placed.object), placed);
  return [...current.values()];
}

/** Events of the API, each version once. */
function addEvents(tracker: FactTracker, objects: readonly Placed[], watch: readonly WatchLine[]): void {
  const seen = new Set<string>();
  const all = [
    ...watch.map(({ object, line }) => ({ object, place: { file: 'watch.jsonl', line } })),
    ...objects,
  ];
  for (const { object, place } of all) {
    if (object.kind !== 'Event') continue;
    const version = `${placeKey(object)}\0${object.metadata.resourceVersion ?? place.line}`;
    if (seen.has(version)) continue;
    seen.add(version);
    tracker.addEvent(object, place);
  }
}

function objectIndex(objects: readonly KubeObject[]): FindingObjects {
  const byKind = new Map<string, KubeObject[]>();
  for (const object of objects) {
    const key = `${groupOf(object.apiVersion)}/${object.kind}`;
    const list = byKind.get(key);
    if (list === undefined) byKind.set(key, [object]);
    else list.push(object);
  }
  return {
    list: (groupKind) => byKind.get(groupKind) ?? [],
    heads: (groupKind) => (byKind.get(groupKind) ?? []).map(headOf),
  };
}

function headOf({ metadata }: KubeObject): ObjectHead {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    ownerReferences: metadata.ownerReferences ?? [],
    writers: (metadata.managedFields ?? []).map(({ manager, subresource, time }) => ({
      manager,
      subresource,
      time: typeof time === 'string' ? time : undefined,
    })),
  };
}

/** As refText() names RBAC objects; the group keeps equal kinds of other objects apart. */
function placeKey(object: KubeObject): string {
  const group = groupOf(object.apiVersion);
  const namespace = object.metadata.namespace ?? '';
  const key = `${object.kind}/${namespace === '' ? '-' : namespace}/${object.metadata.name}`;
  return group === 'rbac.authorization.k8s.io' ? key : `${group}/${key}`;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
