import type { ReactNode } from 'react';
import type { ConditionsView } from '../../../shared/contract/views/structure.ts';
import { formatStamp, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';
import { WriterName } from '../objectWords.tsx';
import { ageWords } from '../why/sentenceText.tsx';
import { bandId, toneOf } from './bandRows.ts';
import { startOf } from './SpanInspector.tsx';

/** The same spans as lines, newest first inside a type: what the bands show, with nothing cut. */
export function ConditionsTable(props: {
  readonly view: ConditionsView;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}): ReactNode {
  const { t, locale } = useI18n();
  const now = useMoment(1000);
  const { view } = props;
  return (
    <table className="conditionsTable">
      <caption className="visuallyHidden">{t('conditions.tracks')}</caption>
      <thead>
        <tr>
          {(['type', 'status', 'reason', 'from', 'for', 'writer', 'notes'] as const).map((column) => (
            <th key={column} scope="col">
              {t(`conditions.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.tracks.flatMap((track) =>
          [...track.spans].reverse().map((span) => {
            const held = view.held !== undefined && span.to === undefined;
            const id = bandId(track.type, span.seq, held);
            const notes = [
              held ? t('conditions.note.held') : '',
              span.gap ? t('conditions.note.gap') : '',
              span.openStart ? t('conditions.note.before') : '',
            ].filter((note) => note !== '');
            const tone = toneOf(track.polarity, span.status);
            return (
              <tr key={id} aria-selected={id === props.selected}>
                <td className="nowrap">
                  <button type="button" onClick={() => props.onSelect(id)}>
                    {track.type}
                  </button>
                </td>
                <td className="nowrap">
                  <StateGlyph state={glyphs[tone]} size={12} /> {span.status}
                </td>
                <td>{span.reason}</td>
                <td className="nowrap mono">
                  {span.openStart && span.lastTransitionTime !== undefined
                    ? formatStamp(span.lastTransitionTime)
                    : formatTime(span.from)}
                </td>
                <td className="nowrap">{ageWords((span.to ?? now) - startOf(span), locale)}</td>
                <td>{span.writer === undefined ? '–' : <WriterName writer={span.writer} />}</td>
                <td className="tertiary">{notes.join(locale === 'zh-CN' ? '、' : ', ')}</td>
              </tr>
            );
          }),
        )}
      </tbody>
    </table>
  );
}

const glyphs: Readonly<Record<ReturnType<typeof toneOf>, GlyphState>> = {
  ok: 'ok',
  failed: 'failed',
  progressing: 'progressing',
  degraded: 'degraded',
  unknown: 'unknown',
  neutral: 'none',
};
