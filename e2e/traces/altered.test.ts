/** Traces of the handed recordings depend on nothing that another cluster would have otherwise: days, names, the pace of a watch. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { missed } from './bars.ts';
import { handedRecordings, runsBelow } from './scoreCli.ts';
import { scoreRun } from './scoreRun.ts';
import type { WatchedEvent } from './watchAll.ts';

const runs = runsBelow(process.env.LOOPSCOPE_RECORDINGS ?? handedRecordings);
const names = ['asof.txt', 'cluster.yaml', 'watch.jsonl', 'operator.log', 'ground.json'] as const;
type Files = Record<(typeof names)[number], string>;

function eventsOf(watch: string): readonly WatchedEvent[] {
  return watch
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WatchedEvent);
}

function linesOf(events: readonly WatchedEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** Every time of every file `ms` later; klog's have no year. */
function later(text: string, ms: number): string {
  const moved = (time: string) => new Date(Date.parse(time) + ms).toISOString();
  return text
    .replace(
      /\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z/g,
      (_, time: string, part = '') => `${moved(`${time}Z`).slice(0, 19)}${part}Z`,
    )
    .replace(
      /^([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d)/gm,
      (_, level: string, month: string, day: string, time: string) => {
        const at = moved(`2026-${month}-${day}T${time}Z`);
        return `${level}${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 19)}`;
      },
    );
}

/** Across the end of a year, in namespaces of other names. */
function elsewhere(files: Files): Files {
  const { window } = JSON.parse(files['ground.json']) as { readonly window: { readonly from: string } };
  const ms = Date.UTC(2027, 0, 1) - 45_000 - Date.parse(window.from);
  const namespaces = eventsOf(files['watch.jsonl'])
    .filter(({ object }) => object.kind === 'Namespace' && object.metadata?.name !== 'kube-system')
    .flatMap(({ object }) => object.metadata?.name ?? []);
  const renamed = (text: string) =>
    [...new Set(namespaces)].reduce(
      (all, name, index) => all.replace(new RegExp(`\\b${name}\\b`, 'g'), `place-${index}`),
      text,
    );
  return mapValues(files, (text) => renamed(later(text, ms)));
}

/** Each kind's events up to 300 ms late, in their order, and nothing that says where the first list ended. */
function lateWatch(files: Files): Files {
  const last = new Map<string, number>();
  let seed = 7;
  const events = eventsOf(files['watch.jsonl'])
    .filter(({ type }) => type !== 'BOOKMARK')
    .map((event) => {
      seed = (seed * 48_271) % 2_147_483_647;
      const kind = `${event.object.apiVersion} ${event.object.kind}`;
      const at = Math.max(last.get(kind) ?? 0, Date.parse(event.at) + (seed % 300));
      last.set(kind, at);
      return { ...event, at: new Date(at).toISOString() };
    })
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const end = new Date(Date.parse(files['asof.txt'].trim()) + 300).toISOString();
  return { ...files, 'asof.txt': `${end}\n`, 'watch.jsonl': linesOf(events) };
}

function mapValues(files: Files, change: (text: string) => string): Files {
  return Object.fromEntries(names.map((name) => [name, change(files[name])])) as Files;
}

const home = mkdtempSync(join(tmpdir(), 'loopscope-altered-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.skipIf(runs.length === 0)(
  'altered recordings (skipped where they are not)',
  { timeout: 30_000 },
  () => {
    const alterations = { elsewhere, lateWatch };
    const cases = runs.flatMap((folder) =>
      (Object.keys(alterations) as (keyof typeof alterations)[]).map(
        (how) => [basename(folder), how, folder] as const,
      ),
    );
    test.each(cases)('%s, %s', async (_, how, folder) => {
      const read = Object.fromEntries(
        names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
      ) as Files;
      const altered = mkdtempSync(join(home, 'run-'));
      const files = alterations[how](read);
      for (const name of names) writeFileSync(join(altered, name), files[name]);
      const run = await scoreRun(altered);
      if (run === undefined) throw new Error(`${folder} has no ground truth`);
      const faults = run.rows.flatMap(({ row, score }) =>
        score.faults.slice(0, 5).map((text) => `${row}: ${text}`),
      );
      expect(missed(run), faults.join('\n')).toEqual([]);
    });
  },
);
