/**
 * What the page of an object reads of a session log, folded as it grows: the versions of the objects somebody looks at, and
 * what log and audit say of single objects. Nothing is folded twice; a log that has become shorter (a recording that was
 * wound back) is read anew.
 */
import type { ObjectKey } from '../../shared/model/ids.ts';
import { recordSeq } from '../../shared/model/ids.ts';
import type { Fact } from '../session/facts.ts';
import type { SessionLog } from '../session/record.ts';
import { recoveries, type Usual, usualOf } from '../why/conditionTracks.ts';
import { createKeyNotes, type KeyNotes } from '../why/keyNotes.ts';
import { createVersionFold, type VersionFold, type VersionNote } from '../why/versions.ts';
import type { ObjectIndex } from './objectIndex.ts';
import { parse } from './objectViews.ts';

interface LogFolds {
  keyNotes: KeyNotes;
  /** Records up to here are in `keyNotes`. */
  upTo: number;
  readonly versions: Map<ObjectKey, { readonly fold: VersionFold; done: number }>;
  readonly usual: Map<string, { readonly at: number; readonly value: ReadonlyMap<string, Usual> }>;
}

/** Objects whose versions are kept folded: those on screen, and the ones looked at before. */
const objectsFolded = 24;

/** Of a long history the newest versions are read: each takes a fraction of a millisecond, and the engine must go on. */
const foldedAtOnce = 1000;

const folds = new WeakMap<SessionLog, LogFolds>();

function foldsOf(log: SessionLog): LogFolds {
  let found = folds.get(log);
  if (found === undefined) {
    found = { keyNotes: createKeyNotes(), upTo: 0, versions: new Map(), usual: new Map() };
    folds.set(log, found);
  }
  return found;
}

/** What log and audit say of single objects, up to the newest record. */
export function keyNotesOf(log: SessionLog): KeyNotes {
  const found = foldsOf(log);
  const { records } = log.stats();
  if (records < found.upTo) {
    found.keyNotes = createKeyNotes();
    found.upTo = 0;
  }
  if (records === found.upTo) return found.keyNotes;
  const range = { from: recordSeq(found.upTo + 1), to: recordSeq(records), kinds: ['log', 'audit'] } as const;
  for (const { seq } of log.heads(range))
    for (const fact of (log.facts(seq) ?? []) as readonly Fact[]) {
      if (fact.fact === 'log') found.keyNotes.addLog(fact);
      else if (fact.fact === 'audit') found.keyNotes.addAudit(fact);
    }
  found.upTo = records;
  return found.keyNotes;
}

/** The versions of one object, oldest first. */
export function versionsOf(log: SessionLog, key: ObjectKey): readonly VersionNote[] {
  const { versions } = foldsOf(log);
  const seqs = log.historyOf(key);
  let known = versions.get(key);
  if (known === undefined || known.done > seqs.length)
    known = { fold: createVersionFold(), done: Math.max(0, seqs.length - foldedAtOnce) };
  versions.delete(key);
  versions.set(key, known);
  if (versions.size > objectsFolded) versions.delete(versions.keys().next().value as ObjectKey);
  for (; known.done < seqs.length; known.done++) {
    const seq = seqs[known.done];
    const head = seq === undefined ? undefined : log.head(seq);
    if (seq === undefined || head?.kind !== 'object') continue;
    known.fold.add(head, parse(log, seq));
  }
  return known.fold.notes();
}

/** How many versions of others are read at most: enough to say what is usual, few enough to be read in one go. */
const othersRead = { objects: 300, versions: 1500 };
const usualEveryMs = 10_000;

/** How long other objects of the kind took to become what they should be, per condition type. */
export function usualOfKind(
  log: SessionLog,
  index: ObjectIndex,
  about: { readonly group: string; readonly kind: string; readonly except: ObjectKey },
  now: number,
): ReadonlyMap<string, Usual> {
  const { usual } = foldsOf(log);
  const known = usual.get(about.except);
  if (known !== undefined && Math.abs(now - known.at) < usualEveryMs) return known.value;
  const found: { type: string; ms: number }[] = [];
  let objects = 0;
  let read = 0;
  for (const { fact, versions } of index.ofKind(about.group, about.kind)) {
    if (fact.key === about.except || versions < 2) continue;
    if (++objects > othersRead.objects || read > othersRead.versions) break;
    const seqs = log.historyOf(fact.key).slice(-60);
    read += seqs.length;
    const seen = seqs.flatMap((seq) => {
      const version = (log.facts(seq) as readonly Fact[] | undefined)?.[0];
      return version?.fact === 'object' && !version.metadataOnly
        ? [{ at: version.at.hi, conditions: version.conditions }]
        : [];
    });
    found.push(...recoveries(seen));
  }
  const value = usualOf(found);
  usual.set(about.except, { at: now, value });
  if (usual.size > objectsFolded) usual.delete(usual.keys().next().value ?? '');
  return value;
}
