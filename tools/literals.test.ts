// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code
// biome-ignore-all lint/style/useTemplate: the texts are source code
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLiterals } from './literals.ts';

const root = join(import.meta.dirname, '..');

/** Proper names that are the same in every language. */
const names: ReadonlySet<string> = new Set([
  'ServiceAccount',
  'English',
  '简体中文',
  'system:serviceaccount:…',
]);
/** A key of the catalogue that a component looks up, or the name of a resource. */
const dotted = /^[a-z]+(\.[\w-]+)+$/;

describe('findLiterals', () => {
  it('finds text, what is read out, and words around a message', () => {
    const source = [
      "const a = <p title='A tip'>Hello {name}</p>;",
      "const b = <p className='not words' aria-label={t('key')}>{'there'} · {n} ms</p>;",
      "const c = `${t('key')} and more`;",
      "const d = 'Total: ' + t('key');",
      "const e = `${t('one')}\\n${t('two')}`;",
    ].join('\n');
    expect(findLiterals('x.tsx', source).map(({ line, text, why }) => `${line} ${why} ${text}`)).toEqual([
      '1 attribute A tip',
      '1 text Hello',
      '2 text there',
      '2 text ms',
      '3 glued and more',
      '4 glued Total:',
    ]);
  });
});

describe('the window', () => {
  it('shows no words that do not come from the catalogue', () => {
    const files = globSync('renderer/**/*.tsx', { cwd: root }).filter(
      (path) => !/[\\/](gallery|testing)[\\/]|\.test\.tsx$/.test(path),
    );
    expect(files.length).toBeGreaterThan(60);
    const found = files.flatMap((path) =>
      findLiterals(path, readFileSync(join(root, path), 'utf8'))
        .filter(({ text }) => !names.has(text) && !dotted.test(text))
        .map(({ line, text, why }) => `${path}:${line}: ${why}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});
