/** trace, queue and rbac as processes: on a folder, on a session, and on what is neither. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CaseFile } from '../core/source/caseFolder/caseFiles.ts';
import { smallFolder } from '../core/testing/smallFolder.ts';
import { zTraceDocument } from '../shared/model/traceJson.ts';
import { loopscope } from './testing.ts';

// Real processes: on a busy machine each takes its time to start.
vi.setConfig({ testTimeout: 60_000 });

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'loopscope-trace-'));
  write('run', smallFolder());
  mkdirSync(join(home, 'empty'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function write(name: string, files: readonly CaseFile[]): string {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  for (const file of files) writeFileSync(join(folder, file.name), file.text);
  return folder;
}

/** One sentence on standard error that says what to do, nothing on standard output. */
async function refused(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await loopscope(home, args);
  expect([args, code, out]).toEqual([args, 2, '']);
  const last = err.trimEnd().split('\n').at(-1) ?? '';
  expect(last).toMatch(/^loopscope: .+[.)]$/);
  expect(err).not.toMatch(/\.ts:\d|node:internal/);
  return last;
}

describe('on a folder', () => {
  test('trace --json has the documented shape; the reconciles are those of the log', async () => {
    const { code, out, err } = await loopscope(home, ['trace', 'run', '--json']);
    expect([code, err]).toEqual([0, '']);
    const { spans } = zTraceDocument.parse(JSON.parse(out));
    expect(spans.map(({ reconcileId, result, key }) => [reconcileId?.at(-1), result, key])).toEqual([
      ['1', 'success', 'shop/orders'],
      ['2', 'success', 'shop/orders'],
      ['3', 'error', 'shop/orders'],
      ['4', 'error', 'shop/orders'],
      ['5', 'success', 'shop/orders'],
      ['6', 'success', 'shop/orders'],
    ]);
    expect(
      spans.map(({ writes }) =>
        writes.map((write) => `${write.verb} ${write.subject} ${write.resourceVersion}`),
      ),
    ).toEqual([
      ['create StatefulSet/shop/orders 110', 'update Database/shop/orders 111'],
      [],
      [],
      [],
      ['update Database/shop/orders 131'],
      [],
    ]);
    expect(spans[2]?.next).toEqual({
      predicted: '2026-03-10T14:00:05.025Z',
      observed: '2026-03-10T14:00:05.026Z',
    });
  });

  test('trace prints a line a run; --object one object in full; --why and --why-not a walk', async () => {
    const plain = await loopscope(home, ['trace', 'run', '--controller', 'database']);
    expect(plain.code).toBe(0);
    expect(plain.err).toBe('database-operator, as of 2026-03-10 14:00:10.000 UTC.\n');
    expect(plain.out.split('\n')).toEqual([
      'START (UTC)   KEY          WOKEN BY                                  WAIT   TOOK  RESULT   WRITES  NEXT                         ERROR',
      '14:00:01.010  shop/orders  ◌ Database initial                      1.01 s  60 ms  success  2       14:00:01.071 by an event  ◐',
      '14:00:01.071  shop/orders  ◌ StatefulSet ADDED (own write) +1       21 ms   9 ms  success  –       14:00:05.000 by an event  ◐',
      '14:00:05.000  shop/orders  ◌ Database MODIFIED                       1 ms  20 ms  error    –       14:00:05.026 (+1 ms)      ◐  dial tcp 10.0.0.1:5432: connection refused',
      '14:00:05.026  shop/orders  ◌ backoff of 5 ms after failure 1         1 ms  14 ms  error    –       14:00:05.051 (+1 ms)      ◐  dial tcp 10.0.0.1:5432: connection refused',
      '14:00:05.051  shop/orders  ◌ backoff of 10 ms after failure 2        1 ms  39 ms  success  1       14:00:05.091 by an event  ◐',
      '14:00:05.091  shop/orders  ◌ Database MODIFIED (own status write)   11 ms   9 ms  success  –       –                         ◐',
      '',
      '6 runs of 1 key from 2026-03-10 14:00:01.010: 4 success, 2 error; 3 writes.',
      '● observed: the API server said it  ◐ reported: the operator said it  ◌ inferred: concluded',
      '',
    ]);
    const [set, why, whyNot] = await Promise.all([
      loopscope(home, ['trace', 'run', '--object', 'statefulset/shop/orders']),
      loopscope(home, ['trace', 'run', '--object', 'Database/shop/orders', '--why']),
      loopscope(home, ['trace', 'run', '--object', 'Database/shop/orders', '--why-not']),
    ]);
    expect(set.out).toContain('StatefulSet/shop/orders');
    expect(set.out).not.toContain('00000000-0000-4000-8000-000000000005');
    expect(why.out).toMatch(/^Why did it run\? {2}database {2}shop\/orders\n\S/);
    expect(whyNot.out).toMatch(/^Why does it not run\? {2}database {2}shop\/orders\n\S/);
  });

  test('queue and rbac print their models', async () => {
    const [queue, rbac] = await Promise.all([
      loopscope(home, ['queue', 'run', '--json']),
      loopscope(home, ['rbac', 'run', '--json']),
    ]);
    expect([queue.code, rbac.code]).toEqual([0, 0]);
    expect(JSON.parse(queue.out)).toMatchObject({
      format: 1,
      controllers: [
        {
          name: 'database',
          queue: { evidence: 'all', totals: { runs: 6, error: 2, retries: 2 } },
          predictions: [
            { delayMs: 5, outcome: { kind: 'hit' } },
            { delayMs: 10, outcome: { kind: 'hit' } },
          ],
        },
      ],
    });
    expect(JSON.parse(rbac.out)).toMatchObject({
      format: 1,
      operator: 'database-operator',
      lens: { gaps: 0 },
    });
  });

  test('what is not there is a sentence with what there is', async () => {
    expect(await refused('trace', 'nowhere')).toContain('There is no folder or session nowhere.');
    symlinkSync('loop', join(home, 'loop'));
    expect(await refused('trace', 'loop')).toContain('loop cannot be read.');
    expect(await refused('trace', 'empty')).toContain('empty is no case folder');
    expect(await refused('trace', 'run', '--controller', 'databse')).toContain('Did you mean database?');
    expect(await refused('trace', 'run', '--object', 'Database/shop/billing')).toContain(
      'There are: Database/shop/orders.',
    );
    expect(await refused('trace', 'run', '--object', 'Widget/shop/x')).toContain(
      'reconciles databases.db.example.com',
    );
    expect(await refused('trace', 'run', '--object', 'orders')).toContain('Kind/namespace/name');
    expect(await refused('queue', 'run', '--operator', 'other')).toContain('dbops-system/database-operator');
    expect(await refused('trace', 'run', '--why=nope')).toContain('There is no reconcile nope here.');
    expect(await refused('trace', 'run', '--why-not')).toContain('--why-not needs');
    expect(await refused('trace', 'run', '--log', 'x.log')).toContain('--log is for a live cluster');
    expect(await refused('rbac', join('run', 'operator.log'))).toContain('neither a folder nor a session');
    expect(await refused('trace', 'run', '--profile', 'none.yaml')).toContain('none.yaml is not there');
  });

  test('a folder without an operator says so, and how to name one', async () => {
    write(
      'bare',
      smallFolder().filter(({ name }) => name === 'operator.log' || name === 'asof.txt'),
    );
    const { code, out, err } = await loopscope(home, ['trace', 'bare']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^loopscope: No operator was found.*--profile\.\n$/);
    writeFileSync(
      join(home, 'bare', 'loopscope.yaml'),
      'format: 1\noperator: { namespace: dbops-system, serviceAccount: database-operator }\ncontrollers:\n- name: database\n  for: databases.db.example.com\n',
    );
    const named = await loopscope(home, ['trace', 'bare', '--json']);
    expect(named.code).toBe(0);
    expect(zTraceDocument.parse(JSON.parse(named.out)).spans).toHaveLength(6);
  });

  test('what cannot be read is skipped and told; the rest is shown', async () => {
    const broken = smallFolder().map((file) =>
      file.name === 'watch.jsonl' ? { ...file, text: `${file.text}nonsense\n` } : file,
    );
    write('broken', broken);
    const { code, err } = await loopscope(home, ['trace', 'broken']);
    expect(code).toBe(0);
    expect(err).toContain(
      'note: A part of watch.jsonl could not be read and was skipped (line 8: not a JSON line).',
    );
  });
});

describe('on a session', () => {
  test('a damaged one is a sentence', async () => {
    writeFileSync(join(home, 'bad.loopscope'), 'SQLite format 3\u0000 and then nothing');
    const { code, out, err } = await loopscope(home, ['queue', 'bad.loopscope']);
    expect(out).toBe('');
    expect([1, 2]).toContain(code);
    expect(err).toMatch(/^loopscope: [^\n]+\n$/);
  });

  test('a recorded incident answers as a folder does', async () => {
    const demo = join(import.meta.dirname, '../assets/demo/status-forbidden.loopscope');
    writeFileSync(join(home, 'demo.loopscope'), (await import('node:fs')).readFileSync(demo));
    const queue = await loopscope(home, ['queue', 'demo.loopscope', '--json']);
    expect(queue.code).toBe(0);
    expect(JSON.parse(queue.out)).toMatchObject({
      format: 1,
      controllers: [{ queue: { evidence: 'errors' } }],
    });
    const trace = await loopscope(home, ['trace', 'demo.loopscope', '--json']);
    expect(zTraceDocument.parse(JSON.parse(trace.out)).spans.length).toBeGreaterThan(0);
  });
});
