import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { I18nProvider } from '../../i18n/i18n.tsx';
import { EditForm } from './EditForm.tsx';

function htmlOf(changed: boolean, locale: 'en' | 'zh-CN', invalid?: string): string {
  return renderToStaticMarkup(
    <I18nProvider locale={locale}>
      <EditForm changed={changed} invalid={invalid} onSave={() => {}} onReset={() => {}}>
        <input />
      </EditForm>
    </I18nProvider>,
  );
}

describe('EditForm', () => {
  it('has nothing to press while nothing is changed', () => {
    expect(htmlOf(false, 'en')).not.toContain('<button');
  });
  it('has the one button that Enter presses once something is changed', () => {
    const html = htmlOf(true, 'en');
    expect(html.match(/type="submit"/g)).toHaveLength(1);
    expect(html).toContain('Save');
    expect(htmlOf(true, 'zh-CN')).toContain('保存');
  });
  it('says why it cannot be saved', () => {
    const html = htmlOf(true, 'en', 'base: not a duration');
    expect(html).toContain('aria-disabled="true"');
    expect(html).toContain('base: not a duration');
  });
});
