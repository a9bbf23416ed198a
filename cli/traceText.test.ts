import { describe, expect, test } from 'vitest';
import type { Walk } from '../shared/model/trace.ts';
import { durationText, durationWithin, momentText, tableLines } from './columns.ts';
import { concluded, exactly, failing, moment, running } from './testSpans.ts';
import { spanDetail, walkText } from './traceDetail.ts';
import { traceText } from './traceText.ts';

const wide = { width: undefined, controllers: false };

describe('trace for people', () => {
  test('a line a run, oldest first, with marks of how it is known', () => {
    expect(traceText([running, concluded, failing], wide).split('\n')).toEqual([
      'START (UTC)   KEY           WOKEN BY                           WAIT      TOOK  RESULT   WRITES                    NEXT                     ERROR',
      '14:00:01.010  shop/orders   ● Database MODIFIED +1             2 ms     31 ms  error    1, 1 not stored, 1 Event  14:00:01.049 (+3 ms)  ◐  dial tcp 10.0.0.1:5432: connection refused',
      '14:01:00      shop/orders   –                                     –  ≤ 999 ms  unknown  1                         –                     ◌',
      '14:01:30.000  shop/billing  ◌ backoff of 5 ms after failure 1     –   running  running  –                         –                     ◐',
      '',
      '3 runs of 2 keys from 2026-03-10 14:00:01.010: 1 error, 1 unknown, 1 running; 2 writes.',
      '● observed: the API server said it  ◐ reported: the operator said it  ◌ inferred: concluded',
      '',
    ]);
    expect(traceText([failing], { ...wide, controllers: true })).toContain('  database    shop/orders  ');
    expect(traceText([], wide)).toBe('No reconcile was seen.\n');
  });

  test('fits the terminal: long columns are cut, what tells times and results is not', () => {
    for (const width of [160, 120, 100, 80]) {
      const lines = traceText([failing, running], { ...wide, width })
        .split('\n')
        .slice(0, 3);
      expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width);
      expect(lines[1]).toMatch(/^14:00:01.010 {2}shop\/orders.*31 ms {2}error/);
    }
    const at = (width: number) => traceText([failing, running], { ...wide, width }).split('\n')[0];
    expect(at(120)).toMatch(/WAIT.*NEXT.*ERROR/);
    expect(at(80)).not.toMatch(/WAIT|ERROR|NEXT/);
    expect(at(80)).toMatch(/RESULT +WRITES/);
  });

  test('a run in full says every part and how it is known', () => {
    expect(spanDetail(failing).split('\n')).toEqual([
      '◐ 14:00:01.010  database  shop/orders  error after 31 ms',
      `  id        ${failing.id}`,
      '  start     14:00:01.010  reported (log)',
      '  end       14:00:01.041  reported (log)',
      '  woken by  ● 14:00:01.008  Database MODIFIED  Database/shop/orders by kubectl',
      '            ● 14:00:01.009  StatefulSet ADDED  StatefulSet/shop/orders (collapsed into this run)',
      '  waited    2 ms',
      '  read      not observable: no audit log is here, and reads from the cache reach no server',
      '  wrote     ● 14:00:01.020  apply StatefulSet/shop/orders  100 → 110  spec.replicas and 2 more',
      '            ● 14:00:01.030  update Database/shop/orders/status  refused (403): not allowed',
      '  events    ◐ 14:00:01  Warning NotReady: no connection (2 times)',
      '  log       14:00:01.041  error  Reconciler error',
      '  error     dial tcp 10.0.0.1:5432: connection refused',
      '  next      14:00:01.049 (+3 ms)  backoff',
    ]);
  });

  test('control characters of logs do not reach the terminal', () => {
    const odd = { ...failing, error: 'a\u001b[31mb\nc' };
    expect(traceText([odd], wide)).not.toContain('\u001b');
    expect(spanDetail(odd)).toContain('a�[31mb c');
  });

  test('a walk gives its answer first, then its steps', () => {
    const walk: Walk = {
      controller: 'database',
      key: 'shop/orders',
      question: 'notRan',
      answer: 'It waits for its backoff until 14:00:06.',
      decides: 1,
      steps: [
        {
          step: 'watched',
          verdict: 'yes',
          text: 'Its kind is watched.',
          because: [1],
          basis: { kind: 'observed', from: 'watch' },
        },
        {
          step: 'parked',
          verdict: 'no',
          text: 'It is parked.',
          at: exactly(6_000),
          because: [],
          basis: { kind: 'inferred', by: 'x', because: [] },
        },
      ],
    };
    expect(walkText(walk).split('\n')).toEqual([
      'Why does it not run?  database  shop/orders',
      'It waits for its backoff until 14:00:06.',
      '',
      '  ✓ ● watched   Its kind is watched.',
      '  ✖ ◌ parked    It is parked.  (14:00:06.000)  ← decides',
      '',
      '● observed: the API server said it  ◐ reported: the operator said it  ◌ inferred: concluded',
      '',
    ]);
  });
});

describe('columns', () => {
  test('say times and durations as exactly as they are known', () => {
    expect(momentText(exactly(1_020))).toBe('14:00:01.020');
    expect(momentText({ lo: moment(1_000), hi: moment(1_999) })).toBe('14:00:01');
    expect(momentText({ lo: moment(1_200), hi: moment(4_000) })).toBe('~14:00:02');
    expect([0.4, 31, 999.7, 1_280, 12_340, 125_000, 11_520_000].map(durationText)).toEqual([
      '0.4 ms',
      '31 ms',
      '1000 ms',
      '1.28 s',
      '12.3 s',
      '2m 05s',
      '3h 12m',
    ]);
    expect(durationWithin({ lo: 200, hi: 1_100 })).toBe('200 ms … 1.10 s');
    expect(durationWithin(undefined)).toBe('–');
  });

  test('align by characters and cut the longest first', () => {
    const columns = [
      { title: 'A', least: 3 },
      { title: 'N', right: true },
      { title: 'B', least: 2 },
    ];
    const rows = [
      ['abcdefgh', '5', 'xyzxyz'],
      ['é', '12', ''],
    ];
    expect(tableLines(columns, rows)).toEqual(['A          N  B', 'abcdefgh   5  xyzxyz', 'é         12']);
    expect(tableLines(columns, rows, 14)).toEqual(['A      N  B', 'abc…   5  xyz…', 'é     12']);
    // Narrower than the least of all: it stays readable and runs over.
    expect(tableLines(columns, rows, 4)[1]).toBe('ab…   5  x…');
  });
});
