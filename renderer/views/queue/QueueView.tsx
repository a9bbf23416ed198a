import { ListOrdered, MousePointerClick, RefreshCcw, SlidersHorizontal } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import type { ControllerProfile } from '../../../shared/model/profile.ts';
import type { QueueSnapshot } from '../../../shared/model/queue.ts';
import { ChildEnded } from '../../app/ChildEnded.tsx';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useTable, useValue } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useController } from '../../state/useOperator.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import type { QueueSegment } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button, Pill, Segmented } from '../../widgets/controls.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { HistorySegment } from '../history/HistorySegment.tsx';
import { ModelMeter } from '../history/ModelCheck.tsx';
import { reasonWord } from '../reasonWords.ts';
import { ReconcileList } from '../traces/ReconcileList.tsx';
import { SpanInspector } from '../traces/SpanInspector.tsx';
import { DoubtLine } from './DoubtLine.tsx';
import { limiterText } from './limiterText.ts';
import { QueueInspector } from './QueueInspector.tsx';
import { SnapshotAtContext } from './queueMoment.ts';
import { ReadySection } from './ReadySection.tsx';
import { WaitingSection } from './WaitingSection.tsx';
import './queue.css';

// recharts is a third of a megabyte: it comes when a chart is on screen.
const QueueCharts = lazy(() => import('./QueueCharts.tsx'));

const parts: readonly QueueSegment[] = ['now', 'reconciles', 'history'];

/** The shadow queue of one controller: what waits, what is ready, in which order, and how it came to this. */
export function QueueView(): ReactNode {
  const controller = useController();
  if (controller === undefined) return <NoController />;
  return <Controller controller={controller} />;
}

function Controller({ controller }: { readonly controller: ControllerProfile }): ReactNode {
  const part = useWindow((s) => s.queueSegment);
  const span = useWindow((s) => s.span);
  const head = <QueueHead controller={controller} />;
  switch (part) {
    case 'now':
      return (
        <ViewFrame tab="queue" head={head} inspector={<QueueInspector controller={controller.name} />}>
          <QueueBody key={controller.name} controller={controller} />
        </ViewFrame>
      );
    case 'reconciles':
      return (
        <ViewFrame
          tab="queue"
          head={head}
          inspector={span === undefined ? <ChooseRun /> : <SpanInspector id={span} elsewhere />}
        >
          <ReconcileList key={controller.name} controller={controller} />
        </ViewFrame>
      );
    case 'history':
      return (
        <ViewFrame tab="queue" head={head}>
          <HistorySegment key={controller.name} controller={controller} />
        </ViewFrame>
      );
  }
}

function ChooseRun(): ReactNode {
  const { t } = useI18n();
  return (
    <EmptyState icon={<MousePointerClick size={20} strokeWidth={1.75} />} title={t('span.select.title')}>
      {t('span.select')}
    </EmptyState>
  );
}

function NoController(): ReactNode {
  const { t } = useI18n();
  return (
    <ViewFrame tab="queue">
      <EmptyState icon={<ListOrdered size={20} strokeWidth={1.75} />} title={t('queue.none.title')}>
        {t('queue.none')}
      </EmptyState>
    </ViewFrame>
  );
}

function QueueHead({ controller }: { readonly controller: ControllerProfile }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { queue, limiter, maxConcurrentReconciles } = controller;
  const part = useWindow((s) => s.queueSegment);
  return (
    <>
      <RefreshCcw size={16} strokeWidth={1.75} className="secondary queueIcon" aria-hidden="true" />
      <h2 className="title queueTitle">
        {controller.name} <span className="tertiary queueWord">{t('queue.word')}</span>
      </h2>
      <Segmented<QueueSegment>
        label={t('queue.part')}
        value={part}
        options={parts.map((value) => ({ value, label: t(`queue.part.${value}`) }))}
        onChange={(queueSegment) => store.setState({ queueSegment })}
      />
      <span className="small secondary queueFact">{t(`queue.kind.${queue.value}`)}</span>
      <span className="small secondary queueFact">
        {t('queue.workers', { n: maxConcurrentReconciles.value })}
      </span>
      <span className="small secondary cut queueLimiter" title={limiterText(limiter.value, queue.value, t)}>
        {t('queue.limiter', { text: limiterText(limiter.value, queue.value, t) })}
      </span>
      {limiter.edited === true ? (
        <Tip text={limiter.why}>
          <span>
            <Pill tone="neutral">{t('profile.edited')}</Pill>
          </span>
        </Tip>
      ) : (
        <BasisMark basis={limiter.basis} why={limiter.why} />
      )}
      <div className="viewHeadEnd">
        <ModelMeter controller={controller.name} />
        <Button
          icon={<SlidersHorizontal size={14} strokeWidth={1.75} />}
          onClick={() => store.setState({ profileOpen: true })}
        >
          {t('queue.edit')}
        </Button>
      </div>
    </>
  );
}

function QueueBody({ controller }: { readonly controller: ControllerProfile }): ReactNode {
  const { t } = useI18n();
  const { name } = controller;
  const { value, state, error } = useValue('queue', { controller: name });
  const gaps = useTable('gaps', {}).rows;
  const selected = useWindow((s) => s.queueKey);
  if (value === undefined) {
    return state === 'failed' ? (
      <ProblemLine text={t('state.failed', { why: error ?? '' })} />
    ) : (
      <Skeleton lines={8} />
    );
  }
  const { snapshot } = value;
  if (snapshot === undefined) return <NoModel reason={value.reason} />;
  const empty = isEmpty(snapshot);
  const word = reasonWord(value.reason);
  return (
    <SnapshotAtContext value={snapshot.at}>
      <div className="viewScroll">
        <ChildEnded />
        {word !== undefined && (
          <p className="small secondary queueReason">{t(word.key, { list: word.list })}</p>
        )}
        {value.doubt !== undefined && (
          <DoubtLine doubt={value.doubt} given={controller.limiter.edited === true} />
        )}
        {empty && value.history.length === 0 ? (
          <EmptyState icon={<ListOrdered size={20} strokeWidth={1.75} />} title={t('queue.empty.title')}>
            <p>{t('queue.empty')}</p>
            <p className="small tertiary">{t(`queue.evidence.${snapshot.evidence}`)}</p>
          </EmptyState>
        ) : (
          <>
            <WaitingSection snapshot={snapshot} selected={selected} />
            <ReadySection snapshot={snapshot} selected={selected} />
            <Suspense fallback={<Skeleton lines={3} />}>
              <QueueCharts
                history={value.history}
                backoff={snapshot.backoff}
                gaps={gaps}
                selected={selected}
              />
            </Suspense>
          </>
        )}
      </div>
    </SnapshotAtContext>
  );
}

function isEmpty(snapshot: QueueSnapshot): boolean {
  return snapshot.ready.length + snapshot.processing.length + snapshot.waiting.length === 0;
}

function NoModel({ reason }: { readonly reason: string | undefined }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const word = reasonWord(reason);
  return (
    <EmptyState
      icon={<ListOrdered size={20} strokeWidth={1.75} />}
      title={t('queue.reason.title')}
      actions={
        <Button
          icon={<SlidersHorizontal size={14} strokeWidth={1.75} />}
          onClick={() => store.setState({ profileOpen: true })}
        >
          {t('queue.edit')}
        </Button>
      }
    >
      {word === undefined ? (reason ?? t('state.loading')) : t(word.key, { list: word.list })}
    </EmptyState>
  );
}
