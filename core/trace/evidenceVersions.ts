/**
 * What one version of an object tells of its writer: the managedFields entry that moved. Two writes within one second do
 * not move a time stamp; then the values that changed settle it. A deletion is signed by nobody. Pure.
 */
import type { Writer } from '../../shared/contract/views/objects.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { TraceWrite, Within } from '../../shared/model/trace.ts';
import { managedEntries, writersOf } from '../objects/managedFields.ts';
import type { ObjectFact } from '../session/facts.ts';
import { movedEntries, type Scope, statedTime, type VersionChange } from './evidenceScope.ts';

/** A write of the operator as a watch shows it. */
export interface WatchedWrite {
  readonly seq: ObjectFact['seq'];
  readonly source: ObjectFact['source'];
  readonly receivedAt: number;
  readonly at: Within;
  readonly ownClock: boolean;
  readonly verb: TraceWrite['verb'];
  readonly subresource: string;
  readonly resourceVersion: string;
  readonly before: string | undefined;
  readonly manager: string | undefined;
  /** It makes the object or changes its spec. */
  readonly asOwner: boolean;
  /** False: that somebody deleted it is all that is known. */
  readonly signed: boolean;
  /** An Event: how often it happened by this version. */
  readonly again: boolean;
}

export interface VersionTold {
  /** Whoever made the version, where managedFields tell. */
  readonly writer:
    | { readonly manager: string; readonly subresource: string; readonly own: boolean }
    | undefined;
  readonly write: WatchedWrite | undefined;
}

/** Finalizers that the garbage collector sets and takes off. */
const collectorsOwn: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);

const nothing: VersionTold = { writer: undefined, write: undefined };

/** `read` gives the object of a record; it is asked for where time stamps alone do not tell. */
export function tellVersion(
  change: VersionChange,
  scope: Scope,
  read: (seq: number) => KubeObject | undefined,
): VersionTold {
  const { fact } = change.now;
  const before = change.before?.deleted === true ? undefined : change.before?.fact;
  const isAnother = before !== undefined && before.uid !== fact.uid;
  const older = isAnother ? undefined : before;
  switch (fact.op) {
    case 'listed':
      return nothing;
    case 'deleted':
    case 'vanished':
      return older === undefined ? nothing : { writer: undefined, write: deletion(fact, older, scope) };
    case 'added':
    case 'modified':
    case 'relisted':
      if (fact.initial && older === undefined) return nothing;
      if (older?.resourceVersion === fact.resourceVersion) return nothing;
      return older === undefined ? creation(fact, scope) : modification(fact, older, scope, read);
  }
}

function toldBy(entry: Writer, scope: Scope): NonNullable<VersionTold['writer']> {
  return { manager: entry.manager, subresource: entry.subresource ?? '', own: scope.isOwn(entry.manager) };
}

function writeOf(
  fact: ObjectFact,
  older: ObjectFact | undefined,
  entry: Writer,
  verb: TraceWrite['verb'],
): WatchedWrite {
  const stated = lateTime(fact, statedTime(entry.time));
  const createdOrSpec =
    older === undefined ||
    (fact.meta.generation !== older.meta.generation &&
      fact.meta.deletionTimestamp === older.meta.deletionTimestamp);
  return {
    seq: fact.seq,
    source: fact.source,
    receivedAt: fact.receivedAt,
    at: stated ?? { lo: fact.receivedAt, hi: fact.receivedAt },
    ownClock: stated !== undefined,
    verb,
    subresource: entry.subresource ?? '',
    resourceVersion: fact.resourceVersion,
    before: older?.resourceVersion,
    manager: entry.manager,
    asOwner: createdOrSpec && (entry.subresource ?? '') === '',
    signed: true,
    again: older !== undefined,
  };
}

/** A watch that keeps up tells of a write within this time, ms. */
const keepsUpMs = 5000;

/**
 * What the version itself states of its time, where our receipt does not tell it better: an event of a watch that keeps up comes
 * some ms after the write, while time stamps have whole seconds. After a relist, or long after, the time stamp is what there is.
 */
function lateTime(fact: ObjectFact, stated: Within | undefined): Within | undefined {
  if (stated === undefined || fact.op === 'relisted') return stated;
  return fact.receivedAt - stated.hi > keepsUpMs || fact.receivedAt < stated.lo - keepsUpMs
    ? stated
    : undefined;
}

/** A watch told of the creation. Whoever else signed it did so in the same request, or before we saw the first version. */
function creation(fact: ObjectFact, scope: Scope): VersionTold {
  const own = fact.writers.filter((entry) => (entry.subresource ?? '') === '' && scope.isOwn(entry.manager));
  const others = fact.writers.some(
    (entry) => (entry.subresource ?? '') === '' && !scope.isOwn(entry.manager),
  );
  const [entry] = own;
  if (entry === undefined || others) {
    const [first] = fact.writers;
    return { writer: first && toldBy(first, scope), write: undefined };
  }
  const isNew = fact.op === 'added';
  const verb = entry.operation === 'Apply' ? 'apply' : isNew ? 'create' : 'update';
  return { writer: toldBy(entry, scope), write: writeOf(fact, undefined, entry, verb) };
}

function modification(
  fact: ObjectFact,
  older: ObjectFact,
  scope: Scope,
  read: (seq: number) => KubeObject | undefined,
): VersionTold {
  if (fact.meta.deletionTimestamp !== undefined && older.meta.deletionTimestamp === undefined)
    return { writer: undefined, write: unsigned(fact, older) };
  const moved = movedEntries(older.writers, fact.writers);
  const entry = latest(moved, scope) ?? sameSecond(fact, older, scope, read);
  if (entry === undefined) return nothing;
  const writer = toldBy(entry, scope);
  return { writer, write: writer.own ? writeOf(fact, older, entry, verbOf(fact, entry)) : undefined };
}

/** Of several entries that moved (a version between was not seen) the one that wrote last made this version. */
function latest(moved: readonly Writer[], scope: Scope): Writer | undefined {
  let found: Writer | undefined;
  for (const entry of moved) {
    const [time, best] = [entry.time ?? '', found?.time ?? ''];
    if (found === undefined || time > best || (time === best && scope.isOwn(entry.manager))) found = entry;
  }
  return found;
}

/** client-go's recorders patch the Events they repeat. */
function verbOf(fact: ObjectFact, entry: Writer): TraceWrite['verb'] {
  if (entry.operation === 'Apply') return 'apply';
  return fact.kind === 'Event' ? 'patch' : 'update';
}

/** How far before our receipt a write may have happened that left its time stamp as it was, ms. */
const recentMs = 3000;

/**
 * No time stamp moved: written within the second of its writer's write before, or fields were only taken away. Entries of
 * the newest second are the candidates; where others than the operator are among them, the values decide.
 */
function sameSecond(
  fact: ObjectFact,
  older: ObjectFact,
  scope: Scope,
  read: (seq: number) => KubeObject | undefined,
): Writer | undefined {
  if (!fact.writers.some(({ manager }) => scope.isOwn(manager))) return undefined;
  const newest = newestOf(fact.writers);
  const [first] = newest;
  const at = statedTime(first?.time);
  if (at === undefined) return undefined;
  const isRecent = at.hi >= fact.receivedAt - recentMs;
  if (isRecent && newest.length === 1) return first;
  const [was, is] = [read(older.seq), read(fact.seq)];
  if (was === undefined || is === undefined)
    return isRecent && newest.every(({ manager }) => scope.isOwn(manager)) ? first : undefined;
  const [found] = writersOf(was, is);
  return found ?? shrunk(was, is);
}

/** The one entry that owns less than before; undefined where none does, or several do. */
function shrunk(older: KubeObject, newer: KubeObject): Writer | undefined {
  const before = new Map(managedEntries(older).map((entry) => [entry.id, entry.raw]));
  const less = managedEntries(newer).filter(({ id, raw }) => {
    const was = before.get(id);
    return was !== undefined && was !== raw;
  });
  return less.length === 1 ? less[0]?.writer : undefined;
}

function newestOf(writers: readonly Writer[]): readonly Writer[] {
  let time = '';
  for (const entry of writers) if ((entry.time ?? '') > time) time = entry.time ?? '';
  return time === '' ? [] : writers.filter((entry) => entry.time === time);
}

function unsigned(fact: ObjectFact, older: ObjectFact): WatchedWrite {
  const stated = fact.op === 'modified' ? lateTime(fact, statedTime(fact.meta.deletionTimestamp)) : undefined;
  return {
    ...writeOf(fact, older, { manager: '', operation: 'Update' }, 'delete'),
    at: stated ?? { lo: fact.receivedAt, hi: fact.receivedAt },
    ownClock: stated !== undefined,
    manager: undefined,
    asOwner: true,
    signed: false,
  };
}

/**
 * The object is gone. Where it was being deleted and waited for finalizers of the operator alone, taking off the last of
 * them removed it; everything else may be anybody's doing.
 */
function deletion(fact: ObjectFact, older: ObjectFact, scope: Scope): WatchedWrite | undefined {
  const finalizers = older.meta.finalizers ?? [];
  if (older.meta.deletionTimestamp === undefined) return unsigned(fact, older);
  const isOwn = scope.reconciling(fact.group, fact.kind).some(({ forKind }) => forKind?.group.includes('.'));
  const waited = finalizers.length > 0 && finalizers.every((name) => isOwnFinalizer(name, fact.group));
  if (!isOwn || !waited || fact.op !== 'deleted') return undefined;
  const entry = older.writers.find(
    ({ manager, subresource }) => (subresource ?? '') === '' && scope.isOwn(manager),
  );
  if (entry === undefined) return undefined;
  return {
    ...writeOf(fact, older, { ...entry, time: undefined }, 'update'),
    asOwner: false,
  };
}

/** Named after the API group of the kind, by its last two labels; never the garbage collector's. */
function isOwnFinalizer(name: string, group: string): boolean {
  if (collectorsOwn.has(name)) return false;
  return name.includes(group.split('.').slice(-2).join('.'));
}
