/** What of a run is said in the language of the window: results, triggers, what follows. */
import { type ReactNode, useMemo } from 'react';
import type { SpanRow, Trigger } from '../../../shared/model/trace.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { attemptOf, lengthWords, resultOf, subjectWords, timeWords } from './spanWords.ts';

export interface SpanWords {
  /** `error`, `requeue after`. */
  readonly result: (row: Pick<SpanRow, 'result' | 'end'>) => string;
  /** `error after 41.2 ms`; what of this has no length, or no known result, is left out. */
  readonly ended: (row: Pick<SpanRow, 'result' | 'end' | 'durationMs'>) => string;
  /** `Reconcile 17`, or `Reconcile` for a run that nothing numbers. */
  readonly title: (row: Pick<SpanRow, 'result' | 'failures'>) => string;
  /** `Reconcile 17 of 14:09:20.649`. */
  readonly name: (row: Pick<SpanRow, 'result' | 'failures' | 'start'>) => string;
  /** What the operator wrote itself is said so. */
  readonly trigger: (trigger: Pick<Trigger, 'type' | 'text' | 'subject' | 'writer'> | undefined) => string;
}

export function useSpanWords(): SpanWords {
  const { t } = useI18n();
  return useMemo(
    () => ({
      result: (row) => t(`span.result.${resultOf(row)}`),
      ended: (row) => {
        const kind = resultOf(row);
        const result = t(`span.result.${kind}`);
        if (row.durationMs === undefined || kind === 'running') return result;
        const time = lengthWords(row.durationMs);
        switch (kind) {
          case 'unknown':
            return t('span.took', { time });
          case 'requeue':
          case 'requeue-after':
            return t('span.took.result', { result, time });
          default:
            return t('span.after', { result, time });
        }
      },
      title: (row) => {
        const attempt = attemptOf(row);
        return attempt === undefined ? t('span.head') : t('span.head.attempt', { attempt });
      },
      name: (row) => {
        const attempt = attemptOf(row);
        const time = timeWords(row.start);
        return attempt === undefined ? t('span.of', { time }) : t('span.of.attempt', { attempt, time });
      },
      trigger: (trigger) => {
        if (trigger === undefined) return t('span.trigger.unseen');
        const { type, subject } = trigger;
        switch (type) {
          case 'retry':
          case 'requeue':
          case 'requeue-after':
          case 'unseen':
            return t(`span.trigger.${type}`);
          case 'relist':
          case 'initial':
          case 'resync':
            return subject === undefined
              ? trigger.text
              : t(`span.trigger.${type}`, { subject: kindOf(subject) });
          case 'ADDED':
          case 'MODIFIED':
          case 'DELETED':
            return subject === undefined
              ? trigger.text
              : t(objectTrigger(trigger.writer), { subject: kindOf(subject), type });
        }
      },
    }),
    [t],
  );
}

function objectTrigger(writer: Trigger['writer']) {
  if (writer?.own !== true) return 'span.trigger.object';
  return writer.subresource === 'status' ? 'span.trigger.object.ownStatus' : 'span.trigger.object.own';
}

function kindOf(subject: string): string {
  return subject.split('/')[0] ?? subject;
}

/** The object of a trigger, its kind louder than its name. */
export function Subject({ subject }: { readonly subject: string }): ReactNode {
  const words = subjectWords(subject);
  const space = words.indexOf(' ');
  return (
    <>
      {words.slice(0, space)} <span className="tertiary">{words.slice(space + 1)}</span>
    </>
  );
}
