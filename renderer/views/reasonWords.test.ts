import { describe, expect, it } from 'vitest';
import { common } from '../i18n/messages/common.ts';
import { reasonWord } from './reasonWords.ts';

describe('reasonWord', () => {
  it.each(['no-operator', 'choose-operator', 'no-controller', 'not-connected'])(
    'has a sentence for %s',
    (code) => {
      const word = reasonWord(code);
      if (word === undefined) throw new Error('a known code has a word');
      expect(common[word.key].en).not.toContain(code);
      expect(common[word.key].en).toMatch(/\.$/);
      expect(common[word.key].zh).toMatch(/。$/);
    },
  );
  it('keeps the resources that are not served', () => {
    expect(reasonWord('not-served: widgets.example.com, gadgets')).toEqual({
      key: 'reason.not-served',
      list: 'widgets.example.com, gadgets',
    });
  });
  it('has no word for no reason and for a code it does not know', () => {
    expect(reasonWord(undefined)).toBeUndefined();
    expect(reasonWord('something-else')).toBeUndefined();
  });
});
