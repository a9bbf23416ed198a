import { ChevronLeft, ChevronRight, CircleHelp, Link2, SearchX, SquareGanttChart } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SpanView } from '../../../shared/contract/views/traces.ts';
import { printMomentLink } from '../../../shared/model/momentLink.ts';
import type { Span, SpanRow } from '../../../shared/model/trace.ts';
import { useValue, useValueOf } from '../../client/useEngine.tsx';
import { formatDuration } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { openSpan, selectSpan } from '../../state/windowState.ts';
import { useCopy } from '../../widgets/Copy.tsx';
import { Button, IconButton, Pill } from '../../widgets/controls.tsx';
import { EmptyState, ProblemLine, Section, Skeleton } from '../../widgets/parts.tsx';
import { ResultMark } from '../../widgets/ResultMark.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { SpanEvidence } from './SpanEvidence.tsx';
import { SpanFacts } from './SpanFacts.tsx';
import { SpanCache, SpanSteps } from './SpanSteps.tsx';
import { SpanTriggers } from './SpanTriggers.tsx';
import { resultOf, shortSource } from './spanWords.ts';
import { useSpanWords } from './useSpanWords.tsx';
import { WalkSection } from './WalkList.tsx';
import './traces.css';

/** All that is known of one run, wherever a run can be chosen: what woke it, what it did, how it ended, what follows. */
export function SpanInspector(props: {
  readonly id: string;
  /** Away from the object's own page: the way to it. */
  readonly elsewhere?: boolean;
}): ReactNode {
  const { t } = useI18n();
  const { value, state, error } = useValue('span', { id: props.id });
  if (state === 'failed') {
    return (
      <Section>
        <ProblemLine text={t('state.failed', { why: error ?? '' })} />
      </Section>
    );
  }
  if (value === undefined) return <Skeleton lines={8} />;
  const { span } = value;
  if (span === undefined) return <NoSpan state={value.state} />;
  return (
    <>
      {value.state === 'gone' && (
        <p className="spanGone small">
          <strong>{t('span.gone.title')}</strong> {t('span.gone')}
        </p>
      )}
      <Details key={span.id} span={span} view={value} elsewhere={props.elsewhere === true} />
    </>
  );
}

function NoSpan({ state }: { readonly state: SpanView['state'] }): ReactNode {
  const { t } = useI18n();
  const gone = state === 'gone';
  return (
    <EmptyState
      icon={<SearchX size={20} strokeWidth={1.75} />}
      title={t(gone ? 'span.gone.title' : 'span.unknown.title')}
    >
      {t(gone ? 'span.gone.none' : 'span.unknown')}
    </EmptyState>
  );
}

function Details(props: {
  readonly span: Span;
  readonly view: SpanView;
  readonly elsewhere: boolean;
}): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { span, view, elsewhere } = props;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Head span={span} earlier={view.earlier} later={view.later} />
      <section className="section">
        <SpanFacts span={span} earlier={view.earlier} elsewhere={elsewhere} />
        {span.error !== undefined && <p className="spanError small">{span.error}</p>}
        <Marks span={span} />
        <div className="inspectorActions">
          <Button
            small
            aria-expanded={asking}
            aria-pressed={asking}
            icon={<CircleHelp size={14} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => setAsking(!asking)}
          >
            {t('span.ranBecause')}
          </Button>
          {elsewhere && (
            <Button
              small
              icon={<SquareGanttChart size={14} strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => openSpan(store, span)}
            >
              {t('span.timeline')}
            </Button>
          )}
          <CopyLink span={span} />
        </div>
      </section>
      {asking && <WalkSection query={{ controller: span.controller, key: span.key, span: span.id }} />}
      <SpanTriggers span={span} />
      <SpanSteps span={span} />
      <SpanCache span={span} />
      {span.notes.length > 0 && (
        <Section title={t('span.notes')}>
          <ul className="spanNotes small secondary" lang="en">
            {span.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Section>
      )}
      <SpanEvidence span={span} />
    </>
  );
}

function Head(props: {
  readonly span: Span;
  readonly earlier: SpanRow | undefined;
  readonly later: SpanRow | undefined;
}): ReactNode {
  const { t } = useI18n();
  const words = useSpanWords();
  const { span } = props;
  return (
    <div className="inspectorHead spanHead">
      <ResultMark result={resultOf(span)} basis={span.basis.kind} size={18} />
      <h2 className="title">{words.title(span)}</h2>
      <span className="spanEnded secondary">
        {span.end === undefined ? <Running since={span.start.hi} /> : words.ended(span)}
      </span>
      <span className="inspectorEnd">
        <Neighbour row={props.earlier} label={t('span.earlier')}>
          <ChevronLeft size={16} strokeWidth={1.75} />
        </Neighbour>
        <Neighbour row={props.later} label={t('span.later')}>
          <ChevronRight size={16} strokeWidth={1.75} />
        </Neighbour>
      </span>
    </div>
  );
}

function Running({ since }: { readonly since: number }): ReactNode {
  const { t } = useI18n();
  const now = useMoment(250);
  return t('span.running', { time: formatDuration(Math.max(0, now - since)) });
}

function Neighbour(props: {
  readonly row: SpanRow | undefined;
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode {
  const store = useWindowStore();
  const { row, label, children } = props;
  return (
    <IconButton
      small
      label={label}
      disabled={row === undefined}
      onClick={() => row !== undefined && selectSpan(store, row.id)}
    >
      {children}
    </IconButton>
  );
}

/** That it can still change, and that it did. */
function Marks({ span }: { readonly span: Span }): ReactNode {
  const { t } = useI18n();
  if (!span.provisional && span.revisedBy === undefined) return null;
  return (
    <p className="spanMarks">
      {span.provisional && (
        <Tip text={t('span.provisional.why')}>
          <span className="pillTip">
            <Pill tone="neutral">{t('span.provisional')}</Pill>
          </span>
        </Tip>
      )}
      {span.revisedBy !== undefined && (
        <Tip text={t('span.revised.why', { source: span.revisedBy, revision: span.revision })}>
          <span className="pillTip">
            <Pill tone="degraded">{t('span.revised', { source: shortSource(span.revisedBy) })}</Pill>
          </span>
        </Tip>
      )}
    </p>
  );
}

function CopyLink({ span }: { readonly span: Span }): ReactNode {
  const { t } = useI18n();
  const { copied, copy } = useCopy();
  const session = useValueOf('session', {}, (s) => s.value?.id);
  const tab = useWindow((s) => s.place.tab);
  const link = printMomentLink({
    ...(session === undefined || session === '' ? {} : { session }),
    object: span.object,
    tab: tab === 'queue' ? 'timeline' : tab,
    span: span.id,
    at: Math.round(span.end?.hi ?? span.start.hi),
  });
  useViewAction('copy', () => copy(link));
  return (
    <Button
      small
      className="spanLink"
      title={`${t('span.link.tip')}\n${link}`}
      icon={<Link2 size={14} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => copy(link)}
    >
      {copied ? t('action.copied') : t('span.link')}
    </Button>
  );
}
