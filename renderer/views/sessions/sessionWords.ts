/** Sessions in words: when, how long, what state; order and filter of the list. */
import type { SessionRow } from '../../../shared/contract/views/sessions.ts';
import { formatMinute, type Locale } from '../../format/format.ts';
import type { I18n } from '../../i18n/i18n.tsx';

const dayMs = 86_400_000;

/** `today 13:02`, `yesterday 09:12`, `11 Sep 09:40`, with the year when it is another one. `now`: ms of the wall clock. */
export function whenWords(ms: number, now: number, { t, locale }: Pick<I18n, 't' | 'locale'>): string {
  const time = formatMinute(ms);
  const days = Math.round((startOfDay(now) - startOfDay(ms)) / dayMs);
  if (days === 0) return t('sessions.today', { time });
  if (days === 1) return t('sessions.yesterday', { time });
  return `${dayWords(ms, now, locale)} ${time}`;
}

/** `11 Sep`, `9 月 11 日`; with the year when it is another one than `now`'s. */
export function dayWords(ms: number, now: number, locale: Locale): string {
  const date = new Date(ms);
  const year = date.getFullYear() === new Date(now).getFullYear() ? '' : `${date.getFullYear()}`;
  if (locale !== 'en') {
    const day = `${date.getMonth() + 1} 月 ${date.getDate()} 日`;
    return year === '' ? day : `${year} 年 ${day}`;
  }
  return `${date.getDate()} ${shortMonth.format(ms)} ${year}`.trim();
}
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short' });

export function isSameDay(a: number, b: number): boolean {
  return startOfDay(a) === startOfDay(b);
}

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

/** `48 s`, `41 min`, `6 h 42 min`. */
export function lengthWords(ms: number, { t }: Pick<I18n, 't'>): string {
  const seconds = Math.round(Math.max(0, ms) / 1000);
  if (seconds < 60) return t('sessions.length.seconds', { n: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t('sessions.length.minutes', { n: minutes });
  return t('sessions.length.hours', { h: Math.floor(minutes / 60), m: minutes % 60 });
}

/** ms; 0 where nothing was recorded. */
export function lengthOf(row: SessionRow): number {
  return Math.max(0, (row.endedAt ?? row.startedAt) - row.startedAt);
}

export type SessionColumn = 'name' | 'context' | 'operator' | 'started' | 'length' | 'records' | 'size';

export interface SessionOrder {
  readonly by: SessionColumn;
  readonly down: boolean;
}

/** Times, lengths and sizes begin with the greatest, names with A. */
export function nextOrder(order: SessionOrder, by: SessionColumn): SessionOrder {
  if (order.by === by) return { by, down: !order.down };
  return { by, down: by !== 'name' && by !== 'context' && by !== 'operator' };
}

export function orderSessions(rows: readonly SessionRow[], order: SessionOrder): readonly SessionRow[] {
  const sign = order.down ? -1 : 1;
  return [...rows].sort((a, b) => sign * compareBy(order.by, a, b) || b.startedAt - a.startedAt);
}

function compareBy(by: SessionColumn, a: SessionRow, b: SessionRow): number {
  switch (by) {
    case 'name':
      return a.name.localeCompare(b.name);
    case 'context':
      return (a.context ?? '').localeCompare(b.context ?? '');
    case 'operator':
      return (a.operator ?? '').localeCompare(b.operator ?? '');
    case 'started':
      return a.startedAt - b.startedAt;
    case 'length':
      return lengthOf(a) - lengthOf(b);
    case 'records':
      return a.records - b.records;
    case 'size':
      return a.bytes - b.bytes;
  }
}

/** Why a session may not be deleted now; undefined when it may. */
export function deleteBlocked(
  row: SessionRow,
  shownPath: string | undefined,
): 'sessions.delete.recording' | 'sessions.delete.elsewhere' | 'sessions.delete.shown' | undefined {
  if (row.state === 'recording') return 'sessions.delete.recording';
  if (row.state === 'elsewhere') return 'sessions.delete.elsewhere';
  return row.path === shownPath ? 'sessions.delete.shown' : undefined;
}
