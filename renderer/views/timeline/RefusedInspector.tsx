import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDurationWords, formatTime, formatTimeMs } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button } from '../../widgets/controls.tsx';
import { KeyValue, Section } from '../../widgets/parts.tsx';
import type { RefusedStretch } from './timelineRows.ts';

/** Newest attempts listed; the others are counted. */
const listed = 40;

/** Writes of the status that the API server refused: they changed nothing, so no version tells of them. */
export function RefusedInspector(props: {
  readonly objectKey: string;
  readonly stretch: RefusedStretch;
}): ReactNode {
  const { t, number, locale } = useI18n();
  const store = useWindowStore();
  const { writes, from, to, more } = props.stretch;
  const shown = writes.slice(-listed).reverse();
  const earlier = writes.length - shown.length;
  return (
    <>
      <div className="inspectorHead">
        <h2 className="title">{t('timeline.refused.title')}</h2>
        <span className="inspectorEnd mono">{formatTime(to)}</span>
      </div>
      <Section>
        <KeyValue
          items={[
            [
              t('timeline.refused.count'),
              more ? t('timeline.refused.least', { n: number(writes.length) }) : number(writes.length),
            ],
            [
              t('timeline.refused.first'),
              <span key="first" className="mono">
                {formatTimeMs(from)}
              </span>,
            ],
            writes.length > 1 && [
              t('timeline.refused.last'),
              <span key="last" className="mono">
                {formatTimeMs(to)}
              </span>,
            ],
          ]}
        />
        <p className="small secondary refusedNote">{t('timeline.refused.note')}</p>
        <Button
          small
          icon={<CircleHelp size={14} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => goTo(store, { tab: 'why', object: props.objectKey })}
        >
          {t('timeline.refused.why')}
        </Button>
      </Section>
      <Section
        title={t('timeline.refused.attempts')}
        end={earlier > 0 ? t('timeline.refused.earlier', { n: number(earlier) }) : undefined}
      >
        <ol className="refusedList">
          {shown.map((write, index) => {
            const before = writes[writes.length - index - 2];
            return (
              <li key={`${write.at} ${write.seq ?? index}`}>
                <span className="mono">{formatTimeMs(write.at)}</span>
                <span className="tertiary refusedAfter">
                  {before === undefined
                    ? ''
                    : t('timeline.refused.after', {
                        time: formatDurationWords(write.at - before.at, locale),
                      })}
                </span>
                <BasisMark basis={write.basis} />
              </li>
            );
          })}
        </ol>
      </Section>
    </>
  );
}
