/**
 * Messages: whole sentences with `{name}` places, one per language, never glued parts. An English text may have two
 * forms, `one||many`, chosen by the number `n`; Chinese has one.
 */
import { formatNumber, type Locale } from '../format/format.ts';

export interface Message {
  readonly en: string;
  readonly zh: string;
}
export type MessageParams = Readonly<Record<string, string | number>>;

/** One part of a formatted message: text, or a named place that the caller fills with an element. */
export type MessagePart = { readonly text: string } | { readonly place: string };

export function pickForm(message: Message, locale: Locale, params: MessageParams | undefined): string {
  const text = locale === 'zh-CN' ? message.zh : message.en;
  const forms = text.split('||');
  if (forms.length < 2) return text;
  return (params?.n === 1 ? forms[0] : forms[1]) as string;
}

/** Fills the places; numbers get thousands of the locale. A place without a value stays visible as `{name}`. */
export function formatMessage(message: Message, locale: Locale, params?: MessageParams): string {
  return splitMessage(pickForm(message, locale, params))
    .map((part) => {
      if ('text' in part) return part.text;
      const value = params?.[part.place];
      if (value === undefined) return `{${part.place}}`;
      return typeof value === 'number' ? formatNumber(value, locale) : value;
    })
    .join('');
}

export function splitMessage(text: string): readonly MessagePart[] {
  const parts: MessagePart[] = [];
  let last = 0;
  for (const match of text.matchAll(/\{([a-zA-Z]+)\}/g)) {
    if (match.index > last) parts.push({ text: text.slice(last, match.index) });
    parts.push({ place: match[1] as string });
    last = match.index + match[0].length;
  }
  if (last < text.length) parts.push({ text: text.slice(last) });
  return parts;
}

/** Names of the places of a text, sorted, each once. */
export function placesOf(text: string): readonly string[] {
  return [...new Set(splitMessage(text).flatMap((part) => ('place' in part ? [part.place] : [])))].sort();
}
