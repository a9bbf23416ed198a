import { History as HistoryIcon, MousePointerClick, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EventRow, ObjectRefView } from '../../../shared/contract/views/objects.ts';
import { useCall } from '../../client/useCall.ts';
import { formatAge, formatTimeMs, formatUtc } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo, openObject } from '../../state/windowState.ts';
import { Button, Pill } from '../../widgets/controls.tsx';
import { EmptyState, KeyValue, ProblemLine, Section, Skeleton } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { OwnerChip, StructuralDiff } from '../../widgets/StructuralDiff.tsx';
import { RecordRunLinks } from '../traces/RunLink.tsx';

export function EventInspector({ row }: { readonly row: EventRow | undefined }): ReactNode {
  const { t } = useI18n();
  if (row === undefined) {
    return (
      <EmptyState icon={<MousePointerClick size={20} strokeWidth={1.75} />} title={t('events.select.title')}>
        {t('events.select')}
      </EmptyState>
    );
  }
  return row.type === 'gap' ? <GapDetail row={row} /> : <ChangeDetail row={row} />;
}

function Received({ row }: { readonly row: EventRow }): ReactNode {
  const now = useMoment(1000);
  return (
    <span title={formatUtc(row.at)}>
      <span className="mono">{formatTimeMs(row.at)}</span>
      <span className="tertiary"> · {formatAge(now - row.at)}</span>
    </span>
  );
}

function ChangeDetail({ row }: { readonly row: EventRow }): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const { object, about } = row;
  return (
    <>
      <div className="inspectorHead">
        {row.type === 'event' ? <StateGlyph state={row.warning ? 'degraded' : 'none'} size={16} /> : null}
        <h2 className="title">{(about ?? object)?.name}</h2>
        <span className="inspectorEnd">
          {row.type === 'event' ? t('op.event') : row.op === undefined ? '' : t(`op.${row.op}`)}
        </span>
      </div>
      <Section>
        <KeyValue
          items={[
            [t('events.inspect.received'), <Received key="r" row={row} />],
            object !== undefined && [t('events.inspect.object'), kindAndPlace(about ?? object)],
            about !== undefined &&
              object !== undefined && [
                t('op.event'),
                <span key="e" className="mono">
                  {object.name}
                </span>,
              ],
            row.writer !== undefined && [
              t('events.inspect.writer'),
              <OwnerChip key="w" writer={row.writer} />,
            ],
            row.generation !== undefined && [t('events.inspect.generation'), number(row.generation)],
            row.resourceVersion !== undefined && [
              'rv',
              <span key="v" className="mono">
                {row.resourceVersion}
              </span>,
            ],
            [t('events.inspect.record'), number(row.seq)],
          ]}
        />
        {object !== undefined && (
          <div className="inspectorActions">
            {about !== undefined && (
              <Button
                small
                icon={<HistoryIcon size={14} strokeWidth={1.75} />}
                onClick={() => openObject(store, about.key)}
              >
                {t('events.inspect.historyOf', { kind: about.kind })}
              </Button>
            )}
            <Button
              small
              icon={<HistoryIcon size={14} strokeWidth={1.75} />}
              onClick={() => openObject(store, object.key, row.seq)}
            >
              {t(about === undefined ? 'events.inspect.history' : 'events.inspect.historyOfEvent')}
            </Button>
            {row.metadataOnly && <Pill tone="neutral">{t('events.metadataOnly')}</Pill>}
          </div>
        )}
        <RecordRunLinks seq={row.seq} />
      </Section>
      {row.type === 'event' ? (
        <Section title={t('events.inspect.message')}>
          <p className="small eventMessage">{row.summary}</p>
        </Section>
      ) : (
        <Section title={t('events.inspect.change')} end={t('events.inspect.before')}>
          <ChangeDiff seq={row.seq} />
        </Section>
      )}
    </>
  );
}

function kindAndPlace({ kind, group, namespace }: ObjectRefView): string {
  return `${kind}${group === '' ? '' : `.${group}`}${namespace === '' ? '' : ` · ${namespace}`}`;
}

export function ChangeDiff(props: { readonly seq: number; readonly from?: number | undefined }): ReactNode {
  const { t } = useI18n();
  const diff = useCall(
    'object.diff',
    props.from === undefined ? { to: props.seq } : { to: props.seq, from: props.from },
  );
  if (diff.state === 'failed')
    return <ProblemLine text={t('events.inspect.noDiff', { why: diff.error ?? '' })} />;
  if (diff.value === undefined) return <Skeleton lines={4} />;
  return (
    <>
      {diff.value.note !== undefined && <p className="small tertiary diffNote">{diff.value.note}</p>}
      {(diff.value.note === undefined || diff.value.rows.length > 0) && (
        <StructuralDiff rows={diff.value.rows} />
      )}
    </>
  );
}

function GapDetail({ row }: { readonly row: EventRow }): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  return (
    <>
      <div className="inspectorHead">
        <StateGlyph state="gap" size={16} />
        <h2 className="title">{t('op.gap')}</h2>
      </div>
      <Section>
        <p className="small eventMessage">{row.summary}</p>
        <p className="small secondary eventMessage">{t('events.inspect.gap')}</p>
        <KeyValue
          items={[
            [t('events.inspect.received'), <Received key="r" row={row} />],
            [t('events.inspect.record'), number(row.seq)],
          ]}
        />
        <div className="inspectorActions">
          <Button
            small
            icon={<Radio size={14} strokeWidth={1.75} />}
            onClick={() => goTo(store, { tab: 'informers' })}
          >
            {t('events.inspect.informers')}
          </Button>
        </div>
      </Section>
    </>
  );
}
