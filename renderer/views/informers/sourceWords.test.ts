import { describe, expect, test } from 'vitest';
import type { SourceRow } from '../../../shared/contract/views/traces.ts';
import { compileFilter } from '../../../shared/model/filter.ts';
import { sourceRows, watchesOnly } from '../../testing/incident/sourcePage.ts';
import {
  basisOf,
  compareSources,
  formatSigned,
  isCounted,
  isSkewed,
  isWholeSeconds,
  sourceSchema,
  verdictOf,
} from './sourceWords.ts';

function row(more: Partial<SourceRow>): SourceRow {
  return {
    id: 'log:1',
    kind: 'log',
    label: 'operator.log',
    state: 'live',
    detail: '',
    records: 10,
    unparsed: 0,
    late: 0,
    gaps: 0,
    attached: true,
    ...more,
  };
}
const ahead = row({ skew: { ms: 1200, errorMs: 40, samples: 38 } });

describe('[SPG1] the order of the list', () => {
  test('what is wrong, what is brought, what is watched, what may not be read', () => {
    const rows = [
      row({ id: 'forbidden', kind: 'watch', state: 'forbidden' }),
      row({ id: 'pods', kind: 'watch' }),
      row({ id: 'gap', kind: 'watch', gaps: 1 }),
      row({ id: 'log' }),
      { ...ahead, id: 'ahead' },
      row({ id: 'podLog', kind: 'podLog', state: 'forbidden' }),
      row({ id: 'failed', state: 'failed' }),
    ];
    expect(rows.sort(compareSources).map(({ id }) => id)).toEqual([
      'podLog',
      'failed',
      'ahead',
      'log',
      'gap',
      'pods',
      'forbidden',
    ]);
  });
  test('is one order, whatever order the rows came in', () => {
    const sorted = [...sourceRows].sort(compareSources);
    expect([...sourceRows].reverse().sort(compareSources)).toEqual(sorted);
  });
});

describe('[SPG2] the sentence', () => {
  test('counts what the bar above counts: rows told by watches are none of their own', () => {
    const rows = [
      row({}),
      row({ id: 'pods', kind: 'watch' }),
      row({ id: 'managedFields', kind: 'managedFields' }),
      row({ id: 'events', kind: 'events' }),
    ];
    expect(verdictOf(rows)).toEqual({ kind: 'heard', n: 2 });
    expect(rows.filter(isCounted).map(({ id }) => id)).toEqual(['log:1', 'pods']);
  });
  test('says that watches are lost, not that one of them cannot be read', () => {
    const lost = { kind: 'watch', state: 'lost' } as const;
    const rows = [row({}), row({ id: 'pods', ...lost }), row({ id: 'secrets', ...lost })];
    expect(verdictOf(rows)).toEqual({ kind: 'lost', n: 2 });
    expect(rows.sort(compareSources)[0]?.id).toBe('log:1');
  });
  test('does not count what ended among what is heard', () => {
    const rows = [row({}), row({ id: 'import', kind: 'audit', state: 'ended' })];
    expect(verdictOf(rows)).toEqual({ kind: 'heard', n: 1 });
  });
  test('says that nothing may be read where only rows that are not counted tell anything', () => {
    const rows = [
      row({ id: 'pods', kind: 'watch', state: 'forbidden' }),
      row({ id: 'events', kind: 'events' }),
    ];
    expect(verdictOf(rows)).toEqual({ kind: 'forbidden', n: 1 });
  });
  test('names what failed before a clock that is off, and that before what is missing', () => {
    expect(verdictOf([ahead, row({ state: 'failed' })])).toMatchObject({ kind: 'failed' });
    expect(verdictOf([row({ kind: 'watch', state: 'forbidden' }), ahead])).toEqual({
      kind: 'skewed',
      row: ahead,
    });
    expect(verdictOf(watchesOnly)).toEqual({ kind: 'noFeed' });
    expect(verdictOf([row({ kind: 'watch', state: 'forbidden' })])).toEqual({ kind: 'forbidden', n: 1 });
    expect(verdictOf([row({}), row({ kind: 'watch' })])).toEqual({ kind: 'heard', n: 2 });
    expect(verdictOf([])).toEqual({ kind: 'none' });
  });
  test('of several clocks it names the one that is off most', () => {
    const behind = row({ id: 'b', skew: { ms: -4000, errorMs: 10, samples: 9 } });
    expect(verdictOf([ahead, behind])).toEqual({ kind: 'skewed', row: behind });
  });
});

describe('[SPG3] clocks and stamps', () => {
  test('half a second is where a clock is worth a word', () => {
    expect(isSkewed(ahead)).toBe(true);
    expect(isSkewed({ skew: { ms: -501, errorMs: 0, samples: 1 } })).toBe(true);
    expect(isSkewed({ skew: { ms: 500, errorMs: 900, samples: 1 } })).toBe(false);
    expect(isSkewed({})).toBe(false);
  });
  test('signs', () => {
    expect([1200, -40, 0].map(formatSigned)).toEqual(['+1.2 s', '−40 ms', '0 ms']);
  });
  test('whole seconds are said where stamps have no finer step', () => {
    expect(isWholeSeconds({ resolutionMs: 1000 })).toBe(true);
    expect(isWholeSeconds({ resolutionMs: 1 })).toBe(false);
    expect(isWholeSeconds({})).toBe(false);
  });
});

test('[SPG4] audit and watches are observed, what the operator says is reported', () => {
  const kinds = [
    'watch',
    'audit',
    'lease',
    'managedFields',
    'log',
    'podLog',
    'metrics',
    'podMetrics',
    'events',
  ] as const;
  expect(kinds.map((kind) => basisOf(kind).kind)).toEqual([
    ...Array.from({ length: 4 }, () => 'observed'),
    ...Array.from({ length: 5 }, () => 'reported'),
  ]);
});

test('[SPG5] the filter finds by kind, state, clock and basis', () => {
  function found(text: string): readonly string[] {
    return sourceRows.filter(compileFilter(text, sourceSchema).test).map(({ id }) => id);
  }
  expect(found('skew>500ms')).toEqual([expect.stringMatching(/^podLog:/)]);
  expect(found('state:failed')).toEqual(['audit:1']);
  expect(found('basis:reported kind:log unparsed>0')).toEqual(['log:1']);
  expect(found('lag>2s')).toEqual(['watch:core/v1/pods']);
});
