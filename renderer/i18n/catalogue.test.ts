import { describe, expect, it } from 'vitest';
import { apiWords } from './apiWords.ts';
import { catalogue, type MessageKey } from './catalogue.ts';
import { createI18n } from './i18n.tsx';
import { type Message, placesOf, splitMessage } from './message.ts';

const entries = Object.entries(catalogue) as [MessageKey, Message][];

describe('catalogue', () => {
  it('has a text in both languages for each key', () => {
    const empty = entries.filter(([, m]) => m.en.trim() === '' || m.zh.trim() === '').map(([key]) => key);
    expect(empty).toEqual([]);
  });
  it('has the same places in both languages and in both English forms', () => {
    const different = entries.filter(([, m]) => {
      const zh = placesOf(m.zh).join();
      const [one = '', many = one] = m.en.split('||');
      return placesOf(many).join() !== zh || placesOf(`${one}{n}`).join() !== placesOf(`${many}{n}`).join();
    });
    expect(different.map(([key]) => key)).toEqual([]);
  });
  it('has Han text in every Chinese message that is more than names', () => {
    const same = entries
      .filter(([, m]) => m.en === m.zh && wordsOf(m.en).some((word) => !apiWords.has(word)))
      .map(([key]) => key)
      .filter((key) => !namesOnly.has(key));
    expect(same).toEqual([]);
  });
  it('puts a space between Han and Latin or digits, and none of the half-width punctuation after Han', () => {
    const bad = entries.filter(([, m]) => /[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]/.test(m.zh));
    expect(bad.map(([key, m]) => `${key}: ${m.zh}`)).toEqual([]);
    expect(entries.filter(([, m]) => /[\u4e00-\u9fff][,;:?]/.test(m.zh)).map(([key]) => key)).toEqual([]);
  });
  it('leaves no English in Chinese text but the words of the API', () => {
    const left = entries.flatMap(([key, m]) => {
      return wordsOf(m.zh)
        .filter((word) => !apiWords.has(word))
        .map((word) => `${key}: ${word}`);
    });
    expect(left).toEqual([]);
  });
  it('has whole sentences: nothing that begins or ends as a part of another', () => {
    const parts = entries.filter(([, m]) =>
      [...m.en.split('||'), m.zh].some((text) => /^[\s,;，、；]|[\s,;，、；]$/.test(text)),
    );
    expect(parts.map(([key]) => key)).toEqual([]);
  });
  it('keeps to the tone: no exclamation, no blame', () => {
    expect(
      entries.filter(([, m]) => /!|！|\boops\b|\bsorry\b/i.test(m.en + m.zh)).map(([key]) => key),
    ).toEqual([]);
  });
});

describe('use of the catalogue', () => {
  const sources = Object.entries(
    import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
  )
    .filter(([path]) => !path.includes('/messages/') && !path.endsWith('.test.ts'))
    .map(([, text]) => text)
    .join('\n');
  it('has no text that nothing shows', () => {
    const unused = entries
      .map(([key]) => key)
      .filter((key) => !sources.includes(`'${key}'`) && !isBuilt(key));
    expect(unused).toEqual([]);
  });
  it('shows no text that the catalogue does not have', () => {
    const asked = [...sources.matchAll(/\b(?:t|rich)\(\s*'([a-zA-Z][\w.-]*)'/g)].map(
      (match) => match[1] ?? '',
    );
    expect(asked.length).toBeGreaterThan(300);
    expect([...new Set(asked)].filter((key) => !(key in catalogue))).toEqual([]);
  });
  /** Keys such as `health.ok` are put together from a template, `health.${health}`. */
  function isBuilt(key: string): boolean {
    for (let at = key.indexOf('.'); at > 0; at = key.indexOf('.', at + 1)) {
      if (sources.includes(`\`${key.slice(0, at + 1)}\${`)) return true;
    }
    return false;
  }
});

describe('createI18n', () => {
  it('fills places, chooses the form by n and formats numbers', () => {
    const { t } = createI18n('en');
    expect(t('top.gaps', { n: 1 })).toBe('1 gap');
    expect(t('top.gaps', { n: 1204 })).toBe('1,204 gaps');
    expect(createI18n('zh-CN').t('top.gaps', { n: 2 })).toBe('2 处缺口');
  });
  it('splits text and places', () => {
    expect(splitMessage('a {b} c')).toEqual([{ text: 'a ' }, { place: 'b' }, { text: ' c' }]);
  });
});

/** Latin words of a text without its places. */
function wordsOf(text: string): readonly string[] {
  return text.replace(/\{[a-zA-Z]+\}/g, '').match(/[A-Za-z]{2,}/g) ?? [];
}

/** Keys whose text is the same in both languages for a reason of its own. */
const namesOnly: ReadonlySet<string> = new Set(['feeds.metrics.placeholder']);
