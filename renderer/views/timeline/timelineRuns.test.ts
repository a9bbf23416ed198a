import { describe, expect, it } from 'vitest';
import { conditionsOf } from '../../testing/incident/conditions.ts';
import { ordersDb, ordersHistory } from '../../testing/incident/objects.ts';
import { spans } from '../../testing/incident/traces.ts';
import { timelineRows } from './timelineRows.ts';
import { type RunRow, runChosenFirst, timelineRuns } from './timelineRuns.ts';

const { versions } = ordersHistory;
const { writes, writesTotal } = conditionsOf(ordersDb.key);
const runs = spans.filter((row) => row.object === ordersDb.key);

function told(row: RunRow): string {
  return row.kind === 'version' ? `  ${row.version.resourceVersion}` : row.kind;
}

describe('lines of a key with runs', () => {
  const rows = timelineRuns(ordersDb.key, versions, writes, writesTotal, runs);
  it('have each run once and each version once', () => {
    expect(rows.filter(({ kind }) => kind === 'run')).toHaveLength(runs.length);
    expect(rows.filter(({ kind }) => kind === 'version')).toHaveLength(versions.length);
  });
  it('put a version under the run that wrote it, and no other', () => {
    const at = rows.findIndex((row) => row.kind === 'version' && row.version.resourceVersion === '482014');
    const [run, version] = [rows[at - 1], rows[at]];
    expect(run?.kind === 'run' && version?.kind === 'version' && version.run?.id === run.id).toBe(true);
    const edit = rows.find((row) => row.kind === 'version' && row.version.resourceVersion === '482011');
    expect(edit?.kind === 'version' && edit.run).toBeUndefined();
  });
  it('stand newest first, the change below the run that it woke', () => {
    expect(rows.slice(-5).map(told)).toEqual(['run', 'run', '  482014', '  482011', '  481907']);
    expect(rows[0]?.kind === 'run' && rows[0].run.failures).toBe(16);
  });
  it('leave a run at its time whose version the first list found later', () => {
    const [first] = runs.slice(-1);
    if (first === undefined) throw new Error('no run');
    const listed = versions.map((version) => ({ ...version, op: 'listed' as const }));
    const names = listed.map(({ resourceVersion }) => ({ object: ordersDb.key, resourceVersion }));
    const lines = timelineRuns(ordersDb.key, listed, [], 0, [{ ...first, versions: names }]);
    const at = lines.findIndex(({ kind }) => kind === 'run');
    expect(lines.some((row) => row.kind === 'version' && row.run !== undefined)).toBe(false);
    const above = lines.slice(0, at).flatMap((row) => (row.kind === 'version' ? [row.version.at.hi] : []));
    expect(above.every((hi) => hi >= first.start.lo)).toBe(true);
    expect(above.length).toBeGreaterThan(0);
  });
  it('keep versions by time where another wrote between two of a run', () => {
    const long = runs.map((run) =>
      run.versions?.[0]?.resourceVersion === '482029'
        ? {
            ...run,
            versions: ['482021', '482036'].map((resourceVersion) => ({
              object: ordersDb.key,
              resourceVersion,
            })),
          }
        : { ...run, versions: [] },
    );
    const lines = timelineRuns(ordersDb.key, versions, writes, writesTotal, long);
    const seen = lines.flatMap((row) => (row.kind === 'version' ? [row.version.resourceVersion] : []));
    expect(seen).toEqual(['482036', '482029', '482021', '482014', '482011', '481907']);
    const place = (rv: string) =>
      lines.findIndex((row) => row.kind === 'version' && row.version.resourceVersion === rv);
    const head = lines[place('482036') - 1];
    expect(head?.kind === 'run' && head.run.versions).toHaveLength(2);
    expect(lines[place('482029')]).not.toHaveProperty('run');
    expect(lines[place('482021')]).toHaveProperty('run');
  });
  it('put a run of a coarse time after what woke it and before what it wrote', () => {
    const second = (run: (typeof runs)[number]) => {
      const lo = Math.floor(run.start.lo / 1000) * 1000;
      return { ...run, start: { lo, hi: lo + 999 } };
    };
    const coarse = timelineRuns(ordersDb.key, versions, writes, writesTotal, runs.map(second));
    expect(coarse.slice(-3).map(told)).toEqual(['  482014', '  482011', '  481907']);
  });
  it('tell refused writes by their runs', () => {
    expect(rows.some(({ kind }) => kind === 'refused')).toBe(false);
  });
  it('tell them by the error of the run where no audit saw the write', () => {
    const heard = runs.map((run) => ({ ...run, notStored: 0 }));
    const lines = timelineRuns(ordersDb.key, versions, writes, writesTotal, heard);
    expect(lines.some(({ kind }) => kind === 'refused')).toBe(false);
  });
  it('keep refused writes that no run tells of', () => {
    const early = runs.filter(({ notStored }) => notStored === 0);
    const left = timelineRuns(ordersDb.key, versions, writes, writesTotal, early);
    expect(left[0]?.kind === 'refused' && left[0].stretch.writes).toHaveLength(17);
  });
  it('never put a version under a run by time alone', () => {
    const silent = runs.map(({ versions: _, ...run }) => run);
    const apart = timelineRuns(ordersDb.key, versions, writes, writesTotal, silent);
    expect(apart.some((row) => row.kind === 'version' && row.run !== undefined)).toBe(false);
  });
  it('begin with a run that failed, else with the newest version', () => {
    expect(runChosenFirst(rows, versions.length)).toBe(runs[0]?.id);
    const well = rows.filter((row) => row.kind !== 'run' || row.run.result !== 'error');
    expect(well[0]?.kind).toBe('run');
    expect(runChosenFirst(well, versions.length)).toBeUndefined();
    expect(runChosenFirst(well, 0)).toBe(well[0]?.id);
    expect(runChosenFirst([], 0)).toBeUndefined();
  });
  it('begin with the run that failed below what the first list found', () => {
    const [version] = rows.filter((row) => row.kind === 'version');
    if (version?.kind !== 'version') throw new Error('no version');
    const listed: RunRow = { ...version, version: { ...version.version, op: 'listed' } };
    expect(runChosenFirst([listed, ...rows], versions.length)).toBe(runs[0]?.id);
    expect(runChosenFirst([version, ...rows], versions.length)).toBeUndefined();
  });
  it('are those of the versions where no run is known', () => {
    expect(timelineRuns(ordersDb.key, versions, writes, writesTotal, [])).toEqual(
      timelineRows(versions, writes, writesTotal),
    );
  });
});
