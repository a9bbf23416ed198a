import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallFolder } from '../testing/smallFolder.ts';
import { createNodeHost } from './nodeHost.ts';
import { folderSpans, openFolder } from './openTarget.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'loopscope-target-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const host = createNodeHost({
  version: 'test',
  env: { HOME: path.join(tmpdir(), 'loopscope-no-home') },
  sessions: 'memory',
  onBug: (where, error) => {
    throw new Error(where, { cause: error });
  },
});

function fill(names: readonly string[]): void {
  for (const { name, text } of smallFolder())
    if (names.includes(name)) writeFileSync(path.join(folder, name), text);
}

const profile = `format: 1
operator: { namespace: dbops-system, serviceAccount: database-operator }
controllers:
- name: database
  for: databases.db.example.com
`;

describe('a folder on disk as a session', () => {
  it('[FOLD22] takes the loopscope.yaml beside the files, or the one that is named', async () => {
    fill(['operator.log', 'watch.jsonl']);
    const without = await openFolder(folder, { host });
    if (!without.ok) throw new Error(without.error.message);
    expect(without.value.session.operators.profile()).toBeUndefined();
    without.value.session.dispose();
    writeFileSync(path.join(folder, 'loopscope.yaml'), profile);
    const beside = await openFolder(folder, { host });
    if (!beside.ok) throw new Error(beside.error.message);
    expect(beside.value.session.operators.profile()?.controllers.map(({ name }) => name)).toEqual([
      'database',
    ]);
    beside.value.session.dispose();
    const other = path.join(folder, 'other.yaml');
    writeFileSync(other, profile.replace('name: database', 'name: other'));
    const named = await openFolder(folder, { host, profilePath: other });
    if (!named.ok) throw new Error(named.error.message);
    expect(named.value.session.operators.view().profileFile).toBe(other);
    named.value.session.dispose();
  });

  it('refuses a profile that is wrong, or named and not there, with its sentence', async () => {
    fill(['operator.log']);
    const missing = await openFolder(folder, { host, profilePath: path.join(folder, 'none.yaml') });
    expect(missing).toMatchObject({ ok: false, error: { code: 'profile-invalid' } });
    writeFileSync(path.join(folder, 'loopscope.yaml'), 'format: 1\ncontrollers:\n- name: a\n');
    const wrong = await openFolder(folder, { host });
    expect(wrong).toMatchObject({
      ok: false,
      error: { code: 'profile-invalid', message: expect.stringContaining('loopscope.yaml, line 3') },
    });
  });

  it('refuses what is no case folder', async () => {
    mkdirSync(path.join(folder, 'empty'));
    const empty = await openFolder(path.join(folder, 'empty'), { host });
    expect(empty).toMatchObject({ ok: false, error: { code: 'target-not-a-case' } });
    const missing = await openFolder(path.join(folder, 'none'), { host });
    expect(missing).toMatchObject({ ok: false, error: { code: 'target-missing' } });
  });
});

describe('the reconciles of a folder', () => {
  const noBug = (where: string, error: unknown) => {
    throw new Error(where, { cause: error });
  };
  it('are given to who judges it; without an operator none are known', async () => {
    const spans = await folderSpans(smallFolder(), noBug);
    expect(spans?.map(({ result }) => result)).toEqual([
      'success',
      'success',
      'error',
      'error',
      'success',
      'success',
    ]);
    const log = smallFolder().filter(({ name }) => name === 'operator.log');
    expect(await folderSpans(log, noBug)).toBeUndefined();
  });
});

/** Folders that lie beside the checkout where they are handed out; elsewhere skipped. */
const handed = ['recordings', 'cases'].flatMap((home) => {
  const root = fileURLToPath(new URL(`../../../shared/${home}`, import.meta.url));
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .map((name) => path.join(root, name))
    .filter((one) => existsSync(path.join(one, 'cluster.yaml')));
});

describe.skipIf(handed.length === 0)('handed folders', () => {
  it.each(handed)('%s opens, whole and with each of its files left out', async (target) => {
    for (const without of [[], ['log'], ['watch'], ['cluster'], ['audit', 'metrics']] as const) {
      const opened = await openFolder(target, { host, without });
      if (!opened.ok) throw new Error(opened.error.message);
      const { session, problems } = opened.value;
      expect(problems).toEqual([]);
      for (const { name } of session.operators.profile()?.controllers ?? []) {
        for (const span of session.traces.spans({ controller: name })) {
          expect(span.start.lo).toBeLessThanOrEqual(span.start.hi);
          expect(span.start.lo).toBeLessThanOrEqual(span.end?.hi ?? Number.POSITIVE_INFINITY);
          session.traces.walk({ controller: name, key: span.key, span: span.id });
        }
        session.shadows.view(name);
        session.traces.modelCheck(name);
      }
      session.dispose();
    }
  });
});
