import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compare, type Mismatch, normalise } from './mismatch.ts';
import { replayFile } from './replayFile.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vectors-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.join('\n'));
  return path;
}

const limiter = { type: 'exp', baseNs: '5', maxNs: '20' };
const right = JSON.stringify({
  id: 'x',
  limiter,
  ops: [{ op: 'when', item: 'a', delayNs: '5', numRequeues: 1 }],
});
const wrong = JSON.stringify({
  id: 'y',
  limiter,
  ops: [{ op: 'when', item: 'a', delayNs: '6', numRequeues: 1 }],
});

test('a planted difference fails its line, with place and values; the others pass', async () => {
  const outcome = await replayFile(await file('limiters.jsonl', [right, wrong, right, '']));
  expect(outcome).toEqual({
    ok: true,
    value: {
      kind: 'limiters',
      passed: 2,
      failed: 1,
      first: [
        {
          id: 'y',
          op: 0,
          what: 'when',
          expected: { delayNs: '6', numRequeues: 1 },
          got: { delayNs: '5', numRequeues: 1 },
        },
      ],
    },
  });
});

test('an op that the product does not know fails its line instead of passing silently', async () => {
  const strange = JSON.stringify({ id: 'z', limiter, ops: [{ op: 'whenever' }] });
  const outcome = await replayFile(await file('limiters.jsonl', [strange]));
  expect(outcome.ok && outcome.value.failed).toBe(1);
});

test('unknown kinds, missing files and broken lines are sentences', async () => {
  const unknown = await replayFile(await file('nonsense.jsonl', [right]));
  expect(unknown).toMatchObject({
    ok: false,
    error: expect.stringContaining('no vector kind is called "nonsense"'),
  });
  const missing = await replayFile(join(folder, 'bucket.jsonl'));
  expect(missing).toMatchObject({ ok: false, error: expect.stringContaining('cannot be read') });
  const broken = await replayFile(await file('limiters.jsonl', [right, '{']));
  expect(broken).toMatchObject({
    ok: false,
    error: expect.stringContaining('limiters.jsonl:2: not a JSON line'),
  });
});

test('zero values count as left out, except where a zero is a statement', () => {
  expect(normalise({ b: 0, a: [], delayNs: 5, list: [{ x: false, y: 2n }] })).toEqual({
    delayNs: '5',
    list: [{ y: '2' }],
  });
  const mismatches: Mismatch[] = [];
  compare(
    mismatches,
    { id: 'p', what: 'got' },
    { item: 'a' },
    { item: 'a', priority: 0 },
    new Set(['priority']),
  );
  expect(mismatches).toHaveLength(1);
});
