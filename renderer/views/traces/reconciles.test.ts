import { describe, expect, it } from 'vitest';
import { spanSchema } from '../../../shared/contract/views/spanFilter.ts';
import { compileFilter } from '../../../shared/model/filter.ts';
import { spans } from '../../testing/incident/traces.ts';
import { holdRows } from './held.ts';
import { newestRun } from './RunLink.tsx';
import { hasTerm, quickFilters, toggleTerm } from './reconcileChips.ts';
import { newestFirst } from './runOrder.ts';
import { runTo } from './useRunSteps.ts';
import { verdictGlyph } from './WalkList.tsx';

describe('quick filters', () => {
  it('put their term to what is typed, and take it away again', () => {
    const typed = 'orders "image pull" -result:success';
    const more = toggleTerm(typed, 'result:error');
    expect(more).toBe(`${typed} result:error`);
    expect(hasTerm(more, 'result:error')).toBe(true);
    expect(toggleTerm(more, 'result:error')).toBe(typed);
    expect(toggleTerm('', 'refused>0')).toBe('refused>0');
  });
  it('are understood by the list, each finds some and leaves some of the incident', () => {
    for (const { id, term } of quickFilters) {
      const { test, problems } = compileFilter(term, spanSchema);
      const found = spans.filter(test);
      expect(problems, id).toEqual([]);
      expect(found.length, id).toBeGreaterThan(0);
      expect(found.length, id).toBeLessThan(spans.length);
    }
  });
  it('find every way to fail among the errors', () => {
    const { test } = compileFilter('result:error', spanSchema);
    const found = new Set(spans.filter(test).map(({ result }) => result));
    expect(found).toEqual(new Set(['error', 'terminal', 'panic']));
    expect(spans.filter(compileFilter('result:panic', spanSchema).test)).toHaveLength(1);
  });
});

describe('the list while one reads', () => {
  const all = newestFirst(spans);
  const read = all.slice(5, 25);
  it('keeps its rows and counts what came above', () => {
    const held = holdRows(read, all);
    expect(held.rows.map(({ id }) => id)).toEqual(read.map(({ id }) => id));
    expect(held.fresh).toBe(5);
  });
  it('tells of each run what is known of it now, and keeps one that is gone', () => {
    const [first, second, ...rest] = read;
    if (first === undefined || second === undefined) throw new Error('too few');
    const ended = { ...first, failures: 99 };
    const held = holdRows(read, [ended, ...rest]);
    expect(held.rows[0]).toBe(ended);
    expect(held.rows[1]).toBe(second);
  });
  it('does not count older runs that came in late', () => {
    expect(holdRows(all.slice(0, 20), all).fresh).toBe(0);
  });
});

describe('steps from run to run', () => {
  const runs = newestFirst(spans.filter(({ key }) => key === 'shop/orders-db'));
  const failed = (row: (typeof runs)[number]) => row.result === 'error';
  it('go later in time for "next", earlier for "previous", and stop at the ends', () => {
    expect(runTo(runs, runs[3]?.id, -1, failed)).toBe(2);
    expect(runTo(runs, runs[3]?.id, 1, failed)).toBe(4);
    expect(runTo(runs, runs[0]?.id, -1, failed)).toBeUndefined();
    expect(runTo(runs, runs.at(-1)?.id, -1, failed)).toBe(16);
  });
  it('begin at the newest one where nothing is chosen', () => {
    expect(runTo(runs, undefined, -1, failed)).toBe(0);
    expect(runTo(runs, 'gone', 1, ({ result }) => result === 'success')).toBe(17);
  });
});

describe('the newest run', () => {
  it('is found whatever the order', () => {
    const orders = spans.filter(({ key }) => key === 'shop/orders-db');
    expect(newestRun([...orders].reverse())?.failures).toBe(16);
    expect(newestRun([])).toBeUndefined();
  });
});

describe('verdicts of a walk', () => {
  it('tell a no as a fault only where it holds the key back', () => {
    expect(verdictGlyph({ verdict: 'no' }, false)).toBe('none');
    expect(verdictGlyph({ verdict: 'no' }, true)).toBe('degraded');
    expect(verdictGlyph({ verdict: 'unknown' }, true)).toBe('unknown');
  });
});
