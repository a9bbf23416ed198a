/**
 * A recording for the repository: the same records with the same numbers, without the names of the machine that made
 * them. Written slowly on purpose: a session sealed at leisure is the smallest.
 */
import { homedir, hostname, networkInterfaces, tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { type ClusterStamp, createSqliteSession, openSqliteSession } from '../../core/node/sqliteSession.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import { decodeRecord } from '../../core/session/decode.ts';
import type { ObjectKey, SourceId } from '../../shared/model/ids.ts';

/** What stands in for a name of the machine. Longer names first. */
export type Replacements = readonly (readonly [from: string, to: string])[];

/** The names this machine gives away in Leases, Events, paths and addresses. */
export function machineNames(of: {
  readonly server: string;
  readonly folder: string;
  readonly metrics: string;
  readonly logs: string;
}): Replacements {
  const { server, folder, metrics, logs } = of;
  const names: readonly (readonly [string, string])[] = [
    [server, 'https://api.demo.example.com:6443'],
    [new URL(server).host, 'api.demo.example.com:6443'],
    [logs, '/demo'],
    [folder, '/demo'],
    [tmpdir(), '/demo'],
    [homedir(), '/home/demo'],
    [metrics, '127.0.0.1:8080'],
    [hostname(), 'demo-node'],
    ...addresses().map((address) => [address, '192.0.2.10'] as const),
  ];
  return names.filter(([from]) => from.length > 1);
}

/** The API server tells its own address in a Lease. */
function addresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address);
}

/** Copies the session `from` to the file `to`, which must not be there. Gives how many records there are. */
export function copyNeutral(from: string, to: string, replacements: Replacements, version: string): number {
  const opened = openSqliteSession(from, { clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  const original = opened.value;
  const { id, startedAt, records } = original.stats();
  const copied = createSqliteSession({
    folder: dirname(to),
    fileName: basename(to),
    startedAt,
    clock: systemClock,
    id,
    app: version,
    // Never in a hurry: whole blocks, packed well.
    limits: { burstMs: 0, commitEveryMs: 2 ** 31 - 1 },
  });
  if (!copied.ok) throw new Error(copied.error.message);
  const copy = copied.value;
  const neutral = (text: string) => replaceAll(text, replacements);
  for (const head of original.heads({})) {
    const payload = neutral(original.payload(head.seq) ?? '');
    const named = {
      ...head,
      source: neutral(head.source) as SourceId,
      ...(head.object === undefined ? {} : { object: neutral(head.object) as ObjectKey }),
    };
    const { facts } = decodeRecord(named, payload);
    copy.copyIn(named, payload, facts.length > 0 ? facts : undefined);
  }
  copy.stampCluster(JSON.parse(neutral(JSON.stringify(original.clusterStamp()))) as ClusterStamp);
  const { operator } = original.summary();
  copy.describe(operator === undefined ? {} : { operator });
  copy.outdateDerived();
  original.close();
  copy.close();
  return records;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** Whole words only: a host may be called anything. */
function replaceAll(text: string, replacements: Replacements): string {
  let result = text;
  for (const [from, to] of replacements)
    result = result.replace(new RegExp(`(?<![\\w])${escaped(from)}(?![\\w])`, 'g'), to);
  return result;
}
