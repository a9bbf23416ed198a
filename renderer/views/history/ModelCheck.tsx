import type { ReactNode } from 'react';
import type { ModelCheck } from '../../../shared/contract/views/traces.ts';
import { useTableOf, useValueOf } from '../../client/useEngine.tsx';
import { formatDuration, formatTime, missing } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { Pill } from '../../widgets/controls.tsx';
import { Section } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { reasonWord } from '../reasonWords.ts';
import { type Agreement, agreementOf, type ModelCheckRow, offBy, percentText } from './modelAgreement.ts';
import './modelCheck.css';

/** As the families and their label `result` have them: words of the API. */
const metricNames: Readonly<Record<ModelCheckRow['name'], string>> = {
  adds: 'adds_total',
  retries: 'retries_total',
  depth: 'depth',
  success: 'success',
  error: 'error',
  requeue: 'requeue',
  'requeue-after': 'requeue_after',
};

/** Below this the model is said to be off; above it differs by single units. */
const agrees = 0.99;

/** The meter: how far the model agrees with the metrics. Nothing where there is nothing to compare. */
export function ModelMeter({ controller }: { readonly controller: string }): ReactNode {
  const { t } = useI18n();
  const rows = useValueOf('modelCheck', { controller }, (s) => s.value?.rows);
  const agreement = rows && agreementOf(rows);
  if (agreement === undefined) return null;
  const text =
    agreement.outside.length === 0
      ? t('check.inside')
      : agreement.outside.map((row) => offText(row, t)).join(' ');
  return (
    <Tip text={text}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation must be reachable by key */}
      <span tabIndex={0} className="modelMeter">
        <Pill
          tone={agreement.share >= agrees ? 'ok' : 'degraded'}
          glyph={agreement.share >= agrees ? 'ok' : 'degraded'}
        >
          {t('check.agrees', { percent: percentText(agreement.share) })}
        </Pill>
      </span>
    </Tip>
  );
}

/** The table behind the meter: what the model allows, what was reported, and what explains the rest. */
export function ModelCheckSection({ controller }: { readonly controller: string }): ReactNode {
  const { t } = useI18n();
  const check = useValueOf('modelCheck', { controller }, (s) => s.value);
  if (check === undefined) return null;
  const agreement = agreementOf(check.rows);
  return (
    <Section
      title={t('check.title')}
      end={check.to === undefined ? undefined : t('check.scrape', { time: formatTime(check.to) })}
    >
      {check.rows.length === 0 ? (
        <p className="small secondary">{reasonText(check, t)}</p>
      ) : (
        <CheckTable rows={check.rows} />
      )}
      {check.rows.length > 0 && agreement === undefined && (
        <p className="small secondary checkNote">{t('check.unreported')}</p>
      )}
      {agreement !== undefined && <Explanation check={check} agreement={agreement} />}
    </Section>
  );
}

type T = ReturnType<typeof useI18n>['t'];

function reasonText(check: ModelCheck, t: T): string {
  const word = reasonWord(check.reason);
  if (word !== undefined) return t(word.key, { list: word.list });
  return check.reason ?? t('check.none');
}

function CheckTable({ rows }: { readonly rows: readonly ModelCheckRow[] }): ReactNode {
  const { t, number } = useI18n();
  return (
    <table className="checkTable">
      <thead>
        <tr>
          <th scope="col">{t('check.column.metric')}</th>
          <th scope="col" className="number">
            {t('check.column.model')}
          </th>
          <th scope="col" className="number">
            {t('check.column.reported')}
          </th>
          <th scope="col" className="number">
            {t('check.column.off')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const off = offBy(row);
          return (
            <tr key={row.name}>
              <th scope="row">{metricNames[row.name]}</th>
              <td className="number">
                {row.model.lo === row.model.hi
                  ? number(row.model.lo)
                  : `${number(row.model.lo)} – ${number(row.model.hi)}`}
              </td>
              <td className="number">{number(row.reported)}</td>
              <td className="number">
                {off === undefined ? (
                  missing
                ) : off === 0 ? (
                  <span className="tertiary">0</span>
                ) : (
                  <strong className="inkDegraded">{number(Math.abs(off))}</strong>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Explanation(props: { readonly check: ModelCheck; readonly agreement: Agreement }): ReactNode {
  const { t } = useI18n();
  const { check, agreement } = props;
  const gapMs = useGapTime(check);
  const { outside, width } = agreement;
  return (
    <div className="checkNote small secondary">
      {outside.length === 0 ? (
        <p className="checkLine">
          <StateGlyph state="ok" size={12} />
          <span>{t('check.inside')}</span>
        </p>
      ) : (
        <p>
          {outside.map((row) => offText(row, t)).join(' ')}{' '}
          {gapMs > 0 ? t('check.gap', { time: formatDuration(gapMs) }) : t('check.unexplained')}
        </p>
      )}
      {width > 0 && <p className="tertiary">{t('check.width', { percent: percentText(width) })}</p>}
    </div>
  );
}

/** How long, in the time that is compared, watches did not see what happened, ms; the longest single stretch of it. */
function useGapTime({ from, to }: ModelCheck): number {
  const now = useMoment(1000);
  return useTableOf('gaps', {}, ({ rows }) =>
    rows.reduce((most, gap) => {
      const start = Math.max(gap.from, from ?? gap.from);
      const end = Math.min(gap.to ?? now, to ?? now);
      return Math.max(most, end - start);
    }, 0),
  );
}

function offText(row: ModelCheckRow, t: T): string {
  const off = offBy(row) ?? 0;
  return t(off > 0 ? 'check.off.above' : 'check.off.below', {
    name: metricNames[row.name],
    n: Math.abs(off),
  });
}
