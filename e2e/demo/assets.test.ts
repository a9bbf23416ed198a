/** The recorded incidents as they lie in assets/demo: small, whole, and without a trace of the machine that made them. */
import { readdirSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedSession } from '../../core/engine/library.ts';
import { createDemoShelf } from '../../core/node/demoShelf.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import type { RecordHead } from '../../core/session/record.ts';
import { repositoryRoot } from '../testbed/paths.ts';
import { assetFolder, maxDemoBytes, sessionPath } from './assets.ts';
import { incidents } from './incidents.ts';

/** What only a machine of somebody's own would say. Loopback ports are random, but for the one that is in all manuals. */
const ownNames: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a folder of the test bed', /loopscope-(testbed|demo)-/],
  ['a temporary folder', /\/tmp\b|\/var\/folders\b|\\Temp\\/],
  ['a home', /\/(home|Users)\/(?!demo\b)|\/root\b/],
  ['a loopback port', /(127\.0\.0\.1|localhost|\[::1\]):(?!8080\b)\d+/],
  ['an address of a real network', /\b(192\.168|172\.(1[6-9]|2\d|3[01])|10\.(?!96\.)\d+)\.\d+\.\d+\b/],
  ['a key or certificate', /-----BEGIN|"token":"[^"]+"|Bearer [\w-]{8}/],
  ['the content of the Secret', /of-the-demo|b2YtdGhlLWRlbW8/],
  ['this checkout', new RegExp(escaped(repositoryRoot.replace(/\/$/, '')))],
];

/** Where Kubernetes writes the name of a host. */
const hostNames =
  /"(?:kubernetes\.io\/hostname|nodeName)":"([^"]+)"|"reportingInstance":"database-operator-([^"]+)"/g;
const neutralHost = 'demo-node';

const shelf = createDemoShelf({ clock: systemClock });

it('[DM1] has exactly the incidents of the script, each with a manifest that can be read', () => {
  expect(shelf.list().map(({ id, problem }) => ({ id, problem }))).toEqual(
    incidents.map(({ id }) => ({ id, problem: undefined })),
  );
  expect(readdirSync(assetFolder).sort()).toEqual(
    incidents.flatMap(({ id }) => [`${id}.json`, `${id}.loopscope`]).sort(),
  );
});

describe.for(incidents.map(({ id, ms }) => [id, ms] as const))('%s', ([id, ms]) => {
  const manifest = shelf.list().find((demo) => demo.id === id);
  let opened: OpenedSession;
  let heads: readonly RecordHead[];

  beforeAll(async () => {
    const result = await shelf.open(id);
    if (!result.ok) throw new Error(result.error.message);
    opened = result.value;
    heads = [...opened.log.heads({})];
  });
  afterAll(() => opened.log.close());

  it('[DM1] is below 1 MB, and its manifest says what it is', () => {
    const { size } = statSync(sessionPath(id));
    const { log } = opened;
    expect(size).toBeLessThan(maxDemoBytes);
    expect(manifest).toMatchObject({ bytes: size, records: heads.length, kubernetes: 'v1.37.2' });
    expect(log.stats().records).toBe(heads.length);
    expect(log.stats().health).toEqual([]);
    expect(Math.abs((manifest?.recordedAt ?? 0) - log.stats().startedAt)).toBeLessThan(1_000);
  });
  it('[DM2] begins with the connection, whose first sync is quick, and is as long as its script', () => {
    const first = heads[0]?.receivedAt ?? 0;
    const last = Math.max(...heads.map(({ receivedAt }) => receivedAt));
    expect(Math.abs(first - (manifest?.recordedAt ?? 0))).toBeLessThan(2_000);
    expect(Math.abs((manifest?.ms ?? 0) - ms)).toBeLessThan(1_000);
    // Something comes at least every few seconds: metrics, a Lease.
    expect(last - first).toBeGreaterThan(ms - 15_000);
    expect(last - first).toBeLessThanOrEqual((manifest?.ms ?? 0) + 10_000);
  });
  it('[DM2] holds every text, and what was recorded from it says the same', () => {
    const empty = heads.filter(({ seq }) => (opened.log.payload(seq) ?? '') === '');
    expect(empty.map(({ kind, source }) => `${kind} ${source}`)).toEqual([]);
    const kinds = new Set(heads.map(({ kind }) => kind));
    for (const kind of ['object', 'log', 'metrics', 'request']) expect(kinds).toContain(kind);
    expect(heads.filter(({ kind }) => kind === 'gap')).toEqual([]);
  });
  it('[DM3] names nothing of the machine it was recorded on', () => {
    const found: string[] = [];
    let hosts = 0;
    const look = (where: string, text: string) => {
      for (const [what, pattern] of ownNames) {
        const match = pattern.exec(text);
        if (match !== null)
          found.push(`${where}: ${what}: …${text.slice(Math.max(0, match.index - 40), match.index + 60)}…`);
      }
    };
    for (const { seq, kind, source, object } of heads) {
      const where = `record ${seq} (${kind} of ${source})`;
      look(where, `${source} ${object ?? ''} ${opened.log.payload(seq) ?? ''}`);
      for (const [, ...names] of (opened.log.payload(seq) ?? '').matchAll(hostNames)) {
        const name = names.find((one) => one !== undefined);
        if (name !== neutralHost) found.push(`${where}: the host ${name}`);
        else hosts++;
      }
      look(`${where}, facts`, JSON.stringify(opened.log.facts(seq) ?? []));
    }
    look('the stamp', JSON.stringify({ context: opened.context, server: opened.server, name: opened.name }));
    expect(found.slice(0, 10)).toEqual([]);
    expect(hosts, 'places where a host is named').toBeGreaterThan(0);
    expect(opened).toMatchObject({ context: 'demo', server: 'https://api.demo.example.com:6443', name: id });
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
