import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { ok } from '../../shared/base/result.ts';
import { objectKey } from '../../shared/model/ids.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createSessionLibrary } from './sessionLibrary.ts';
import { openSqliteSession } from './sqliteSession.ts';
import { listSessionFiles } from './sqliteSessionFiles.ts';
import { systemClock } from './systemClock.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));
const writer = fileURLToPath(new URL('./sqliteKillWriter.ts', import.meta.url));

interface Tick {
  readonly written: number;
  readonly at: number;
  readonly longestGap: number;
}

/** Starts the writer, kills it with SIGKILL once it wrote `records`, gives back what it printed and when it died. */
function writeAndKill(id: string, records: number): Promise<{ ticks: readonly Tick[]; killedAt: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, folder, id], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let killedAt = 0;
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (killedAt === 0 && isDue(parseTicks(text), records)) {
        killedAt = Date.now();
        child.kill('SIGKILL');
      }
    });
    child.on('error', reject);
    child.on('close', () => resolve({ ticks: parseTicks(text), killedAt }));
  });
}

/** Enough records, and long enough for some of them to be owed however slow this machine is just now. */
function isDue(ticks: readonly Tick[], records: number): boolean {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined || last.written < records) return false;
  return last.at - first.at > 350 + 2 * last.longestGap;
}

function parseTicks(text: string): readonly Tick[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return [...whole.matchAll(/^(\d+) (\d+) (\d+)$/gm)].map(([, written, at, gap]) => {
    return { written: Number(written), at: Number(at), longestGap: Number(gap) };
  });
}

test('[SES54] while another process records, this one lists and reads what is committed', async () => {
  const library = createSessionLibrary({
    folder: path.join(folder, 'shared'),
    clock: systemClock,
    app: 'test',
    retention: { get: () => ({ keep: 10, maxBytes: 2 ** 31 }), set: () => ok(undefined) },
  });
  const child = spawn(process.execPath, [writer, path.join(folder, 'shared'), 'other'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const seen: number[] = [];
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.stdout.on('data', () => {
        library.refresh();
        const [row] = library.rows();
        if (row === undefined || row.records < 200 + 400 * seen.length) return;
        expect(row.state).toBe('elsewhere');
        seen.push(row.records);
        const read = async () => {
          const opened = await library.open(row.path);
          if (!opened.ok) throw new Error(opened.error.message);
          const { log } = opened.value;
          const heads = [...log.heads({})];
          expect(heads.length).toBeGreaterThanOrEqual(row.records);
          expect(heads.map(({ seq }) => seq)).toEqual(heads.map((_, index) => index + 1));
          for (const { seq } of heads) expect(JSON.parse(log.payload(seq) ?? '')).toMatchObject({ n: seq });
          log.close();
        };
        read().then(() => seen.length >= 8 && resolve(), reject);
      });
    });
    expect(seen.length).toBeGreaterThanOrEqual(8);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  library.refresh();
  expect(library.rows()[0]?.state).toBe('interrupted');
}, 30_000);

test.each([1000, 2048, 4500])(
  '[SES41] kill -9 after %i records: opens, whole, all but the last 250 ms and loop lag',
  async (records) => {
    const id = `kill-${records}`;
    const { ticks, killedAt } = await writeAndKill(id, records);
    const file = listSessionFiles(folder).find((name) => name.includes(`-${id}.`));
    const opened = openSqliteSession(file ?? '', { clock: new FakeClock(killedAt), mode: 'append' });
    if (!opened.ok) throw new Error(opened.error.message);
    const log = opened.value;
    const heads = [...log.heads({})];
    // Loop lag: the longest gap between two ticks, and the one that the kill cut short (a commit under way, say).
    const longestGap = Math.max(...ticks.map((tick) => tick.longestGap));
    const lag = longestGap + Math.max(0, killedAt - (ticks.at(-1)?.at ?? 0));
    const settled = ticks.filter((tick) => tick.at < killedAt - 250 - lag);
    const owed = settled.at(-1)?.written ?? 0;
    expect(owed).toBeGreaterThan(0);
    expect(heads.length).toBeGreaterThanOrEqual(owed);
    expect(heads.map((head) => head.seq)).toEqual(heads.map((_, index) => index + 1));
    for (const { seq } of heads) {
      expect(JSON.parse(log.payload(seq) ?? '')).toMatchObject({ n: seq });
      const facts = log.facts(seq);
      // A writer that was held up catches up with a block at once, which is then written without facts (SES48).
      if (facts?.length !== 0 || lag < 100) expect(facts).toEqual([{ n: seq }]);
    }
    const history = log.historyOf(
      objectKey({ group: '', kind: 'ConfigMap', namespace: 'default', name: 'c-7' }),
    );
    expect(history).toEqual(heads.map((head) => head.seq).filter((seq) => seq % 50 === 7));
    log.close();
  },
  15_000,
);
