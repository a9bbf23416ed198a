/**
 * The disk fills up under a running engine: recording pauses and says so, what is shown stays live, and recording goes on
 * by itself. Once with a limit set to the session file, and once on a real file system that is full, where this process
 * may mount one; elsewhere the second is skipped and says why, the first always runs.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createNodeEngine } from '../../core/node/createNodeEngine.ts';
import { openForReading } from '../../core/node/sqliteReading.ts';
import type { SqliteSession } from '../../core/node/sqliteSession.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import { eventually } from '../testbed/wait.ts';
import { busyProfile, startBusyServer } from './engineKillServer.ts';

const root = mkdtempSync(join(tmpdir(), 'loopscope-full-'));
const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a full disk', { timeout: 60_000 }, () => {
  test('[SES38] recording pauses, the live view goes on, recording resumes and tells of the pause', async () => {
    const { session, log } = await start(join(root, 'limited'));
    await pausesAndResumes(
      session,
      () => log().limitSize(log().stats().bytes + 100_000),
      () => log().limitSize(undefined),
      log().file,
    );
  });

  const mounted = mountSmall(join(root, 'small'));
  test.skipIf(mounted !== undefined)(
    `[SES38] the same on a file system of 8 MB that is really full${mounted === undefined ? '' : ` (skipped: ${mounted})`}`,
    async () => {
      const folder = join(root, 'small');
      const { session, log } = await start(folder);
      const filler = join(folder, 'filler');
      await pausesAndResumes(
        session,
        () => {
          const { bavail, bsize } = statfsSync(folder);
          writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 64 * 1024)));
        },
        () => rmSync(filler),
        log().file,
      );
    },
  );
});

/** The reason why none can be mounted; undefined when it is there. */
function mountSmall(folder: string): string | undefined {
  mkdirSync(folder);
  const tried = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', folder], { encoding: 'utf8' });
  if (tried.status === 0) {
    afterAll(() => void spawnSync('umount', ['-l', folder]));
    return undefined;
  }
  const reason = tried.error?.message ?? tried.stderr.trim().split('\n')[0] ?? 'mount failed';
  console.warn(`SKIPPED, no file system of its own: ${reason}`);
  return reason;
}

async function start(sessions: string) {
  const server = await startBusyServer({ objects: 60, perSecond: 400 });
  undo.push(() => server.close());
  const home = mkdtempSync(join(root, 'home-'));
  const kubeconfig = join(home, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    `{current-context: busy, clusters: [{name: busy, cluster: {server: "${server.url}"}}], users: [{name: busy, user: {}}], contexts: [{name: busy, context: {cluster: busy, user: busy}}]}`,
  );
  const bugs: string[] = [];
  const { engine } = createNodeEngine({
    kubeconfig,
    env: { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') },
    sessions,
    onBug: (where, error) => bugs.push(`${where}: ${String(error)}`),
  });
  undo.push(() => {
    engine.dispose();
    expect(bugs).toEqual([]);
  });
  engine.setProfileFile(busyProfile, 'loopscope.yaml');
  const connected = await engine.connect({ context: '' });
  if (!connected.ok) throw new Error(connected.error.message);
  const session = connected.value;
  await session.synced();
  return { session, log: () => session.recorder.log as SqliteSession };
}

type Session = Awaited<ReturnType<typeof start>>['session'];

async function pausesAndResumes(
  session: Session,
  fill: () => void,
  free: () => void,
  file: string,
): Promise<void> {
  const { log } = session.recorder;
  const stats = () => session.stats();
  fill();
  await eventually('recording is paused', () => stats().paused !== undefined, { timeoutMs: 20_000 });
  expect(stats().paused).toMatch(/^Recording is paused: the disk is full\. Free some space/);

  // What is shown stays live: new versions come, and can be read, though nothing is written.
  const before = log.stats().records;
  const newest = () => [...session.index.ofKind('db.example.com', 'Database')][0]?.fact;
  const shown = newest()?.resourceVersion;
  await eventually('a thousand records later', () => log.stats().records > before + 1000);
  const now = newest();
  if (now === undefined) throw new Error('no Database is shown');
  expect(now.resourceVersion).not.toBe(shown);
  expect(log.payload(now.seq)).toContain(`"resourceVersion":"${now.resourceVersion}"`);
  expect(stats().paused).toBeDefined();

  free();
  await eventually('recording goes on', () => stats().paused === undefined, { timeoutMs: 20_000 });
  const gap = await eventually('the pause is told', () =>
    session.gaps.rows.find(({ why }) => why === 'not-recorded'),
  );
  expect(gap.text).toMatch(/^Recording was paused for \d+\.\d s: .* all of them were written afterwards\.$/);
  expect((gap.to ?? 0) - gap.from).toBeGreaterThan(1000);
  const told = log.stats().records;
  undo
    .splice(1)
    .reverse()
    .forEach((step) => void step());

  const opened = openForReading(file, { clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  const heads = [...opened.value.heads({})];
  expect(heads.length).toBeGreaterThanOrEqual(told);
  expect(heads.filter(({ seq }) => opened.value.payload(seq) === undefined)).toEqual([]);
  const gaps = heads.filter(({ kind }) => kind === 'gap').map(({ seq }) => opened.value.payload(seq) ?? '');
  expect(gaps.filter((text) => text.includes('not-recorded'))).toHaveLength(1);
  opened.value.close();
  expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('.lock'))).toEqual([]);
}
