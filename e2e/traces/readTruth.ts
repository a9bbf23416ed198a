/**
 * Truth from `ground.json`. A run of the test bed says key, controller and reconcileID of each write itself. Of a handed
 * recording they follow from ownership, as control loops are built: what has a custom kind is reconciled under its own name,
 * what is owned by one is written for its owner, an Event for the object it is about.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeJson } from '../testbed/kubeClient.ts';
import type { Ground, GroundWrite } from './ground.ts';
import type { QueueTotals, TrueError, TrueWrite, Truth } from './truth.ts';
import type { WatchedEvent } from './watchAll.ts';

/** Of a run's folder; undefined where it has no `ground.json`, so that nothing can be scored. */
export function readTruth(folder: string): Truth | undefined {
  const path = join(folder, 'ground.json');
  if (!existsSync(path)) return undefined;
  const ground = JSON.parse(readFileSync(path, 'utf8')) as Ground;
  const owners = ownership(join(folder, 'watch.jsonl'));
  const reconciles = new Map(
    Object.entries(ground.reconciles).map(([name, results]) => [name, reconcilesOf(results)]),
  );
  const writes: TrueWrite[] = [];
  let unseen = 0;
  let keyless = 0;
  for (const [subject, all] of Object.entries(ground.writes)) {
    if (/^(Lease|TokenReview|SubjectAccessReview)\//.test(subject)) continue;
    for (const write of all) {
      const place = write.key === undefined ? owners.placeOf(subject, write.verb) : write;
      if (place?.key === undefined) keyless += 1;
      else if (write.noChange || (write.resourceVersion === null && write.verb !== 'delete')) unseen += 1;
      else
        writes.push(trueWrite(subject, write, { key: place.key, ...controllerOf(write, place, reconciles) }));
    }
  }
  const queues = new Map(
    Object.entries(ground.queues).map(([name, one]): [string, QueueTotals] => [
      name,
      { adds: one.adds_total ?? 0, retries: one.retries_total ?? 0, depth: one.depth ?? 0 },
    ]),
  );
  return {
    run: ground.run,
    writes: writes.sort((a, b) => a.at - b.at),
    unseen,
    keyless,
    ...(ground.spans === undefined ? {} : { spans: ground.spans }),
    errors: ground.errors ?? errorsOf(ground),
    reconciles,
    queues,
    ...scrapeTime(folder, ground, queues),
    window: { from: Date.parse(ground.window.from), to: Date.parse(ground.window.to) },
  };
}

/** The last scrape; of a handed recording the newest file of one tells when, to the second. */
function scrapeTime(
  folder: string,
  ground: Ground,
  queues: ReadonlyMap<string, QueueTotals>,
): Pick<Truth, 'scraped'> {
  if (queues.size === 0) return {};
  if (ground.scrapedAt !== undefined) {
    const hi = Date.parse(ground.scrapedAt);
    return { scraped: { lo: Date.parse(ground.scrapedFrom ?? ground.scrapedAt), hi } };
  }
  const stamps = readdirSync(folder).flatMap((name) => /^metrics-(\d{8}T\d{6}Z)\.txt$/.exec(name)?.[1] ?? []);
  const newest = stamps.sort().at(-1);
  const parts = newest === undefined ? null : /^(....)(..)(..)T(..)(..)(..)Z$/.exec(newest);
  if (parts === null) return {};
  const [, year, month, day, hour, minute, second] = parts;
  const lo = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return { scraped: { lo, hi: lo + 999 } };
}

function trueWrite(
  subject: string,
  write: GroundWrite,
  place: Pick<TrueWrite, 'key' | 'controller' | 'kind'>,
): TrueWrite {
  return {
    at: Date.parse(write.at),
    subject,
    verb: write.verb,
    subresource: write.subresource,
    resourceVersion: write.resourceVersion ?? '',
    ...place,
    ...(write.reconcileID === undefined ? {} : { reconcileId: write.reconcileID }),
  };
}

/** controller-runtime names a controller after its kind; where another framework counts others, the kind alone is known. */
function controllerOf(
  write: GroundWrite,
  place: Place | GroundWrite,
  reconciles: ReadonlyMap<string, number>,
): Pick<TrueWrite, 'controller' | 'kind'> {
  if (write.controller !== undefined) return { controller: write.controller };
  if (!('kind' in place)) return {};
  const kind = place.kind.toLowerCase();
  return reconciles.size === 0 || reconciles.has(kind) ? { controller: kind } : { kind };
}

/** Every result is a reconcile; frameworks without results count calls. */
function reconcilesOf(results: Readonly<Record<string, number>>): number {
  const calls = Object.entries(results).find(([name]) => name.endsWith('sync_call_count'));
  return calls?.[1] ?? Object.values(results).reduce((sum, one) => sum + one, 0);
}

/** Errors by key: `Kind/namespace/name` of controller-runtime; other frameworks' log names no key. */
function errorsOf(ground: Ground): readonly TrueError[] {
  return Object.entries(ground.reconcileErrors).flatMap(([name, { at }]) => {
    const parts = name.includes('|') ? undefined : name.split('/');
    return at.map((text): TrueError => {
      const lo = Date.parse(text);
      const place =
        parts === undefined
          ? {}
          : { key: keyOf(parts[1], parts[2] ?? ''), controller: (parts[0] ?? '').toLowerCase() };
      // The log's own resolution: whole seconds, or fractions of it.
      return { lo, hi: lo + (at.every((one) => one.endsWith('.000Z')) ? 999 : 1), ...place };
    });
  });
}

interface Place {
  readonly key: string;
  readonly kind: string;
}

interface Ownership {
  placeOf(subject: string, verb: string): Place | undefined;
}

interface OwnerRef {
  readonly kind: string;
  readonly name: string;
  readonly controller?: boolean;
}

function ownership(watchPath: string): Ownership {
  const newest = new Map<string, KubeJson>();
  const reconciled = new Set<string>();
  for (const line of readFileSync(watchPath, 'utf8').split('\n')) {
    if (line === '') continue;
    const { type, object } = JSON.parse(line) as WatchedEvent;
    if (type === 'BOOKMARK') continue;
    newest.set(subjectOf(object), object);
    if (object.kind === 'CustomResourceDefinition') {
      const names = (object.spec as { names?: { kind?: string } } | undefined)?.names;
      if (names?.kind !== undefined) reconciled.add(names.kind);
    }
  }
  const owned = (subject: string): Place | undefined => {
    const [kind = '', namespace = '', name = ''] = subject.split('/');
    const refs = newest.get(subject)?.metadata?.ownerReferences as readonly OwnerRef[] | undefined;
    const owner = refs?.find(({ controller }) => controller) ?? refs?.[0];
    if (owner !== undefined) {
      const above = owned(`${owner.kind}/${namespace}/${owner.name}`);
      if (above !== undefined) return above;
    }
    return reconciled.has(kind) ? { kind, key: keyOf(namespace, name) } : undefined;
  };
  return {
    placeOf(subject, verb) {
      const [kind = '', namespace = '', name = ''] = subject.split('/');
      const object = newest.get(subject);
      if (kind === 'Event') {
        const about = (object?.regarding ?? object?.involvedObject) as OwnerRef | undefined;
        if (about === undefined) return undefined;
        const place = `${about.kind}/${namespace}/${about.name}`;
        return reconciled.has(about.kind)
          ? { kind: about.kind, key: keyOf(namespace, about.name) }
          : owned(place);
      }
      if (verb !== 'create' && reconciled.has(kind)) return { kind, key: keyOf(namespace, name) };
      return owned(subject);
    },
  };
}

function subjectOf({ kind, metadata }: KubeJson): string {
  return `${kind}/${metadata?.namespace ?? '-'}/${metadata?.name}`;
}

function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' || namespace === '-' ? name : `${namespace}/${name}`;
}
