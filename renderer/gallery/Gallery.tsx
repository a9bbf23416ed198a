import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Locale } from '../format/format.ts';
import { I18nProvider } from '../i18n/i18n.tsx';
import { Segmented } from '../widgets/controls.tsx';
import { entries } from './entries/index.ts';
import type { Entry, Sample } from './entry.ts';
import { addForcedRules, forcedClass } from './forceStates.ts';
import './gallery.css';

type Themes = 'dark' | 'light' | 'both';
type Locales = Locale | 'both';

/** Every widget in each of its states: for people who work on the window. */
export function Gallery(props: { readonly theme: Themes; readonly locale: Locales }): ReactNode {
  const [theme, setTheme] = useState(props.theme);
  const [locale, setLocale] = useState(props.locale);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    addForcedRules();
    setReady(true);
  }, []);
  const themes = theme === 'both' ? (['dark', 'light'] as const) : [theme];
  const locales = locale === 'both' ? (['en', 'zh-CN'] as const) : [locale];
  return (
    <div className="gallery" data-theme={theme === 'light' ? 'light' : 'dark'}>
      <nav className="galleryNav" aria-label="Widgets">
        <h1 className="title">Widgets</h1>
        <Segmented<Themes>
          label="Theme"
          value={theme}
          options={[
            { value: 'dark', label: 'Dark' },
            { value: 'light', label: 'Light' },
            { value: 'both', label: 'Both' },
          ]}
          onChange={setTheme}
        />
        <Segmented<Locales>
          label="Language"
          value={locale}
          options={[
            { value: 'en', label: 'English' },
            { value: 'zh-CN', label: '中文' },
            { value: 'both', label: 'Both' },
          ]}
          onChange={setLocale}
        />
        <ul>
          {entries.map((entry) => (
            <li key={entry.id}>
              <a href={`#${entry.id}`}>{entry.shows.join(', ')}</a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="galleryMain" data-ready={ready}>
        {entries.map((entry) => (
          <section key={entry.id} id={entry.id} className="galleryItem">
            <h2 className="title">{entry.shows.join(', ')}</h2>
            <p className="mono tertiary">{entry.props}</p>
            <div className="gallerySheets">
              {themes.flatMap((one) =>
                locales.map((language) => (
                  <Sheet key={`${one} ${language}`} entry={entry} theme={one} locale={language} />
                )),
              )}
            </div>
          </section>
        ))}
      </main>
    </div>
  );
}

/** All samples of a widget in one theme and one language. */
function Sheet(props: {
  readonly entry: Entry;
  readonly theme: 'dark' | 'light';
  readonly locale: Locale;
}): ReactNode {
  return (
    <div className="gallerySheet" data-theme={props.theme} lang={props.locale}>
      <I18nProvider locale={props.locale}>
        {props.entry.samples.map((sample) => (
          <SampleBox key={sample.state} sample={sample} />
        ))}
      </I18nProvider>
    </div>
  );
}

function SampleBox({ sample }: { readonly sample: Sample }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { force } = sample;
  useLayoutEffect(() => {
    if (force === undefined) return;
    const target = box.current?.querySelector(
      'button, input, select, [role="separator"], [role="grid"], [tabindex="0"]',
    );
    target?.classList.add(forcedClass[force]);
  }, [force]);
  return (
    <div className={sample.wide === true ? 'gallerySample galleryWide' : 'gallerySample'}>
      <span className="label">{sample.state}</span>
      <div ref={box} className="galleryNode">
        {sample.node}
      </div>
    </div>
  );
}
