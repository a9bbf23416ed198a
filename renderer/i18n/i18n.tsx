import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react';
import { formatNumber, type Locale } from '../format/format.ts';
import { catalogue, type MessageKey } from './catalogue.ts';
import { formatMessage, type MessageParams, pickForm, splitMessage } from './message.ts';

export interface I18n {
  readonly locale: Locale;
  /** The message of `key`, its places filled. */
  t(key: MessageKey, params?: MessageParams): string;
  /** The same with elements in the places. */
  rich(key: MessageKey, params: Readonly<Record<string, ReactNode>>): ReactNode;
  number(value: number | undefined): string;
}

export function createI18n(locale: Locale): I18n {
  return {
    locale,
    t: (key, params) => formatMessage(catalogue[key], locale, params),
    rich(key, params) {
      const n = typeof params.n === 'number' ? { n: params.n } : undefined;
      return splitMessage(pickForm(catalogue[key], locale, n)).map((part, index) => {
        const id = `${index}`;
        if ('text' in part) return <Fragment key={id}>{part.text}</Fragment>;
        const value = params[part.place];
        return (
          <Fragment key={id}>{typeof value === 'number' ? formatNumber(value, locale) : value}</Fragment>
        );
      });
    },
    number: (value) => formatNumber(value, locale),
  };
}

const I18nContext = createContext<I18n>(createI18n('en'));

export function I18nProvider(props: { readonly locale: Locale; readonly children: ReactNode }): ReactNode {
  const value = useMemo(() => createI18n(props.locale), [props.locale]);
  return <I18nContext value={value}>{props.children}</I18nContext>;
}

export function useI18n(): I18n {
  return useContext(I18nContext);
}
