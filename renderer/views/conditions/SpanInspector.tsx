/** One span of a condition: what it said, who wrote it, how long it lasted against how long others take. */
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type {
  ConditionSpan,
  ConditionsView,
  ConditionTrack,
} from '../../../shared/contract/views/structure.ts';
import { formatDurationWords, formatStamp, formatTime, formatTimeMs } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { openObject } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button } from '../../widgets/controls.tsx';
import { KeyValue, Section } from '../../widgets/parts.tsx';
import { WriterName } from '../objectWords.tsx';
import { ageWords } from '../why/sentenceText.tsx';
import { transitionMoved } from './transition.ts';

export function SpanInspector(props: {
  readonly view: ConditionsView;
  readonly track: ConditionTrack;
  readonly span: ConditionSpan;
}): ReactNode {
  const { t, number, locale } = useI18n();
  const store = useWindowStore();
  const now = useMoment(1000);
  const { view, track, span } = props;
  const current = span.to === undefined;
  const generation = view.generations.findLast(({ from }) => from <= (span.to ?? now));
  const watchedMs = view.from === undefined ? undefined : now - view.from;
  return (
    <>
      <Section
        big
        title={t(current ? 'conditions.stored' : 'conditions.then', { type: track.type })}
        end={<BasisMark basis={span.basis} />}
      >
        <KeyValue
          items={[
            [t('conditions.field.status'), <strong key="status">{span.status}</strong>],
            span.reason !== '' && [t('conditions.field.reason'), span.reason],
            span.message !== '' && [t('conditions.field.message'), span.message],
            span.lastTransitionTime !== undefined && [
              t('conditions.field.transition'),
              <span key="transition" className="mono">
                {formatStamp(span.lastTransitionTime)}
              </span>,
            ],
            [
              t('conditions.field.observed'),
              <span key="seen" className="mono">
                {formatTimeMs(span.from)}
              </span>,
            ],
            span.to !== undefined && [
              t('conditions.field.until'),
              <span key="until" className="mono">
                {formatTimeMs(span.to)}
              </span>,
            ],
            [t('conditions.field.lasted'), ageWords((span.to ?? now) - startOf(span), locale)],
            generation !== undefined && [
              t('conditions.field.generation'),
              t('conditions.generation', {
                observed: `${generation.observed}`,
                generation: `${generation.generation}`,
              }),
            ],
            span.writer !== undefined && [
              t('conditions.field.writer'),
              <WriterName key="writer" writer={span.writer} />,
            ],
          ]}
        />
        {transitionMoved(span) && (
          <p className="small inkDegraded spanDoubt">
            <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
            {t('conditions.transition.rewritten', {
              stated: formatStamp(span.lastTransitionTime ?? ''),
              seen: formatTime(span.from),
            })}
          </p>
        )}
        <p className="patchNote">
          <Button small onClick={() => openObject(store, view.object.key, span.seq)}>
            {t('conditions.version')}
          </Button>
        </p>
      </Section>
      <Section title={track.type}>
        <KeyValue
          items={[
            [t('conditions.field.polarity'), t(`conditions.polarity.${track.polarity}`)],
            [
              t('conditions.field.changes'),
              watchedMs === undefined
                ? number(track.changes)
                : t('conditions.changes', { n: track.changes, time: ageWords(watchedMs, locale) }),
            ],
            track.usualMs !== undefined && [
              t('conditions.field.usual'),
              t('conditions.usual', {
                usual: formatDurationWords(track.usualMs, locale),
                longest: formatDurationWords(track.longestMs ?? track.usualMs, locale),
              }),
            ],
          ]}
        />
      </Section>
    </>
  );
}

/** A write takes place in the second it states; a clock may be off by this much, ms. */
const writeMs = 30_000;

/** When it began: as the object states it, unless what was seen says that it cannot be. */
export function startOf(span: ConditionSpan): number {
  const stated = Date.parse(span.lastTransitionTime ?? '');
  if (Number.isNaN(stated) || stated > span.from) return span.from;
  return span.openStart || span.from - stated < writeMs ? stated : span.from;
}
