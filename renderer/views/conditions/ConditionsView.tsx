/** The conditions of one object over time: how long it has been in its state, against how long others take. */
import { Activity, SearchX, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ConditionsView as View } from '../../../shared/contract/views/structure.ts';
import type { WhyView } from '../../../shared/contract/views/why.ts';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useValue } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { type HistoryMode, openObject } from '../../state/windowState.ts';
import { Button } from '../../widgets/controls.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { NoObject } from '../NoObject.tsx';
import { ObjectHead } from '../ObjectHead.tsx';
import { ByState } from './ByState.tsx';
import { bandId, spanOfBand } from './bandRows.ts';
import { ConditionsTable } from './ConditionsTable.tsx';
import { leadingTrack } from './leadingTrack.ts';
import { ObjectBands } from './ObjectBands.tsx';
import { SpanInspector } from './SpanInspector.tsx';
import { StateVerdict } from './StateVerdict.tsx';
import '../why/why.css';
import './conditions.css';

export function ConditionsView(): ReactNode {
  const key = useWindow((s) => s.place.object);
  if (key !== undefined) return <ObjectConditions key={key} objectKey={key} />;
  return (
    <ViewFrame tab="conditions">
      <NoObject tab="conditions" icon={<Activity size={20} strokeWidth={1.75} />} />
    </ViewFrame>
  );
}

function ObjectConditions({ objectKey }: { readonly objectKey: string }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { value, state, error } = useValue('conditions', { key: objectKey });
  const why = useValue('why', { key: objectKey }).value;
  const [selected, setSelected] = useState<string | undefined>(undefined);
  const [asTable, setAsTable] = useState(false);
  function show(historyMode: HistoryMode) {
    return () => {
      store.setState({ historyMode });
      openObject(store, objectKey);
    };
  }
  useViewAction('yaml', show('yaml'));
  useViewAction('diff', show('diff'));
  useViewAction('owners', show('owners'));
  useViewAction('table', () => setAsTable((before) => !before));
  const leading = value && leadingTrack(value);
  const chosen =
    value === undefined
      ? undefined
      : (spanOfBand(value, selected) ??
        (leading?.span === undefined ? undefined : { track: leading.track, span: leading.span }));
  return (
    <ViewFrame
      tab="conditions"
      head={<ObjectHead objectKey={objectKey} />}
      inspector={
        value === undefined || chosen === undefined ? undefined : (
          <SpanInspector view={value} track={chosen.track} span={chosen.span} />
        )
      }
    >
      {state === 'failed' && <ProblemLine text={t('state.failed', { why: error ?? '' })} />}
      {value === undefined ? (
        state === 'failed' ? null : (
          <Skeleton lines={8} />
        )
      ) : value.tracks.length === 0 ? (
        <Nothing view={value} />
      ) : (
        <Page
          view={value}
          why={why}
          selected={chosen && selectedBand(value, chosen)}
          onSelect={setSelected}
          asTable={asTable}
          onTable={setAsTable}
        />
      )}
    </ViewFrame>
  );
}

function selectedBand(view: View, { track, span }: NonNullable<ReturnType<typeof spanOfBand>>): string {
  return bandId(track.type, span.seq, view.held !== undefined && span.to === undefined);
}

/** No conditions: because there are none, because only metadata was read, because there is no such object. */
function Nothing({ view }: { readonly view: View }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const what = !view.known ? 'unknown' : view.detail === 'metadata' || view.upgrading ? 'metadata' : 'none';
  const Icon = what === 'unknown' ? SearchX : Activity;
  return (
    <EmptyState
      icon={<Icon size={20} strokeWidth={1.75} />}
      title={t(`conditions.${what}.title`)}
      actions={
        what === 'none' ? (
          <Button onClick={() => openObject(store, view.object.key)}>{t('conditions.timeline')}</Button>
        ) : undefined
      }
    >
      {t(`conditions.${what}`)}
    </EmptyState>
  );
}

function Page(props: {
  readonly view: View;
  readonly why: WhyView | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly asTable: boolean;
  readonly onTable: (on: boolean) => void;
}): ReactNode {
  const { t } = useI18n();
  const { view, why, asTable } = props;
  const table = (
    <Button
      small
      kind="quiet"
      icon={<Table2 size={14} strokeWidth={1.75} aria-hidden="true" />}
      aria-pressed={asTable}
      title={`${t('conditions.table')} (T)`}
      onClick={() => props.onTable(!asTable)}
    >
      {t('conditions.table')}
    </Button>
  );
  return (
    <div className="viewScroll">
      <div className="conditionsPage">
        <StateVerdict view={view} deleting={why?.health === 'deleting'} />
        <ByState objectKey={view.object.key} />
        {asTable ? (
          <>
            <div className="bandsHead">
              <h3 className="label strong">{t('conditions.tracks')}</h3>
              <span className="bandsLegend" />
              {table}
            </div>
            <ConditionsTable view={view} selected={props.selected} onSelect={props.onSelect} />
          </>
        ) : (
          <ObjectBands
            mini={false}
            view={view}
            why={why}
            title={() => t('conditions.tracks')}
            end={table}
            selected={props.selected}
            onSelect={(_row, span) => props.onSelect(span.id)}
          />
        )}
      </div>
    </div>
  );
}
