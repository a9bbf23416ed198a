/** Sentences of the engine in the window's language: places filled by what their name says they are. */
import { Fragment, type ReactNode, useMemo } from 'react';
import type { Sentence } from '../../../shared/contract/views/why.ts';
import {
  formatDurationWords,
  formatNumber,
  formatTime,
  formatTimeMs,
  type Locale,
} from '../../format/format.ts';
import { catalogue, type MessageKey } from '../../i18n/catalogue.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { pickForm, splitMessage } from '../../i18n/message.ts';
import { useMoment } from '../../state/useConnection.ts';

type Param = Sentence['params'][string];

/** A part of a sentence: text, or the value of a place. `turns`: inside what the sentence turns on. */
interface Part {
  readonly place: string | undefined;
  readonly text: string;
  readonly turns: boolean;
}

/** The sentence in parts; an id this window does not know gives its id, so that nothing is said wrongly. */
export function sentenceParts(sentence: Sentence, locale: Locale, now: number): readonly Part[] {
  const message = catalogue[`why.${sentence.id}` as MessageKey] as (typeof catalogue)[MessageKey] | undefined;
  if (message === undefined) return [{ place: undefined, text: sentence.id, turns: false }];
  const { n } = sentence.params;
  const text = pickForm(message, locale, typeof n === 'number' ? { n } : undefined);
  return text.split(/\[\[|\]\]/).flatMap((piece, index) =>
    splitMessage(piece).map((part) => {
      const turns = index % 2 === 1;
      if ('text' in part) return { place: undefined, text: part.text, turns };
      const value = sentence.params[part.place];
      const shown = value === undefined ? `{${part.place}}` : placeText(part.place, value, locale, now);
      return { place: part.place, text: shown, turns };
    }),
  );
}

export function sentenceText(sentence: Sentence, locale: Locale, now: number): string {
  return sentenceParts(sentence, locale, now)
    .map(({ text }) => text)
    .join('');
}

/** What a place shows, by the ending of its name (shared/model/whySentences.ts). */
export function placeText(place: string, value: Param, locale: Locale, now: number): string {
  if (typeof value === 'object') return value.join(locale === 'zh-CN' ? '、' : ', ');
  if (typeof value === 'string') return value;
  if (place.endsWith('ForAt')) return ageWords(now - value, locale);
  if (place.endsWith('ExactAt')) return withDate(value, now, formatTimeMs(value));
  if (place.endsWith('At')) return withDate(value, now, formatTime(value));
  if (place.endsWith('Ms')) return formatDurationWords(value, locale);
  return formatNumber(value, locale);
}

/** Whole seconds: an age that is shown while it grows must not jitter. */
export function ageWords(ms: number, locale: Locale): string {
  return formatDurationWords(Math.max(1000, Math.floor(Math.max(0, ms) / 1000) * 1000), locale);
}

/** A moment of another day says which. */
function withDate(at: number, now: number, time: string): string {
  const [day, today] = [new Date(at), new Date(now)];
  if (day.toDateString() === today.toDateString() || now === 0) return time;
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())} ${time}`;
}

/** A name that a line must not break at its hyphens. */
function isName(text: string): boolean {
  return text.length <= 36 && text.includes('-') && !/\s/.test(text);
}

/** Sentences as of the moment on screen, moving once a second. */
export function useSentences(): {
  readonly text: (sentence: Sentence) => string;
  readonly rich: (sentence: Sentence, tone?: string) => ReactNode;
} {
  const { locale } = useI18n();
  const now = useMoment(1000);
  return useMemo(
    () => ({
      text: (sentence) => sentenceText(sentence, locale, now),
      rich: (sentence, tone) =>
        sentenceParts(sentence, locale, now).map(({ place, text, turns }, index) => {
          const id = `${index}`;
          const whole = place !== undefined && isName(text) ? 'whole' : '';
          if (turns && tone !== undefined)
            return (
              <span key={id} className={`${tone} ${whole}`.trim()}>
                {text}
              </span>
            );
          if (place === 'manager') return <strong key={id}>{text}</strong>;
          if (whole === '') return <Fragment key={id}>{text}</Fragment>;
          return (
            <span key={id} className={whole}>
              {text}
            </span>
          );
        }),
    }),
    [locale, now],
  );
}
