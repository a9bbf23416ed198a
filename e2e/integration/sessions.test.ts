/** Sessions as a window has them: over the contract, with the real engine, files and a busy server on loopback. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeEngine, type NodeEngine } from '../../core/node/createNodeEngine.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import { type EngineApi, engineApi } from '../../shared/contract/api.ts';
import { type Client, createClient } from '../../shared/contract/client.ts';
import { createPairTransport } from '../../shared/contract/pairTransport.ts';
import { serve } from '../../shared/contract/serve.ts';
import type { Library, SessionRow } from '../../shared/contract/views/sessions.ts';
import { eventually } from '../testbed/wait.ts';
import { type BusyServer, busyProfile, startBusyServer } from './engineKillServer.ts';

describe('sessions over the contract', { timeout: 60_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'loopscope-window-'));
  const folder = join(home, 'data', 'loopscope', 'sessions');
  const rows = new Map<string, SessionRow>();
  const bugs: string[] = [];
  let library: Library | undefined;
  let server: BusyServer;
  let node: NodeEngine;
  let client: Client<EngineApi>;

  beforeAll(async () => {
    server = await startBusyServer({ objects: 40, perSecond: 300 });
    const kubeconfig = join(home, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      `{current-context: busy, clusters: [{name: busy, cluster: {server: "${server.url}"}}], users: [{name: busy, user: {}}], contexts: [{name: busy, context: {cluster: busy, user: busy}}]}`,
    );
    const onBug = (where: string, error: unknown) => bugs.push(`${where}: ${String(error)}`);
    node = createNodeEngine({
      kubeconfig,
      env: { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') },
      onBug,
    });
    node.engine.setProfileFile(busyProfile, 'loopscope.yaml');
    const [ours, theirs] = createPairTransport();
    serve(engineApi, node.engine.handlers, theirs, { clock: systemClock, onBug });
    client = createClient(engineApi, ours);
    const failed = (error: unknown) => bugs.push(String(error));
    client.table(
      'sessions',
      {},
      (diff) => {
        if (diff.reset) rows.clear();
        for (const id of diff.removed) rows.delete(String(id));
        for (const row of diff.upserts) rows.set(row.id, row);
      },
      failed,
    );
    client.value('library', {}, (value) => (library = value), failed);
  });

  afterAll(async () => {
    client.close();
    node.dispose();
    await server.close();
    rmSync(home, { recursive: true });
    expect(bugs).toEqual([]);
  });

  const shown = () => [...rows.values()].sort((a, b) => b.startedAt - a.startedAt);
  const connect = async () =>
    expect(await client.call('connection.connect', { context: '' })).toEqual({ ok: true });

  test('a recording is listed while it grows, is named, saved, and told apart when it has ended', async () => {
    expect(shown()).toEqual([]);
    await connect();
    const recording = await eventually('the recording is listed with its operator', () =>
      shown().find(({ state, operator }) => state === 'recording' && operator === 'database-operator'),
    );
    const { id } = recording;
    await eventually('its row grows', () => (rows.get(id)?.records ?? 0) > recording.records + 100);
    expect(await client.call('session.rename', { id, name: 'First' })).toEqual({ ok: true });
    await eventually('it is named', () => rows.get(id)?.name === 'First');
    expect(await client.call('session.delete', { id })).toMatchObject({
      ok: false,
      problem: { code: 'recording' },
    });
    const saved = await client.call('session.save', { name: 'A copy', path: join(home, 'copy.loopscope') });
    expect(saved).toEqual({ ok: true, path: join(home, 'copy.loopscope') });
    expect(statSync(join(home, 'copy.loopscope')).mode & 0o777).toBe(0o600);
    expect(await client.call('session.save', { name: 'Among them' })).toMatchObject({ ok: true });
    await eventually('the copy is listed, kept', () =>
      shown().find(({ name, kept, state }) => name === 'Among them' && kept && state === 'closed'),
    );
    expect(await client.call('connection.disconnect', {})).toEqual({ ok: true });
    await eventually('it is closed', () => rows.get(id)?.state === 'closed');
    expect(rows.get(id)).toMatchObject({ name: 'First', named: true, context: 'busy' });
    expect(library).toMatchObject({ folder, retention: { keep: 10, maxBytes: 2_000_000_000 } });
    const sum = () => shown().reduce((bytes, row) => bytes + row.bytes, 0);
    await eventually('the sum is told', () => library?.bytes === sum());
  });

  test('one is opened while another records, and the recording goes on', async () => {
    const first = shown().find(({ name }) => name === 'First');
    if (first === undefined) throw new Error('the first is gone');
    await connect();
    const recording = await eventually('the next is recorded', () =>
      shown().find(({ state, records }) => state === 'recording' && records > 100),
    );
    expect(await client.call('session.open', { path: first.path })).toEqual({ ok: true });
    const before = rows.get(recording.id)?.records ?? 0;
    await eventually(
      'the recording goes on behind it',
      () => (rows.get(recording.id)?.records ?? 0) > before + 200,
    );
    expect(await client.call('session.delete', { id: first.id })).toMatchObject({
      ok: false,
      problem: { code: 'open' },
    });
    expect(await client.call('session.close', {})).toEqual({ ok: true });
    await client.call('connection.disconnect', {});
    expect(await client.call('session.open', { path: join(home, 'none.loopscope') })).toMatchObject({
      ok: false,
      problem: { code: 'missing' },
    });
  });

  test('retention deletes what is not kept, and says what is left', async () => {
    const kept = shown().filter((row) => row.kept);
    const newest = shown().find((row) => !row.kept);
    expect(shown()).toHaveLength(3);
    expect(await client.call('library.setRetention', { keep: 1, maxBytes: 1_000_000_000 })).toEqual({
      ok: true,
    });
    await eventually('the oldest is gone', () => rows.size === 2);
    expect(
      shown()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...kept, newest].map((row) => row?.id).sort());
    expect(readdirSync(folder).sort()).toEqual(
      shown()
        .map(({ id }) => id)
        .sort(),
    );
    await eventually('it is told', () => library?.retention.keep === 1);
    for (const { id } of shown()) expect(await client.call('session.delete', { id })).toEqual({ ok: true });
    await eventually('none is left', () => rows.size === 0);
  });
});
