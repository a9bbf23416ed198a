import { ArrowUp } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { eventSchema } from '../../../shared/contract/views/eventFilter.ts';
import { compileFilter } from '../../../shared/model/filter.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useConnection } from '../../state/useConnection.ts';
import { useIsRecording } from '../../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { Button, Check, KeyHint, Pill } from '../../widgets/controls.tsx';
import { FilterField, type FilterHandle } from '../../widgets/FilterField.tsx';
import { Tip } from '../../widgets/Tip.tsx';

export interface EventsHeadProps {
  readonly shown: number;
  readonly total: number;
  readonly dropped: number;
  readonly away: boolean;
  readonly fresh: number;
  readonly onLive: () => void;
  readonly onList: () => void;
}

export function EventsHead(props: EventsHeadProps): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const filter = useWindow((s) => s.eventFilter);
  const initial = useWindow((s) => s.eventInitial);
  const heartbeats = useWindow((s) => s.eventHeartbeats);
  const field = useRef<FilterHandle>(null);
  useViewAction('filter', () => field.current?.focus());
  const problems = useMemo(() => compileFilter(filter, eventSchema).problems, [filter]);
  return (
    <>
      <FilterField
        className="eventsFilter"
        inputRef={field}
        label={t('events.filter')}
        placeholder={t('events.filter.placeholder')}
        value={filter}
        onChange={(eventFilter) => store.setState({ eventFilter })}
        fields={eventSchema.fields}
        problems={problems}
        onList={props.onList}
      />
      <Check
        label={t('events.initial')}
        checked={initial}
        onChange={(eventInitial) => store.setState({ eventInitial })}
      />
      <Tip text={t('events.heartbeats.why')}>
        <span>
          <Check
            label={t('events.heartbeats')}
            checked={heartbeats}
            onChange={(eventHeartbeats) => store.setState({ eventHeartbeats })}
          />
        </span>
      </Tip>
      <div className="viewHeadEnd">
        {props.dropped > 0 && <Pill tone="gap">{t('state.dropped', { n: props.dropped })}</Pill>}
        <span className="small tertiary eventsCount">
          {props.total > props.shown
            ? t('events.newest', { shown: props.shown, n: props.total })
            : t('events.count', { n: props.shown })}
        </span>
        {props.away ? (
          <Button small icon={<ArrowUp size={14} strokeWidth={1.75} />} onClick={props.onLive}>
            {props.fresh === 0
              ? t('events.backToLive')
              : t(props.fresh >= props.shown ? 'events.newMany' : 'events.new', { n: props.fresh })}
            <KeyHint keys="L" />
          </Button>
        ) : (
          <LivePill />
        )}
      </div>
    </>
  );
}

/** What the list shows is as live as the connection. */
function LivePill(): ReactNode {
  const { t } = useI18n();
  const phase = useConnection()?.phase;
  // The bar below says where in the recording this is.
  if (useIsRecording()) return null;
  if (phase === 'lost') {
    return (
      <Pill tone="gap" glyph="gap">
        {t('status.lost')}
      </Pill>
    );
  }
  if (phase === 'syncing') {
    return (
      <Pill tone="progressing" glyph="progressing">
        {t('status.syncing')}
      </Pill>
    );
  }
  return (
    <Pill tone="neutral" icon={<i className="recordDot" />}>
      {t('status.live')}
    </Pill>
  );
}
