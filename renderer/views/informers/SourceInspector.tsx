import { Radio, Unplug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { GapRow } from '../../../shared/contract/views/sources.ts';
import type { SourceRow } from '../../../shared/contract/views/traces.ts';
import { useAction, useTableOf } from '../../client/useEngine.tsx';
import { formatAge, formatDuration, formatTime } from '../../format/format.ts';
import type { MessageKey } from '../../i18n/catalogue.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useIsRecording } from '../../state/usePlayback.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button } from '../../widgets/controls.tsx';
import { KeyValue, ProblemLine, Section } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { GrantRule } from './GrantRule.tsx';
import { SourceIcon } from './SourceIcon.tsx';
import {
  basisOf,
  formatSigned,
  isSkewed,
  isWholeSeconds,
  type SourceKind,
  sourceGlyphs,
} from './sourceWords.ts';

/** One source: what is wrong with it, what it tells and what it cannot, how it is heard, what it missed. */
export function SourceInspector({ row }: { readonly row: SourceRow }): ReactNode {
  const { t } = useI18n();
  return (
    <>
      <div className="inspectorHead">
        <SourceIcon kind={row.kind} size={16} />
        <h2 className="title sourceTitle">{row.label}</h2>
      </div>
      <section className="section">
        <p className="sourceFacts small">
          <span className="informerState">
            <StateGlyph state={sourceGlyphs[row.state]} size={12} />
            {t(`sources.state.${row.state}`)}
          </span>
          <span className="secondary">{t(`sources.kind.${row.kind}`)}</span>
          <BasisMark basis={basisOf(row.kind)} show="source" />
        </p>
        {row.detail !== '' && row.detail !== row.label && row.detail !== row.problem?.message && (
          <p className="small secondary sourceDetail">{row.detail}</p>
        )}
      </section>
      <ProblemPart row={row} />
      <Section title={t('sources.tells')}>
        <p className="small">{t(`sources.tells.${tellsAs(row.kind)}` as MessageKey)}</p>
        <h4 className="label sourceCannot">{t('sources.cannot')}</h4>
        <p className="small secondary">{t(`sources.cannot.${tellsAs(row.kind)}` as MessageKey)}</p>
      </Section>
      <ClockPart row={row} />
      <HeardPart row={row} />
      <GapsPart row={row} />
      <DetachPart row={row} />
    </>
  );
}

/** Kinds that tell the same are told alike. */
function tellsAs(kind: SourceKind): SourceKind {
  switch (kind) {
    case 'podLog':
    case 'stdin':
    case 'child':
      return 'log';
    case 'podMetrics':
      return 'metrics';
    default:
      return kind;
  }
}

function ProblemPart({ row }: { readonly row: SourceRow }): ReactNode {
  const { t } = useI18n();
  // A watch that may not be read has its rule in the list of watches.
  const missing = useTableOf('informers', {}, (s) => s.rows.find(({ id }) => id === row.id)?.missing);
  if (row.problem === undefined && (missing === undefined || missing.length === 0)) return null;
  // Neither what may not be read nor a lost connection is a failure of the source.
  const calm = row.state === 'forbidden' || row.state === 'lost';
  return (
    <Section title={t(row.state === 'forbidden' ? 'state.notEvaluated' : 'sources.problem')}>
      {row.problem !== undefined && !calm && <ProblemLine text={row.problem.message} />}
      {row.problem !== undefined && calm && (
        <p className="small attachWhy">
          <StateGlyph state={sourceGlyphs[row.state]} size={12} />
          <span>{row.problem.message}</span>
        </p>
      )}
      {missing !== undefined && missing.length > 0 && <GrantRule missing={missing} />}
    </Section>
  );
}

/** Whether its records say by themselves when they happened. */
function hasStamps(kind: SourceKind): boolean {
  return kind !== 'watch' && kind !== 'metrics' && kind !== 'podMetrics';
}

function ClockPart({ row }: { readonly row: SourceRow }): ReactNode {
  const { t } = useI18n();
  const { skew } = row;
  if (skew === undefined) {
    return (
      <Section title={t('sources.clock')}>
        <p className="small secondary">
          {t(hasStamps(row.kind) ? 'sources.clock.unknown' : 'sources.clock.none')}
        </p>
      </Section>
    );
  }
  const same = Math.abs(skew.ms) <= skew.errorMs;
  const text = same
    ? t('sources.clock.same', { error: formatDuration(Math.abs(skew.ms) + skew.errorMs), n: skew.samples })
    : t(skew.ms > 0 ? 'sources.clock.ahead' : 'sources.clock.behind', {
        time: formatDuration(Math.abs(skew.ms)),
        error: formatDuration(skew.errorMs),
        move: formatSigned(-skew.ms),
        n: skew.samples,
      });
  return (
    <Section title={t('sources.clock')}>
      <p className={isSkewed(row) ? 'small sourceSkew' : 'small secondary'}>
        {isSkewed(row) && <StateGlyph state="degraded" size={12} />}
        <span>{text}</span>
      </p>
    </Section>
  );
}

function HeardPart({ row }: { readonly row: SourceRow }): ReactNode {
  const { t, number } = useI18n();
  const now = useMoment(1000);
  const { lastAt, lagMs, resolutionMs } = row;
  return (
    <section className="section">
      <KeyValue
        items={[
          [
            t('sources.heard'),
            lastAt === undefined
              ? t('sources.heard.never')
              : t('sources.heard.ago', { time: formatTime(lastAt), ago: formatAge(now - lastAt) }),
          ],
          [t('sources.records'), number(row.records)],
          row.unparsed > 0 && [
            t('sources.unparsed'),
            <span key="unparsed" className="inkDegraded">
              {t('sources.unparsed.kept', { n: row.unparsed })}
            </span>,
          ],
          row.late > 0 && [t('sources.late'), t('sources.late.kept', { n: row.late })],
          lagMs !== undefined && [
            t('sources.lag'),
            t('sources.lag.of', { median: formatDuration(lagMs.p50), high: formatDuration(lagMs.p99) }),
          ],
          resolutionMs !== undefined && [
            t('sources.stamps'),
            isWholeSeconds(row)
              ? t('sources.stamps.seconds')
              : t('sources.stamps.step', { time: formatDuration(resolutionMs) }),
          ],
        ]}
      />
    </section>
  );
}

const gapsShown = 5;

function GapsPart({ row }: { readonly row: SourceRow }): ReactNode {
  const { t } = useI18n();
  const now = useMoment(1000);
  const gaps = useTableOf('gaps', {}, (s) => s.rows.filter(({ source }) => source === row.id));
  const [all, setAll] = useState(false);
  const newest = [...gaps].sort((a, b) => b.from - a.from);
  const shown = all ? newest : newest.slice(0, gapsShown);
  if (newest.length === 0 && row.gaps === 0 && row.state !== 'live') return null;
  return (
    <Section title={t('sources.gaps')}>
      {newest.length === 0 ? (
        row.gaps === 0 ? (
          <p className="small secondary">{t('sources.gaps.none')}</p>
        ) : (
          <p className="small inkGap">{t('sources.gaps.count', { n: row.gaps })}</p>
        )
      ) : (
        <ul className="sourceGaps">
          {shown.map((gap) => (
            <GapLine key={gap.id} gap={gap} now={now} />
          ))}
        </ul>
      )}
      {shown.length < newest.length && (
        <Button small kind="quiet" onClick={() => setAll(true)}>
          {t('sources.gaps.more', { n: newest.length - shown.length })}
        </Button>
      )}
    </Section>
  );
}

function GapLine({ gap, now }: { readonly gap: GapRow; readonly now: number }): ReactNode {
  const { t } = useI18n();
  const when =
    gap.to === undefined
      ? t('sources.gaps.open', { from: formatTime(gap.from) })
      : t('sources.gaps.span', { from: formatTime(gap.from), to: formatTime(gap.to) });
  return (
    <li>
      <p className="sourceGapHead">
        <span className="gapSwatch" aria-hidden="true" />
        <strong className="inkGap">{formatDuration((gap.to ?? now) - gap.from)}</strong>
        <span>{t(`informers.why.${gap.why}`)}</span>
        <span className="tertiary mono">{when}</span>
      </p>
      <p className="small secondary">{gap.text}</p>
    </li>
  );
}

function DetachPart({ row }: { readonly row: SourceRow }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const recording = useIsRecording();
  const detach = useAction('feed.detach');
  const watch = row.kind === 'watch';
  // What a command started, or pipes in, ends with it.
  const held = row.kind === 'child' || row.kind === 'stdin';
  if (!watch && (!row.attached || held || recording)) return null;
  return (
    <section className="section">
      {watch ? (
        <Button
          small
          icon={<Radio size={14} strokeWidth={1.75} />}
          onClick={() => store.setState({ informer: row.id, informerSegment: 'informers' })}
        >
          {t('sources.watch.open')}
        </Button>
      ) : (
        <>
          <Button
            small
            icon={<Unplug size={14} strokeWidth={1.75} />}
            disabled={detach.running}
            onClick={() => void detach.run({ id: row.id })}
          >
            {t('sources.detach')}
          </Button>
          <p className="small tertiary sourceDetail">{t('sources.detach.note')}</p>
          {detach.problem !== undefined && <ProblemLine text={detach.problem.message} />}
        </>
      )}
    </section>
  );
}
