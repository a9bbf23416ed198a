import { describe, expect, it } from 'vitest';
import { say, whySentences } from '../../../shared/model/whySentences.ts';
import { catalogue, type MessageKey } from '../../i18n/catalogue.ts';
import { placesOf } from '../../i18n/message.ts';
import { ageWords, placeText, sentenceParts, sentenceText } from './sentenceText.tsx';

const now = new Date(2026, 8, 14, 14, 12, 6, 240).getTime();
const ids = Object.keys(whySentences) as (keyof typeof whySentences)[];

describe('templates of what the engine can say', () => {
  it.each(['en', 'zh'] as const)(
    'has one for every id, in %s, with exactly the places the engine fills',
    (locale) => {
      const wrong = ids.flatMap((id) => {
        const message = catalogue[`why.${id}` as MessageKey];
        if (message === undefined) return [`${id}: no template`];
        // `n` may serve to choose the form alone.
        const given = whySentences[id].filter((place: string) => place !== 'n').toSorted();
        const shown = placesOf(message[locale]).filter((place) => place !== 'n');
        return shown.join() === given.join()
          ? []
          : [`${id}: shows ${shown.join()}, is given ${given.join()}`];
      });
      expect(wrong).toEqual([]);
      expect(ids.length).toBeGreaterThan(150);
    },
  );
  it('marks what a sentence turns on in both languages or in none, and closes each mark', () => {
    const marks = (text: string) => text.split('||').map((form) => form.match(/\[\[|\]\]/g)?.join('') ?? '');
    const wrong = ids.filter((id) => {
      const message = catalogue[`why.${id}` as MessageKey];
      const all = [...marks(message.en), ...marks(message.zh)];
      return new Set(all).size > 1 || !/^(\[\[\]\])*$/.test(all[0] ?? '');
    });
    expect(wrong).toEqual([]);
  });
});

describe('sentenceText', () => {
  const lost = say('verdict.refused.lost', {
    type: 'Ready',
    status: 'False',
    operator: 'database-operator',
    verb: 'update',
    resource: 'databases/status',
    lostAt: new Date(2026, 8, 14, 14, 3, 20, 480).getTime(),
  });
  it('fills the places of either language and leaves no mark behind', () => {
    expect(sentenceText(lost, 'en', now)).toBe(
      'Ready stays False because every status write is refused: database-operator lost update on databases/status at 14:03:20.',
    );
    expect(sentenceText(lost, 'zh-CN', now)).toBe(
      'Ready 一直是 False：每次状态写入都被拒绝。database-operator 在 14:03:20 失去了 databases/status 的 update 权限。',
    );
  });
  it('tells what it turns on', () => {
    const turns = sentenceParts(lost, 'zh-CN', now)
      .filter((part) => part.turns)
      .map(({ text }) => text)
      .join('');
    expect(turns).toBe('Falsedatabases/status 的 update 权限');
  });
  it('chooses the form by n and joins lists as the language does', () => {
    expect(sentenceText(say('step.refusals', { n: 1 }), 'en', now)).toContain('1 time');
    expect(sentenceText(say('step.refusals', { n: 17 }), 'en', now)).toContain('17 times');
    const owned = say('check.owned.list', { owned: ['StatefulSet 3/3', 'Secret'] });
    expect(sentenceText(owned, 'en', now)).toBe('StatefulSet 3/3, Secret');
    expect(sentenceText(owned, 'zh-CN', now)).toBe('StatefulSet 3/3、Secret');
  });
  it('shows moments, ages and spans by the ending of the place', () => {
    const at = now - 9 * 60_000 - 55_400;
    expect(placeText('lostAt', at, 'en', now)).toBe('14:02:10');
    expect(placeText('writtenExactAt', at, 'en', now)).toBe('14:02:10.840');
    expect(placeText('sinceForAt', at, 'en', now)).toBe('9m 55s');
    expect(placeText('sinceForAt', at, 'zh-CN', now)).toBe('9 分 55 秒');
    expect(placeText('capMs', 1_000_000, 'en', now)).toBe('16m 40s');
    expect(placeText('record', 160_418, 'en', now)).toBe('160,418');
    expect(placeText('rv', '482044', 'en', now)).toBe('482044');
  });
  it('says the day of a moment that is of another day', () => {
    expect(placeText('sinceAt', now - 86_400_000, 'en', now)).toBe('2026-09-13 14:12:06');
  });
  it('never shows an age of nothing, nor one that jitters', () => {
    expect(ageWords(200, 'en')).toBe('1 s');
    expect(ageWords(-50, 'en')).toBe('1 s');
    expect(ageWords(12_999, 'en')).toBe('12 s');
  });
});
