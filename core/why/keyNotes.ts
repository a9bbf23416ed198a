/**
 * KeyNotes: what log and audit say of single objects: reconciles that ended in an error or well, status writes that were
 * refused. Folded as facts come; its size follows the number of objects spoken of, not the length of the recording.
 */

import { lineTime, wasThere } from '../engine/shadowSteps.ts';
import type { AuditFact, LogFact } from '../session/facts.ts';
import { parseForbidden } from '../source/log/forbidden.ts';
import { type LogEntry, refusalText } from '../source/log/logEntry.ts';

/** One thing said of an object. `precise`: `at` is known to the ms. */
export interface Said {
  readonly at: number;
  readonly precise: boolean;
  readonly seq: number;
  readonly text: string;
  readonly reconcileId: string | undefined;
}

/** The first one, the newest ones, and how many there were. */
export interface SaidList {
  readonly count: number;
  readonly first: Said;
  /** Oldest first, the newest `kept`. */
  readonly recent: readonly Said[];
}

export interface Refusal extends Said {
  readonly verb: string;
  readonly user: string;
}

export interface RefusalList {
  readonly from: 'audit' | 'log';
  readonly count: number;
  readonly first: Refusal;
  readonly recent: readonly Refusal[];
}

export interface ObjectName {
  readonly group: string;
  readonly kind: string;
  /** Plural; empty when discovery does not tell. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface KeyNotes {
  addLog(fact: LogFact): void;
  addAudit(fact: AuditFact): void;
  /** "Reconciler error" lines of the object. `controller`: the name the profile gives, for lines that name no kind. */
  errors(object: ObjectName, controller: string | undefined): SaidList | undefined;
  /** Reconciles that were logged as ended well. */
  successes(object: ObjectName, controller: string | undefined): SaidList | undefined;
  /** Refused writes of the object's status since the last one that passed, by each source that tells of any. */
  refusals(object: ObjectName): readonly RefusalList[];
  /** Refused writes that are kept, whenever they were, oldest first, of the source that tells most. */
  allRefusals(object: ObjectName): { readonly from: RefusalList['from']; readonly all: readonly Refusal[] };
  /** The newest line of the controller, whatever it says, ms. */
  lastLineAt(controller: string | undefined, kind: string): number | undefined;
}

const kept = 64;
const textLimit = 600;
/** Objects remembered; the one spoken of longest ago goes first. */
const objectsKept = 20_000;

interface Folded<T> {
  count: number;
  first: T;
  recent: T[];
}

interface Spoken {
  readonly controller: string;
  readonly group: string | undefined;
  readonly kind: string | undefined;
  errors: Folded<Said> | undefined;
  successes: Folded<Said> | undefined;
}

interface StatusWriteNotes {
  /** Since the last accepted one. */
  audit: Folded<Refusal> | undefined;
  log: Folded<Refusal> | undefined;
  allAudit: Refusal[];
  allLog: Refusal[];
  lastReconcile: string | undefined;
}

export function createKeyNotes(): KeyNotes {
  const byName = new Map<string, Spoken[]>();
  const byStatus = new Map<string, StatusWriteNotes>();
  const lastLine = new Map<string, number>();

  function spokenOf(entry: LogEntry, key: NonNullable<LogEntry['key']>): Spoken {
    const id = `${key.namespace}/${key.name}`;
    const list = remember(byName, id, (): Spoken[] => []);
    const { controller = '', controllerGroup: group, controllerKind: kind } = entry;
    let spoken = list.find(
      (one) => one.controller === controller && one.kind === kind && one.group === group,
    );
    if (spoken === undefined) {
      spoken = { controller, group, kind, errors: undefined, successes: undefined };
      list.push(spoken);
    }
    return spoken;
  }

  function statusOf(group: string, resource: string, namespace: string, name: string): StatusWriteNotes {
    return remember(byStatus, statusId(group, resource, namespace, name), () => ({
      audit: undefined,
      log: undefined,
      allAudit: [],
      allLog: [],
      lastReconcile: undefined,
    }));
  }

  function of(object: ObjectName, controller: string | undefined): readonly Spoken[] {
    const all = byName.get(`${object.namespace}/${object.name}`) ?? [];
    return all.filter((one) =>
      one.kind === undefined
        ? controller !== undefined && one.controller === controller
        : one.kind === object.kind && (one.group === undefined || one.group === object.group),
    );
  }

  return {
    addLog(fact) {
      const { entry } = fact;
      const said = saidBy(fact, entry.error ?? entry.msg);
      for (const speaker of [entry.controller, entry.controllerKind])
        if (speaker !== undefined) lastLine.set(speaker, Math.max(lastLine.get(speaker) ?? 0, said.at));
      if (entry.key !== undefined && entry.event !== undefined) {
        const { kind } = entry.event;
        const spoken = spokenOf(entry, entry.key);
        if (kind === 'reconcilerError' || kind === 'panic') spoken.errors = folded(spoken.errors, said);
        else if (kind === 'reconciled' || kind === 'requeued')
          spoken.successes = folded(spoken.successes, said);
      }
      const forbidden = parseForbidden(refusalText(entry));
      if (forbidden?.kind !== 'resource' || forbidden.subresource !== 'status') return;
      const { apiGroup, resource, namespace, verb, user } = forbidden;
      const name = forbidden.name ?? entry.key?.name;
      if (name === undefined || (verb !== 'update' && verb !== 'patch')) return;
      const notes = statusOf(apiGroup, resource, namespace, name);
      // An operator logs its error and controller-runtime logs it again: one refusal.
      if (entry.reconcileId !== undefined && notes.lastReconcile === entry.reconcileId) return;
      notes.lastReconcile = entry.reconcileId;
      const refusal = { ...said, text: cut(refusalText(entry)), verb, user };
      notes.log = folded(notes.log, refusal);
      push(notes.allLog, refusal);
    },
    addAudit(fact) {
      const { target, verb, code, stage, user, decision } = fact.entry;
      if (target?.subresource !== 'status' || target.name === '' || stage !== 'ResponseComplete') return;
      if (verb !== 'update' && verb !== 'patch') return;
      const notes = statusOf(target.apiGroup, target.resource, target.namespace, target.name);
      if (code >= 200 && code < 300) {
        notes.audit = undefined;
        notes.log = undefined;
        return;
      }
      if (code !== 403 || (decision !== undefined && decision !== 'forbid')) return;
      const at = fact.entry.at.hi;
      const refusal: Refusal = {
        at,
        precise: true,
        seq: fact.seq,
        text: cut(`403 on ${verb} ${target.resource}/status ${target.namespace}/${target.name}`),
        reconcileId: undefined,
        verb,
        user,
      };
      notes.audit = folded(notes.audit, refusal);
      push(notes.allAudit, refusal);
    },
    errors: (object, controller) => merged(of(object, controller).map(({ errors }) => errors)),
    successes: (object, controller) => merged(of(object, controller).map(({ successes }) => successes)),
    refusals({ group, resource, namespace, name }) {
      const notes = byStatus.get(statusId(group, resource, namespace, name));
      const lists: RefusalList[] = [];
      if (notes?.audit !== undefined) lists.push({ from: 'audit', ...notes.audit });
      if (notes?.log !== undefined) lists.push({ from: 'log', ...notes.log });
      return lists;
    },
    allRefusals({ group, resource, namespace, name }) {
      const notes = byStatus.get(statusId(group, resource, namespace, name));
      const [audit, log] = [notes?.allAudit ?? [], notes?.allLog ?? []];
      return audit.length >= log.length ? { from: 'audit', all: audit } : { from: 'log', all: log };
    },
    lastLineAt(controller, kind) {
      const times = [controller, kind].map((one) => (one === undefined ? undefined : lastLine.get(one)));
      return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);
    },
  };
}

function saidBy(fact: LogFact, text: string): Said {
  return {
    at: wasThere(fact) ? fact.at.lo : lineTime(fact),
    precise: !wasThere(fact) || fact.at.hi - fact.at.lo < 999,
    seq: fact.seq,
    text: cut(text),
    reconcileId: fact.entry.reconcileId,
  };
}

/** In order of time, whatever order the lines were read in. */
function folded<T extends Said>(list: Folded<T> | undefined, one: T): Folded<T> {
  if (list === undefined) return { count: 1, first: one, recent: [one] };
  list.count += 1;
  if (one.at < list.first.at) list.first = one;
  push(list.recent, one);
  return list;
}

function push<T extends Said>(list: T[], one: T): void {
  let index = list.length;
  while (index > 0 && (list[index - 1]?.at ?? 0) > one.at) index--;
  list.splice(index, 0, one);
  if (list.length > kept) list.shift();
}

function merged(lists: readonly (Folded<Said> | undefined)[]): SaidList | undefined {
  const all = lists.filter((one) => one !== undefined);
  const [only] = all;
  if (all.length <= 1) return only;
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    first: all.map(({ first }) => first).reduce((a, b) => (b.at < a.at ? b : a)),
    recent: all
      .flatMap(({ recent }) => recent)
      .sort((a, b) => a.at - b.at)
      .slice(-kept),
  };
}

function remember<V>(map: Map<string, V>, id: string, make: () => V): V {
  let value = map.get(id);
  if (value === undefined) {
    value = make();
    if (map.size >= objectsKept) map.delete(map.keys().next().value ?? '');
  } else map.delete(id);
  map.set(id, value);
  return value;
}

function statusId(group: string, resource: string, namespace: string, name: string): string {
  return [group, resource, namespace, name].join('\0');
}

function cut(text: string): string {
  const line = text.trim();
  return line.length <= textLimit ? line : `${line.slice(0, textLimit)}…`;
}
