/**
 * The ledgers of all objects, and what they give: each write of the operator once, at the key it belongs to. A ledger that
 * something new came to is worked out again as a whole where that can change what it gave before. Pure.
 */
import { structurallyEqual } from '../../shared/contract/rowTable.ts';
import { type ObjectKey, objectKey } from '../../shared/model/ids.ts';
import type { ObjectMeta } from '../../shared/model/kube.ts';
import type { ObjectFact } from '../session/facts.ts';
import type { EvidenceSink } from './evidence.ts';
import type { KeyNames } from './evidenceNames.ts';
import { type ObjectPlace, type Scope, subjectOf } from './evidenceScope.ts';
import type { WatchedWrite } from './evidenceVersions.ts';
import { type AskedWrite, type JoinedWrite, joinWrites } from './evidenceWrites.ts';
import { RunsGoingOn } from './goingOn.ts';
import type { EventEvidence, Evidence, LineEvidence, ReadEvidence, WriteEvidence } from './traceTypes.ts';

/** Placed lines by time and by arrival. */
export interface LineLookup {
  between(lo: number, hi: number): Iterable<LineEvidence>;
  onLine(listener: (line: LineEvidence) => void): void;
}

type Reading = Omit<ReadEvidence, 'controller' | 'key'>;
type AtKey = { readonly controller: string; readonly key: string };

export interface Books {
  /** A version of an object that the operator has a hand in; `write`: it is the operator's own. */
  version(fact: ObjectFact, write: WatchedWrite | undefined, isOwn: boolean): void;
  event(
    fact: ObjectFact,
    write: WatchedWrite,
    about: ObjectPlace,
    make: (place: AtKey) => EventEvidence,
  ): void;
  /** Without a group: the one in which an object of that kind is known by this name. */
  asked(
    object: Omit<ObjectPlace, 'group'> & { readonly group: string | undefined },
    request: AskedWrite,
  ): void;
  reading(object: ObjectPlace, reading: Reading): void;
  /** An object of a For kind is known. */
  reconciled(fact: ObjectFact): void;
  settle(): void;
}

interface Ledger {
  readonly object: ObjectPlace;
  readonly key: ObjectKey;
  meta: ObjectMeta | undefined;
  readonly versions: WatchedWrite[];
  readonly asked: AskedWrite[];
  readonly readings: Reading[];
  readonly others: Set<string>;
  /** Of an Event: what it is about, and what each of its versions says. */
  about: ObjectPlace | undefined;
  readonly events: Map<number, (place: AtKey) => EventEvidence>;
  /** What was given, by what it was made of. */
  readonly given: Map<string, Evidence>;
  /** Versions before this one were given and nothing can change them. */
  settled: number;
  /** Everything is to be worked out again. */
  whole: boolean;
  /** Versions received since may be another controller's. */
  doubtFrom: number;
}

/** Versions of others remembered of one object. */
const othersKept = 2000;
/** A line and the write it names lie this close together, ms. */
const nearMs = 1500;

export function createBooks(scope: Scope, sink: EvidenceSink, lines: LineLookup, names: KeyNames): Books {
  const ledgers = new Map<ObjectKey, Ledger>();
  const dirty = new Set<Ledger>();
  /** Ledgers that wait for an owner, by its key; for a line, by the object's name; for a For object by namespace. */
  const byOwner = new Map<ObjectKey, Set<Ledger>>();
  const byName = new Map<string, Set<Ledger>>();
  const unplaced = new Set<Ledger>();
  /** Ledgers of what several controllers may have written, by the key. */
  const byKey = new Map<string, Set<Ledger>>();
  const going = new RunsGoingOn();
  const isShared = scope.given.controllers.some(
    ({ forKind }) => forKind !== undefined && scope.reconciling(forKind.group, forKind.kind).length > 1,
  );

  lines.onLine((line) => {
    if (isShared && going.add(line))
      for (const ledger of byKey.get(line.key) ?? []) {
        const lo = line.at.lo - nearMs;
        ledger.doubtFrom = Math.min(ledger.doubtFrom, lo);
        dirty.add(ledger);
      }
    if (byName.size === 0) return;
    for (const name of line.names) for (const ledger of byName.get(name) ?? []) redo(ledger);
  });

  function ledgerOf(object: ObjectPlace): Ledger {
    const key = objectKey(object);
    let ledger = ledgers.get(key);
    if (ledger === undefined) {
      const state = scope.given.stateOf(key);
      ledger = {
        // Not the fact it may be: that would stay with all it holds.
        object: { group: object.group, kind: object.kind, namespace: object.namespace, name: object.name },
        key,
        meta: state?.meta,
        versions: [],
        asked: [],
        readings: [],
        others: new Set(),
        about: undefined,
        events: new Map(),
        given: new Map(),
        settled: 0,
        whole: false,
        doubtFrom: Infinity,
      };
      ledgers.set(key, ledger);
    }
    return ledger;
  }

  function redo(ledger: Ledger): void {
    ledger.whole = true;
    dirty.add(ledger);
  }

  function known(key: ObjectKey): void {
    for (const ledger of byOwner.get(key) ?? []) redo(ledger);
    byOwner.delete(key);
  }

  /** What was given of versions in doubt is placed again. */
  function placeAgain(ledger: Ledger): void {
    for (let index = ledger.settled - 1; index >= 0; index -= 1) {
      const version = ledger.versions[index];
      if (version === undefined || version.receivedAt < ledger.doubtFrom) break;
      for (const [id, piece] of pieces(ledger, { version, asked: undefined, outcome: 'stored' })) {
        const before = ledger.given.get(id);
        if (before === undefined || structurallyEqual(before, piece)) continue;
        sink.remove(before);
        ledger.given.set(id, piece);
        sink.add(piece);
      }
    }
  }

  function settleLedger(ledger: Ledger): void {
    if (ledger.doubtFrom < Infinity) {
      if (ledger.asked.length > 0 || ledger.readings.length > 0) ledger.whole = true;
      if (!ledger.whole) placeAgain(ledger);
      ledger.doubtFrom = Infinity;
    }
    if (!ledger.whole && ledger.asked.length === 0 && ledger.readings.length === 0) {
      for (const version of ledger.versions.slice(ledger.settled)) {
        if (!version.signed) {
          ledger.whole = true;
          break;
        }
        for (const [id, piece] of pieces(ledger, { version, asked: undefined, outcome: 'stored' })) {
          ledger.given.set(id, piece);
          sink.add(piece);
        }
      }
      ledger.settled = ledger.versions.length;
      if (!ledger.whole) return;
    }
    ledger.whole = false;
    ledger.settled = ledger.versions.length;
    const now = new Map<string, Evidence>();
    const joined = joinWrites({
      versions: ledger.versions,
      asked: ledger.asked,
      others: ledger.others,
      watched: isWatched(ledger),
    });
    for (const one of joined) for (const [id, piece] of pieces(ledger, one)) now.set(id, piece);
    for (const reading of ledger.readings) {
      const place = placeOf(ledger, undefined, undefined, reading.at.lo, reading.at.hi);
      if (place !== undefined)
        now.set(`r${reading.seq}`, { ...reading, controller: place.controller, key: place.key });
    }
    for (const [id, piece] of ledger.given) {
      const next = now.get(id);
      if (next !== undefined && structurallyEqual(next, piece)) {
        now.set(id, piece);
        continue;
      }
      sink.remove(piece);
    }
    for (const [id, piece] of now) if (ledger.given.get(id) !== piece) sink.add(piece);
    ledger.given.clear();
    for (const [id, piece] of now) ledger.given.set(id, piece);
  }

  /** Its versions are seen, so that one the operator made would be among them. */
  function isWatched(ledger: Ledger): boolean {
    return ledger.versions.length > 0 || scope.given.stateOf(ledger.key) !== undefined;
  }

  function* pieces(ledger: Ledger, joined: JoinedWrite): Generator<readonly [string, Evidence]> {
    const { version, asked, outcome } = joined;
    const first = version ?? asked;
    if (first === undefined) return;
    const at = asked?.at ?? version?.at ?? { lo: first.receivedAt, hi: first.receivedAt };
    const manager = version?.manager ?? asked?.manager;
    const place =
      asked?.place === undefined
        ? placeOf(ledger, manager, joined, at.lo, at.hi)
        : { ...asked.place, by: 'reconcileID' as const };
    if (asked === undefined && version?.signed === false) {
      // Nobody signs a deletion: a line of the operator has to say it.
      const line = deletionLine(ledger, version);
      if (line === undefined) return;
      yield [`v${version.seq}`, writeEvidence(ledger, joined, { ...line, by: 'line' })];
      return;
    }
    // A stored Event is told as what it says: one record, one place.
    const event = version === undefined ? undefined : ledger.events.get(version.seq);
    if (event !== undefined && place !== undefined && outcome === 'stored') {
      yield [`e${version?.seq}`, event({ controller: place.controller, key: place.key })];
      return;
    }
    const id = version === undefined ? `a${asked?.seq}` : `v${version.seq}`;
    yield [id, writeEvidence(ledger, joined, place)];
  }

  function writeEvidence(
    ledger: Ledger,
    { version, asked, outcome }: JoinedWrite,
    place: (AtKey & { readonly by: WriteEvidence['by'] }) | undefined,
  ): WriteEvidence {
    const seq = version?.seq ?? asked?.seq;
    const source = asked?.source ?? version?.source;
    if (seq === undefined || source === undefined) throw new Error('a write that nothing tells of');
    const resourceVersion = version?.resourceVersion ?? asked?.resourceVersion;
    const before = version?.before ?? asked?.requestVersion;
    const manager = version?.manager ?? asked?.manager;
    const name = ledger.object.name === '' ? (nameIn(asked?.message) ?? '') : ledger.object.name;
    const own = name === ledger.object.name;
    const refusal = outcome === 'stored' || outcome === 'noChange' ? undefined : asked?.message;
    return {
      evidence: 'write',
      seq,
      source,
      at: asked?.at ?? version?.at ?? { lo: 0, hi: 0 },
      receivedAt: version?.receivedAt ?? asked?.receivedAt ?? 0,
      ownClock: asked !== undefined || version?.ownClock === true,
      controller: place?.controller ?? '',
      key: place?.key ?? '',
      by: place?.by ?? 'self',
      basis:
        asked === undefined
          ? { kind: 'inferred', by: version?.signed === false ? 'line' : 'managedFields', because: [seq] }
          : asked.from === 'audit'
            ? { kind: 'observed', from: 'audit' }
            : { kind: 'reported', from: 'log' },
      write: {
        ...(name === '' ? {} : { object: own ? ledger.key : objectKey({ ...ledger.object, name }) }),
        subject: subjectOf(own ? ledger.object : { ...ledger.object, name }),
        verb: version?.verb === 'apply' ? 'apply' : (asked?.verb ?? version?.verb ?? 'update'),
        subresource: asked?.subresource ?? version?.subresource ?? '',
        ...(before === undefined ? {} : { before }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        ...(manager === undefined ? {} : { manager }),
        outcome,
        ...(asked === undefined || asked.code === 0 ? {} : { code: asked.code }),
        ...(refusal === undefined ? {} : { message: refusal }),
        fields: [],
        changes: 0,
      },
    };
  }

  function placeOf(
    ledger: Ledger,
    manager: string | undefined,
    joined: JoinedWrite | undefined,
    lo: number,
    hi: number,
  ): (AtKey & { readonly by: WriteEvidence['by'] }) | undefined {
    const object = ledger.about ?? ledger.object;
    const meta =
      ledger.about === undefined ? ledger.meta : scope.given.stateOf(objectKey(ledger.about))?.meta;
    const asOwner =
      ledger.about === undefined &&
      (joined?.version?.asOwner ?? (joined?.asked?.verb === 'create' || joined?.asked?.verb === 'delete'));
    const { placed, rivals, waitsFor } = scope.place(object, meta, { manager, asOwner });
    for (const owner of waitsFor) wait(byOwner, owner, ledger);
    if (ledger.about !== undefined && meta === undefined) wait(byOwner, objectKey(ledger.about), ledger);
    if (placed !== undefined && rivals.length > 0) {
      // Whose run was going on is told by lines that may come later.
      wait(byKey, placed.key, ledger);
      const controllers = [placed, ...rivals].map(({ controller }) => controller);
      const writer = going.writerOf(controllers, placed.key, object.name, hi);
      return [placed, ...rivals].find(({ controller }) => controller === writer) ?? placed;
    }
    if (placed !== undefined) return placed;
    const name = object.name === '' ? (nameIn(joined?.asked?.message) ?? '') : object.name;
    wait(byName, name, ledger);
    const named = lineNaming(object.namespace, name, lo, hi, undefined);
    if (named !== undefined) return { ...named, by: 'line' };
    // What only a request tells of has no owner to look at: named after its key, as generated names are.
    if (joined?.asked === undefined && joined !== undefined) return undefined;
    unplaced.add(ledger);
    const named1 = names.find(object.namespace, name);
    return named1 === undefined ? undefined : { ...named1, by: 'audit' };
  }

  function lineNaming(
    namespace: string,
    name: string,
    lo: number,
    hi: number,
    says: RegExp | undefined,
  ): AtKey | undefined {
    if (name === '') return undefined;
    let found: AtKey | undefined;
    for (const line of lines.between(lo - nearMs, hi + nearMs)) {
      if (!line.names.includes(name) || (says !== undefined && !says.test(line.text))) continue;
      const slash = line.key.lastIndexOf('/');
      if (namespace !== '' && slash >= 0 && line.key.slice(0, slash) !== namespace) {
        if (!line.names.includes(`${namespace}/${name}`)) continue;
      }
      if (found !== undefined && (found.controller !== line.controller || found.key !== line.key))
        return undefined;
      found = { controller: line.controller, key: line.key };
    }
    return found;
  }

  function deletionLine(ledger: Ledger, version: WatchedWrite): AtKey | undefined {
    const { namespace, name } = ledger.object;
    wait(byName, name, ledger);
    const { receivedAt } = version;
    return lineNaming(namespace, name, Math.min(version.at.lo, receivedAt), receivedAt, deletes);
  }

  return {
    version(fact, write, isOwn) {
      known(fact.key);
      if (write === undefined) {
        const ledger = ledgers.get(fact.key);
        if (ledger === undefined) return;
        ledger.meta = fact.meta;
        // Listed again, or a deletion that nobody signs: not another's version of what is there.
        if (ledger.versions.at(-1)?.resourceVersion === fact.resourceVersion) return;
        if (ledger.others.size < othersKept) ledger.others.add(fact.resourceVersion);
        if (ledger.asked.length > 0) redo(ledger);
        return;
      }
      // Somebody deleted what the operator has no hand in: nothing will tell that it was the operator.
      if (!write.signed && !isOwn && !ledgers.has(fact.key)) return;
      const ledger = ledgerOf(fact);
      const owners = ledger.meta?.ownerReferences;
      ledger.meta = fact.meta;
      if (write.before !== undefined && ledger.versions.length === 0) ledger.others.add(write.before);
      ledger.versions.push(write);
      if (owners?.length !== fact.meta.ownerReferences?.length && ledger.versions.length > 1)
        ledger.whole = true;
      dirty.add(ledger);
    },
    event(fact, write, about, make) {
      const ledger = ledgerOf(fact);
      ledger.about = about;
      ledger.versions.push(write);
      ledger.events.set(write.seq, make);
      dirty.add(ledger);
    },
    asked(object, request) {
      const group = object.group ?? groupOfKind(object);
      const ledger = ledgerOf({ ...object, group });
      ledger.asked.push(request);
      redo(ledger);
    },
    reading(object, reading) {
      const ledger = ledgerOf(object);
      ledger.readings.push(reading);
      redo(ledger);
    },
    reconciled(fact) {
      known(fact.key);
      const controllers = scope.reconciling(fact.group, fact.kind).map(({ name }) => name);
      if (!names.add(fact.namespace, fact.name, controllers)) return;
      for (const ledger of unplaced)
        if (fact.namespace === '' || ledger.object.namespace === fact.namespace) redo(ledger);
    },
    settle() {
      for (const ledger of dirty) settleLedger(ledger);
      dirty.clear();
    },
  };

  /** The probe names kinds alone; the group is that of an object by this kind and name. */
  function groupOfKind(object: Omit<ObjectPlace, 'group'>): string {
    for (const groupKind of kindsByName(object.kind)) {
      const group = groupKind.slice(0, groupKind.lastIndexOf('/'));
      if (scope.given.stateOf(objectKey({ ...object, group })) !== undefined) return group;
    }
    return kindsByName(object.kind)[0]?.split('/')[0] ?? '';
  }

  function kindsByName(kind: string): readonly string[] {
    const found = new Set<string>();
    for (const { forKind, kinds } of scope.given.controllers) {
      if (forKind?.kind === kind) found.add(`${forKind.group}/${kind}`);
      for (const one of kinds) if (one.endsWith(`/${kind}`)) found.add(one);
    }
    return [...found];
  }
}

const deletes = /\b(delet|remov|prun|clean|terminat)/i;

function wait<K>(waiting: Map<K, Set<Ledger>>, key: K, ledger: Ledger): void {
  const list = waiting.get(key);
  if (list === undefined) waiting.set(key, new Set([ledger]));
  else list.add(ledger);
}

/** The object that a refusal names: `secrets "cart-flpnk" is forbidden: …`. */
function nameIn(message: string | undefined): string | undefined {
  return /^\S+ "([^"]+)" /.exec(message ?? '')?.[1];
}
