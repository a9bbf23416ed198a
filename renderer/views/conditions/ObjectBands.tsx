/** The bands of one object with their legend, for the Why page and for the Conditions view. */
import type { ReactNode } from 'react';
import type { ConditionsView } from '../../../shared/contract/views/structure.ts';
import type { WhyView } from '../../../shared/contract/views/why.ts';
import { formatMinute, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { type BandMark, type BandRow, type BandSpan, ConditionBands } from '../../widgets/ConditionBands.tsx';
import { useSentences } from '../why/sentenceText.tsx';
import { bandRange, bandRows } from './bandRows.ts';
import { useBandWords } from './useBandWords.ts';

export interface ObjectBandsProps {
  readonly view: ConditionsView;
  readonly why: WhyView | undefined;
  /** With a stretch of the future, and only what the page has room for. */
  readonly mini: boolean;
  readonly title: (from: string, to: string) => ReactNode;
  readonly end?: ReactNode;
  readonly selected?: string | undefined;
  readonly onSelect: (row: BandRow, span: BandSpan) => void;
}

const miniRows = 6;
/** Shorter than this, ms, a stretch is told by its seconds: its minutes may be one. */
const secondsBelow = 300_000;

export function ObjectBands(props: ObjectBandsProps): ReactNode {
  const { view, why, mini } = props;
  const { t, number } = useI18n();
  const { text } = useSentences();
  const words = useBandWords();
  const now = useMoment(1000);
  const mark = why?.mark;
  const nextAt = why?.next?.runsAt;
  const { from } = bandRange(view, now, { causeAt: mark?.at, until: now });
  const to = mini ? untilOf(from, now, nextAt) : now;
  const rows = bandRows(view, words, mini ? 'mini' : 'full');
  const shown = mini ? rows.slice(0, miniRows) : rows;
  const ends = to - from < secondsBelow ? formatTime : formatMinute;
  const refused = view.writes.filter((write) => write.refused).length;
  const items: BandMark[] = view.writes.map((write, index) => ({
    id: `${write.at} ${index}`,
    at: write.at,
    kind: write.refused ? 'cross' : 'dot',
    name: write.refused
      ? t('conditions.write.refused', { time: formatTime(write.at) })
      : t('conditions.write.accepted', { time: formatTime(write.at), manager: write.manager ?? '–' }),
  }));
  if (mini && nextAt !== undefined && why?.next?.ends === 'refused')
    items.push({
      id: 'next',
      at: nextAt,
      kind: 'predicted',
      name: t('conditions.write.next', { time: formatTime(nextAt) }),
    });
  return (
    <section className="objectBands">
      <div className="bandsHead">
        <h3 className="label strong">{props.title(ends(from), ends(to))}</h3>
        <div className="bandsLegend">
          {view.held !== undefined && (
            <span>
              <i className="legendHeld" aria-hidden="true" />
              {t('conditions.legend.held')}
            </span>
          )}
          {mark !== undefined && mark.at >= from && (
            <span>
              <i className="legendCause" aria-hidden="true" />
              {text(mark.text)}
            </span>
          )}
          {refused > 0 && (
            <span>
              <i className="bandMark bandMark-cross" aria-hidden="true" />
              {t('conditions.legend.refused')}
            </span>
          )}
          {view.gaps.some((gap) => (gap.to ?? now) > from) && (
            <span>
              <i className="legendGap" aria-hidden="true" />
              {t('conditions.legend.gap')}
            </span>
          )}
        </div>
        {props.end}
      </div>
      <ConditionBands
        label={t('tab.conditions')}
        from={from}
        to={to}
        now={now}
        nowLabel={mini ? t('conditions.now') : undefined}
        rows={shown}
        {...(view.writes.length === 0
          ? {}
          : {
              marks: {
                label: t('conditions.writes'),
                summary: t('conditions.writes.summary', {
                  accepted: number(view.writesTotal - refused),
                  refused: number(refused),
                }),
                items,
              },
            })}
        cause={
          mark && {
            at: mark.at,
            label: t('conditions.mark', { what: text(mark.text), time: formatTime(mark.at) }),
          }
        }
        gaps={view.gaps.map((gap) => ({
          ...gap,
          name: t('conditions.gap', { time: `${Math.round(((gap.to ?? now) - gap.from) / 100) / 10} s` }),
        }))}
        selected={props.selected}
        onSelect={props.onSelect}
      />
    </section>
  );
}

/** A fifth more than now, or to the next attempt where that is near; on whole minutes in a long stretch. */
function untilOf(from: number, now: number, nextAt: number | undefined): number {
  const span = now - from;
  const near = nextAt !== undefined && nextAt > now && nextAt - now < span * 0.5;
  const until = near ? nextAt + span * 0.01 : now + span * 0.06;
  return span > 240_000 && near ? Math.ceil(until / 60_000) * 60_000 : until;
}
