/** informer: a SharedInformer with its Reflector against a scripted server, on virtual time. */
import { createBackoff } from '../../../core/informer/backoff.ts';
import {
  createSharedInformer,
  type Notification,
  type SharedInformer,
} from '../../../core/informer/sharedInformer.ts';
import type { ListOptions, WatchOptions } from '../../../core/source/listerWatcher.ts';
import { FakeClock } from '../../../core/testing/fakeClock.ts';
import {
  type ScriptedFailure,
  type ScriptedItem,
  type ScriptedRequest,
  ScriptedResource,
} from '../../../core/testing/scriptedResource.ts';
import { compare, type Mismatch, ns } from '../mismatch.ts';

interface Line {
  readonly id: string;
  readonly mode: 'list' | 'watchlist';
  readonly resyncNs: string;
  readonly goneAt: 'event' | 'open';
  readonly initial?: Readonly<Record<string, string>>;
  readonly startRV: number;
  readonly ops: readonly Op[];
}

interface Op {
  readonly op: string;
  readonly key?: string;
  readonly handler?: string;
  readonly resyncNs?: string;
  readonly kind?: string;
  readonly n?: number;
  readonly forNs?: string;
  readonly requests?: unknown;
  readonly notifications?: readonly Seen[];
  readonly store?: unknown;
  readonly lastSyncRV?: string;
  readonly hasSynced?: boolean;
}

/** A notification in the words of the vectors. */
interface Seen {
  readonly handler: string;
  readonly type: 'add' | 'update' | 'delete';
  readonly key: string;
  readonly isInInitialList?: boolean;
  readonly deletedFinalStateUnknown?: boolean;
  readonly oldRV?: string;
  readonly newRV?: string;
  readonly oldUID?: string;
  readonly newUID?: string;
}

const pauseMs = 300_000;
const pauseWithResyncMs = 1000;

export async function replay(line: unknown): Promise<readonly Mismatch[]> {
  const script = line as Line;
  const clock = new FakeClock();
  const server = new ScriptedResource({ version: script.startRV, uids: 0 });
  server.goneAt = script.goneAt;
  seed(server, script);
  const resyncMs = ms(script.resyncNs);
  const random = generator(1);
  const informer = createSharedInformer<ScriptedItem>({
    listerWatcher: server,
    clock,
    random,
    backoff: createBackoff({ clock, random }),
    mode: script.mode,
    resyncPeriodMs: resyncMs,
  });
  const mismatches: Mismatch[] = [];
  let seen: Seen[] = [];
  const told = (handler: string) => (notification: Notification<ScriptedItem>) => {
    seen.push(inWords(handler, notification));
  };
  for (const [index, op] of script.ops.entries()) {
    seen = [];
    server.requests.length = 0;
    run(op, server, informer, told);
    await clock.advance(op.op === 'sleep' ? ms(op.forNs) : 0);
    await clock.advance(resyncMs > 0 ? pauseWithResyncMs : pauseMs);
    const at = { id: script.id, op: index };
    compare(mismatches, { ...at, what: 'requests' }, op.requests ?? [], foldRequests(server.requests));
    const arrange = isReplacedAgain(server.requests) ? byKey : settle;
    compare(mismatches, { ...at, what: 'notifications' }, arrange(op.notifications ?? []), arrange(seen));
    compare(mismatches, { ...at, what: 'store' }, op.store ?? {}, storeOf(informer));
    compare(mismatches, { ...at, what: 'lastSyncRV' }, op.lastSyncRV ?? '', informer.lastSyncResourceVersion);
    compare(mismatches, { ...at, what: 'hasSynced' }, op.hasSynced ?? false, informer.hasSynced);
  }
  informer.dispose();
  await clock.advance(pauseMs);
  compare(
    mismatches,
    { id: script.id, what: 'timers and watches left after dispose' },
    0,
    clock.pendingTimers + server.openWatches,
  );
  return mismatches;
}

/** Objects in order of their versions; the sequence then stands at startRV. */
function seed(server: ScriptedResource, script: Line): void {
  const initial = Object.entries(script.initial ?? {}).sort((a, b) => Number(a[1]) - Number(b[1]));
  server.rewind(script.startRV - initial.length);
  for (const [key, version] of initial) {
    server.create(key);
    if (String(server.version) !== version)
      throw new Error(`${script.id}: initial versions are not consecutive`);
  }
}

function run(
  op: Op,
  server: ScriptedResource,
  informer: SharedInformer<ScriptedItem>,
  told: (handler: string) => (notification: Notification<ScriptedItem>) => void,
): void {
  const key = op.key ?? '';
  const kind = op.kind as ScriptedFailure;
  switch (op.op) {
    case 'addHandler':
      informer.addHandler(told(op.handler ?? ''), ms(op.resyncNs));
      return;
    case 'start':
      informer.start();
      return;
    case 'create':
      server.create(key);
      return;
    case 'update':
      server.update(key);
      return;
    case 'delete':
      server.delete(key);
      return;
    case 'partition':
      server.partition();
      return;
    case 'closeWatch':
      server.closeWatches();
      return;
    case 'compact':
      server.compact();
      return;
    case 'bookmark':
      server.bookmark();
      return;
    case 'errorEvent':
      server.errorEvent(kind);
      return;
    case 'failLists':
      server.failLists(kind, op.n ?? 0);
      return;
    case 'failWatches':
      server.failWatches(kind, op.n ?? 0);
      return;
    case 'shortWatches':
      server.shortWatches(op.n ?? 0);
      return;
    case 'sleep':
      return;
    default:
      throw new Error(`unknown op ${op.op}`);
  }
}

function inWords(handler: string, notification: Notification<ScriptedItem>): Seen {
  switch (notification.type) {
    case 'add':
      return {
        handler,
        type: 'add',
        key: notification.item.key,
        isInInitialList: notification.isInInitialList,
        newRV: notification.item.resourceVersion,
        newUID: notification.item.uid,
      };
    case 'update':
      return {
        handler,
        type: 'update',
        key: notification.item.key,
        oldRV: notification.old.resourceVersion,
        newRV: notification.item.resourceVersion,
        oldUID: notification.old.uid,
        newUID: notification.item.uid,
      };
    case 'delete':
      return {
        handler,
        type: 'delete',
        key: notification.last.key,
        deletedFinalStateUnknown: !notification.finalStateKnown,
        oldRV: notification.last.resourceVersion,
        oldUID: notification.last.uid,
      };
  }
}

/** Groups by handler, each in its own order; runs that Go takes from a map are put in order of key. */
function settle(notifications: readonly Seen[]): Seen[] {
  const settled: Seen[] = [];
  for (const handler of [...new Set(notifications.map((n) => n.handler))].sort()) {
    let unordered: Seen[] = [];
    let kind: string | undefined;
    const flush = () => {
      settled.push(...unordered.sort((a, b) => (a.key < b.key ? -1 : 1)));
      unordered = [];
    };
    for (const notification of notifications.filter((n) => n.handler === handler)) {
      const next = orderedByMap(notification);
      if (next !== kind) flush();
      kind = next;
      if (next === undefined) settled.push(notification);
      else unordered.push(notification);
    }
    flush();
  }
  return settled;
}

/** A streamed list and another one in one op: Go gives the first in the order of a map, so no order holds across keys. */
function isReplacedAgain(requests: readonly ScriptedRequest[]): boolean {
  const lists = requests.filter(({ verb, answer }) =>
    answer.startsWith(verb === 'list' ? 'ok ' : 'ok initial='),
  );
  return lists.length > 1 && lists.some(({ verb }) => verb === 'watch');
}

/** By handler and key, each in its own order. */
function byKey(notifications: readonly Seen[]): Seen[] {
  const place = ({ handler, key }: Seen) => `${handler} ${key}`;
  return [...notifications].sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
}

function orderedByMap(notification: Seen): string | undefined {
  if (notification.type === 'add') return notification.isInInitialList === true ? 'initial' : undefined;
  if (notification.type === 'delete')
    return notification.deletedFinalStateUnknown === true ? 'tombstones' : undefined;
  return notification.oldRV === notification.newRV ? 'syncs' : undefined;
}

function foldRequests(requests: readonly ScriptedRequest[]): unknown[] {
  const folded: unknown[] = [];
  for (let i = 0; i < requests.length; ) {
    const text = JSON.stringify(described(requests[i]));
    let same = i;
    while (same < requests.length && JSON.stringify(described(requests[same])) === text) same++;
    const request = described(requests[i]);
    if (same - i > 5) folded.push({ ...request, answer: `${requests[i]?.answer} (repeated)` });
    else for (let k = i; k < same; k++) folded.push(request);
    i = same;
  }
  return folded;
}

function described(request: ScriptedRequest | undefined): Record<string, unknown> {
  if (request === undefined) return {};
  const { verb, answer } = request;
  if (request.verb === 'list') return { verb, ...listOptions(request.options), answer };
  return { verb, ...watchOptions(request.options), answer };
}

function listOptions(options: ListOptions): Record<string, unknown> {
  return {
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    limit: options.limit,
    continue: options.continueToken,
  };
}

function watchOptions(options: WatchOptions): Record<string, unknown> {
  const { timeoutSeconds, ...rest } = options;
  const inRange = Number.isInteger(timeoutSeconds) && timeoutSeconds >= 300 && timeoutSeconds < 600;
  return { ...rest, timeoutSeconds: inRange ? '300..600' : timeoutSeconds };
}

function storeOf(informer: SharedInformer<ScriptedItem>): Record<string, string> {
  return Object.fromEntries([...informer.indexer.list()].map((item) => [item.key, item.resourceVersion]));
}

function ms(value: string | undefined): number {
  return Number(ns(value)) / 1e6;
}

/** mulberry32: the same numbers in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
