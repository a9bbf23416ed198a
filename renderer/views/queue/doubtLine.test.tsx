import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { I18nProvider } from '../../i18n/i18n.tsx';
import { WindowContext } from '../../state/useWindow.tsx';
import { createWindowStore } from '../../state/windowState.ts';
import { DoubtLine } from './DoubtLine.tsx';

function markup(locale: 'en' | 'zh-CN', gapsMs: readonly number[], given = false): string {
  return renderToStaticMarkup(
    <I18nProvider locale={locale}>
      <WindowContext value={createWindowStore()}>
        <DoubtLine doubt={{ missed: 9, of: 10, gapsMs }} given={given} />
      </WindowContext>
    </I18nProvider>,
  );
}

it('says which gaps were seen and how many predictions missed, with the way to the profile', () => {
  const text = markup('en', [1000, 3000, 9000, 20_000]);
  expect(text).toContain('The limiter is a guess and does not fit: gaps seen 1 s, 3 s, 9 s, 20 s.');
  expect(text).toContain('9 of the last 10 predictions missed.');
  expect(text).toContain('<button');
  expect(markup('en', [])).toContain('The limiter is a guess and does not fit.');
  expect(markup('en', [1000], true)).toContain('The limiter of the profile does not fit: gaps seen 1 s.');
  expect(markup('zh-CN', [1000])).toContain('观察到的间隔为 1 s。');
});
