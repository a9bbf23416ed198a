import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { SessionRow } from '../../../shared/contract/views/sessions.ts';
import { compileFilter } from '../../../shared/model/filter.ts';
import { createI18n, I18nProvider } from '../../i18n/i18n.tsx';
import { ClockContext, frozenClock } from '../../state/clock.ts';
import { sessionSchema } from '../../state/listSchemas.ts';
import { recordingRow, sessions } from '../../testing/incident/library.ts';
import { at, moment } from '../../testing/incident/time.ts';
import { WhatIsLost } from './DeleteDialog.tsx';
import { factsOf } from './RecentSessions.tsx';
import { beyondRetention, parseRetention, printRetention } from './retention.ts';
import { dayWords, deleteBlocked, lengthWords, nextOrder, orderSessions, whenWords } from './sessionWords.ts';

const en = createI18n('en');
const zh = createI18n('zh-CN');
const dayMs = 86_400_000;

function named(name: string): SessionRow {
  const row = sessions.find((each) => each.name === name);
  if (row === undefined) throw new Error(`the incident has no session ${name}`);
  return row;
}

describe('words', () => {
  it('says today, yesterday, the day, and the year only when it is another', () => {
    expect(whenWords(at('13:02:11'), moment, en)).toBe('today 13:02');
    expect(whenWords(at('23:59:59') - dayMs, moment, en)).toBe('yesterday 23:59');
    expect(whenWords(at('09:40:12') - 3 * dayMs, moment, en)).toBe('11 Sep 09:40');
    expect(whenWords(at('09:40:12') - 3 * dayMs, moment, zh)).toBe('9 月 11 日 09:40');
    expect(dayWords(new Date(2025, 11, 31).getTime(), moment, 'en')).toBe('31 Dec 2025');
    expect(dayWords(new Date(2025, 11, 31).getTime(), moment, 'zh-CN')).toBe('2025 年 12 月 31 日');
  });
  it('counts in seconds, minutes, hours', () => {
    expect([0, 48_400, 41 * 60_000, 402 * 60_000].map((ms) => lengthWords(ms, en))).toEqual([
      '0 s',
      '48 s',
      '41 min',
      '6 h 42 min',
    ]);
  });
  it('tells of each state what the list has room for', () => {
    expect(factsOf(named('kind-dev, e2e run 218'), en)).toBe('18 min, 64,022 records');
    expect(factsOf(named('prod-eu, billing-operator'), en)).toBe(
      '6 h 42 min, 1,402,771 records · not closed',
    );
    expect(factsOf(named('lab'), en)).toBe('cannot be opened');
    expect(factsOf(recordingRow, en)).toBe('32 min, 184,213 records · recording now');
  });
});

describe('list', () => {
  it('orders by each column, ties newest first, and begins names with A', () => {
    const bySize = orderSessions(sessions, { by: 'size', down: true }).map((row) => row.bytes);
    expect(bySize).toEqual([...bySize].sort((a, b) => b - a));
    const byContext = orderSessions(sessions, nextOrder({ by: 'started', down: true }, 'context'));
    expect(byContext.slice(0, 2).map((row) => row.name)).toEqual([
      'kind-dev, e2e run 218',
      'kind-dev, database-operator',
    ]);
    expect(nextOrder({ by: 'size', down: true }, 'size')).toEqual({ by: 'size', down: false });
    expect(nextOrder({ by: 'name', down: false }, 'records')).toEqual({ by: 'records', down: true });
  });
  it('filters by all words over name, context, operator and file', () => {
    const found = (text: string) => sessions.filter(compileFilter(text, sessionSchema).test).length;
    expect([found(''), found('kind-dev'), found('KIND 218'), found('2026-09-11'), found('nothing')]).toEqual([
      7, 2, 1, 1, 0,
    ]);
  });
  it('never offers to delete what is written or on screen', () => {
    const row = named('orders-db incident');
    expect(deleteBlocked(recordingRow, undefined)).toBe('sessions.delete.recording');
    expect(deleteBlocked({ ...row, state: 'elsewhere' }, undefined)).toBe('sessions.delete.elsewhere');
    expect(deleteBlocked(row, row.path)).toBe('sessions.delete.shown');
    expect(deleteBlocked(row, undefined)).toBeUndefined();
    expect(deleteBlocked(named('lab'), undefined)).toBeUndefined();
  });
});

describe('retention', () => {
  const all = [recordingRow, ...sessions];
  const namesOf = (rows: readonly SessionRow[]) => rows.map((row) => row.name);
  it('takes those beyond the number, oldest first; kept ones do not count', () => {
    expect(namesOf(beyondRetention(all, { keep: 3, maxBytes: 1e12 }))).toEqual([
      'partner, queue-operator',
      'kind-dev, database-operator',
      'prod-eu, billing-operator',
    ]);
    expect(beyondRetention(all, { keep: 7, maxBytes: 1e12 })).toEqual([]);
  });
  it('takes the oldest while all together are too large', () => {
    const bytes = all.reduce((sum, row) => sum + row.bytes, 0);
    expect(namesOf(beyondRetention(all, { keep: 100, maxBytes: bytes - 1 }))).toEqual([
      'partner, queue-operator',
    ]);
    expect(namesOf(beyondRetention(all, { keep: 100, maxBytes: bytes - 3_000_000 }))).toEqual([
      'partner, queue-operator',
      'kind-dev, database-operator',
    ]);
  });
  it('leaves what is kept, written, unreadable or on screen, however little may stay', () => {
    const shown = named('kind-dev, e2e run 218').path;
    const left = all.filter((row) => !beyondRetention(all, { keep: 1, maxBytes: 1 }, shown).includes(row));
    expect(namesOf(left)).toEqual([
      'staging-eu, database-operator',
      'orders-db incident',
      'kind-dev, e2e run 218',
      'lab',
    ]);
    expect(left[0]?.state).toBe('recording');
  });
  it('reads back what it prints, and names the field that is wrong', () => {
    const retention = { keep: 12, maxBytes: 2_500_000_000 };
    expect(parseRetention(printRetention(retention))).toEqual(retention);
    expect(parseRetention({ keep: '10', gigabytes: '0,5' })).toEqual({ keep: 10, maxBytes: 500_000_000 });
    for (const keep of ['', '0', '1.5', '1001', 'ten'])
      expect(parseRetention({ keep, gigabytes: '2' })).toBe('badKeep');
    for (const gigabytes of ['', '0', '-1', 'much'])
      expect(parseRetention({ keep: '10', gigabytes })).toBe('badSize');
  });
});

describe('deleting', () => {
  const textOf = (row: SessionRow) =>
    renderToStaticMarkup(
      <I18nProvider locale="en">
        <ClockContext value={frozenClock(moment)}>
          <WhatIsLost row={row} />
        </ClockContext>
      </I18nProvider>,
    ).replace(/<[^>]+>/g, '');
  it('says what is lost, and that the user chose to keep it', () => {
    expect(textOf(named('kind-dev, e2e run 218'))).toBe(
      '64,022 records of 18 min, recorded 9 Sep 16:22 (4.4 MB), are lost. They cannot be recorded again. ',
    );
    expect(textOf(named('orders-db incident'))).toContain('You chose to keep it.');
  });
  it('does not count the records of a file it cannot read', () => {
    expect(textOf(named('lab'))).toMatch(/^The file \(39 MB, of 2 Sep 11:05\) is deleted\..*another version/);
  });
});
