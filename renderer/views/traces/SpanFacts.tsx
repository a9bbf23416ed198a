/** The facts of a run, each with how it is known beside it. */

import type { ReactNode } from 'react';
import type { Basis } from '../../../shared/model/basis.ts';
import { missedBy } from '../../../shared/model/nextRun.ts';
import type { NextRun, Span, SpanRow } from '../../../shared/model/trace.ts';
import { formatAge, formatDuration, formatTimeMs, formatUtc } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { selectSpan } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { CopyIconButton } from '../../widgets/Copy.tsx';
import { MiddleCut } from '../../widgets/MiddleCut.tsx';
import { calm } from '../queue/WaitingSection.tsx';
import { delayBefore, isFailure, lengthWords, timeWords } from './spanWords.ts';
import { useSpanWords } from './useSpanWords.tsx';

export function SpanFacts(props: {
  readonly span: Span;
  /** The run of its key before it. */
  readonly earlier: SpanRow | undefined;
  readonly elsewhere: boolean;
}): ReactNode {
  const { t, rich } = useI18n();
  const words = useSpanWords();
  const { span } = props;
  const named = span.triggerList.find((trigger) => !trigger.collapsed) ?? span.triggerList[0];
  return (
    <dl className="facts">
      {props.elsewhere && (
        <Fact name={t('span.key')}>
          <span className="cut" title={span.key}>
            {span.key}
          </span>
        </Fact>
      )}
      {span.reconcileId !== undefined && (
        <Fact name={t('span.id')}>
          <span className="mono cut" title={span.reconcileId}>
            {span.reconcileId}
          </span>
          <CopyIconButton text={span.reconcileId} label={t('span.id.copy')} />
        </Fact>
      )}
      <Fact name={t('span.started')} basis={span.startBasis}>
        <Started span={span} />
      </Fact>
      <Fact name={t('span.wokenBy')} basis={named?.basis}>
        <span title={named?.text}>{words.trigger(named)}</span>
      </Fact>
      {span.waitMs !== undefined && (
        <Fact name={t('span.waited')} basis={named?.basis}>
          <Waited span={span} earlier={props.earlier} />
        </Fact>
      )}
      {span.end !== undefined && (
        <Fact name={t('span.result')} basis={span.resultBasis ?? span.endBasis}>
          <span>
            {isFailure(span.result)
              ? rich('span.result.failures', {
                  result: <span className="inkFailed">{words.result(span)}</span>,
                  before: `${span.failures}`,
                  after: `${span.failures + 1}`,
                })
              : words.result(span)}
          </span>
        </Fact>
      )}
      {span.next !== undefined && <Next next={span.next} />}
      {(span.life > 1 || span.leader !== undefined) && (
        <Fact name={t('span.process')}>
          <span className="cut secondary">
            {span.leader === undefined ? (
              t('span.process.life', { n: span.life })
            ) : (
              <MiddleCut text={span.leader} title={t('span.process.leader', { leader: span.leader })} />
            )}
          </span>
          {span.leader !== undefined && span.life > 1 && (
            <span className="tertiary whole">{t('span.process.life', { n: span.life })}</span>
          )}
        </Fact>
      )}
    </dl>
  );
}

function Fact(props: {
  readonly name: string;
  readonly basis?: Basis | undefined;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="fact">
      <dt>{props.name}</dt>
      <dd>
        <span className="factValue">{props.children}</span>
        {props.basis !== undefined && <BasisMark basis={props.basis} />}
      </dd>
    </div>
  );
}

function Started({ span }: { readonly span: Span }): ReactNode {
  const { rich } = useI18n();
  const now = useMoment(1000);
  const ago = formatAge(now - span.start.hi);
  return (
    <span className="tertiary" title={formatUtc(span.start.hi)}>
      {rich('span.started.at', {
        time: <span className="mono startedAt">{timeWords(span.start)}</span>,
        ago,
      })}
    </span>
  );
}

/** Where a timer woke it: its delay, since the run before ended, and the time until a worker took it are two things. */
function Waited(props: { readonly span: Span; readonly earlier: SpanRow | undefined }): ReactNode {
  const { t } = useI18n();
  const { span, earlier } = props;
  if (span.waitMs === undefined) return null;
  const time = lengthWords(span.waitMs);
  const delayMs = delayBefore(span, earlier);
  return delayMs === undefined
    ? t('span.waited.ready', { time })
    : t('span.waited.backoff', { delay: formatDuration(delayMs), time });
}

function Next({ next }: { readonly next: NextRun }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { observed, predicted, span } = next;
  const open = span === undefined || observed === undefined ? undefined : () => selectSpan(store, span);
  return (
    <div className="fact">
      <dt>{t('span.next')}</dt>
      <dd>
        <span
          className="factValue"
          title={observed === undefined && predicted !== undefined ? t('span.predicted') : undefined}
        >
          {open === undefined ? (
            <NextWords next={next} />
          ) : (
            <button type="button" className="textLink" title={t('span.next.open')} onClick={open}>
              <NextWords next={next} />
            </button>
          )}
        </span>
        {observed === undefined && predicted !== undefined && (
          <span className="predictedWord">{t('span.predicted')}</span>
        )}
      </dd>
    </div>
  );
}

function NextWords({ next }: { readonly next: NextRun }): ReactNode {
  const { t } = useI18n();
  const { observed, predicted, by } = next;
  const now = useMoment(250);
  if (observed !== undefined) {
    const time = timeWords(next.observedWithin ?? { lo: observed, hi: observed });
    if (by === 'event' || by === 'restart') return t(`span.next.${by}`, { time });
    const off = missedBy(next);
    if (off === undefined) return t('span.next.plain', { time });
    return off === 0
      ? t('span.next.kept', { time })
      : t('span.next.seen', { time, off: formatDuration(Math.abs(off)) });
  }
  if (predicted === undefined) return null;
  const left = predicted - now;
  const time = formatTimeMs(predicted);
  return left < 10 ? t('span.next.due', { time }) : t('span.next.in', { time, left: calm(left) });
}
