/** What a run did, step by step: reads that audit told of, writes, Events, lines, its end. */
import {
  Ban,
  BookOpen,
  CornerDownLeft,
  Equal,
  FileText,
  List,
  Pencil,
  TriangleAlert,
  Zap,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Span, TraceLine, TraceWrite } from '../../../shared/model/trace.ts';
import { formatAge } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Section } from '../../widgets/parts.tsx';
import { type StepItem, StepList } from '../../widgets/StepList.tsx';
import { OwnerChip } from '../../widgets/StructuralDiff.tsx';
import { ChangeDiff } from '../events/EventInspector.tsx';
import { type SpanStep, spanSteps } from './spanSteps.ts';
import { isFailure, offsetWords, subjectWords, writeWords } from './spanWords.ts';
import { Subject, useSpanWords } from './useSpanWords.tsx';

const icon = { size: 14, strokeWidth: 1.75 } as const;

export function SpanSteps({ span }: { readonly span: Span }): ReactNode {
  const { t } = useI18n();
  const words = useSpanWords();
  const steps = spanSteps(span);
  const items = steps.map((step) => ({
    ...itemOf(step),
    id: step.id,
    at: offsetWords(step.at, span.start),
  }));
  function itemOf(step: SpanStep): Omit<StepItem, 'id' | 'at'> {
    switch (step.kind) {
      case 'read': {
        const { read } = step;
        const what = subjectWords(read.subject);
        return {
          icon: read.verb === 'list' ? <List {...icon} /> : <BookOpen {...icon} />,
          text: (
            <span title={what}>
              {t(read.verb === 'list' ? 'span.step.list' : 'span.step.read', { what })}
            </span>
          ),
          tone: read.code >= 400 ? 'failed' : 'plain',
          end: read.code >= 400 ? `${read.code}` : '',
        };
      }
      case 'write':
        return writeItem(step.write);
      case 'event':
        return {
          icon: step.event.type === 'Warning' ? <TriangleAlert {...icon} /> : <Zap {...icon} />,
          text: (
            <span title={step.event.message}>
              {step.event.reason} <span className="tertiary">{step.event.message}</span>
            </span>
          ),
          end: step.event.count > 1 ? `×${step.event.count}` : '',
          more: () => <p className="stepWords">{step.event.message}</p>,
        };
      case 'line':
        return {
          icon: <FileText {...icon} />,
          text: (
            <span className="mono" title={firstLine(step.line.text)}>
              {firstLine(step.line.text)}
            </span>
          ),
          tone: step.line.level === 'error' ? 'failed' : 'quiet',
          end: <Level line={step.line} />,
          more: () => <pre className="stepLog mono">{step.line.text}</pre>,
        };
      case 'end':
        return {
          icon: <CornerDownLeft {...icon} />,
          text:
            span.result === undefined || span.result === 'unknown'
              ? t('span.step.ended')
              : t('span.step.end', { result: words.result(span) }),
          tone: isFailure(span.result) ? 'failed' : 'plain',
        };
    }
  }
  function writeItem(write: TraceWrite): Omit<StepItem, 'id' | 'at'> {
    const text = writeWords(write, span.key);
    const words = <span title={`${write.verb} ${subjectWords(write.subject)}`}>{text}</span>;
    switch (write.outcome) {
      case 'stored':
        return {
          icon: <Pencil {...icon} />,
          text: words,
          end: write.resourceVersion === undefined ? t('span.step.stored') : <Versions write={write} />,
          more: () => <Stored write={write} />,
        };
      case 'noChange':
        return {
          icon: <Equal {...icon} />,
          text: words,
          end: t('span.step.noChange'),
          tone: 'quiet',
          more: () => <p className="stepWords secondary">{t('span.write.noChange')}</p>,
        };
      case 'conflict':
      case 'refused':
      case 'failed':
        return {
          icon: <Ban {...icon} />,
          text: words,
          tone: 'failed',
          end: `${write.code ?? ''}`,
          more: () => <NotStored write={write} />,
          open: true,
        };
    }
  }
  return (
    <Section
      title={t('span.steps')}
      end={t(span.readsObservable ? 'span.steps.audit' : 'span.steps.noAudit')}
    >
      {items.length === 0 ? (
        <p className="small tertiary">{t('span.steps.none')}</p>
      ) : (
        <StepList label={t('span.steps')} steps={items} />
      )}
      {span.cache.length === 0 && <CachedNote />}
      {span.lines > span.lineList.length && (
        <p className="small tertiary">
          {t('span.lines.more', { shown: span.lineList.length, n: span.lines })}
        </p>
      )}
    </Section>
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

function Level({ line }: { readonly line: TraceLine }): ReactNode {
  const { t } = useI18n();
  return line.level === undefined ? '' : t(`span.level.${line.level}`);
}

/** resourceVersions are opaque: as they are, the one before quieter. */
function Versions({ write }: { readonly write: TraceWrite }): ReactNode {
  const { t } = useI18n();
  return write.before === undefined ? (
    t('why.aside.rv', { rv: write.resourceVersion ?? '' })
  ) : (
    <>
      {write.before} → <span className="stepNew">{write.resourceVersion}</span>
    </>
  );
}

function Stored({ write }: { readonly write: TraceWrite }): ReactNode {
  return (
    <>
      <KnownBy write={write} />
      <ChangeDiff seq={write.seq} />
    </>
  );
}

/** What was to change stays visible, though no version tells of it. */
function NotStored({ write }: { readonly write: TraceWrite }): ReactNode {
  const { t } = useI18n();
  return (
    <>
      <p className="stepWords">
        <strong>{t('span.write.notStored')}</strong> {write.message}
      </p>
      <KnownBy write={write} />
      {write.changes > 0 && (
        <>
          <p className="label stepFieldsHead">{t('span.write.fields', { n: write.changes })}</p>
          <ul className="stepFields mono">
            {write.fields.map((field) => (
              <li key={field}>
                <span className="tertiary" aria-hidden="true">
                  ~
                </span>
                <span>{field}</span>
              </li>
            ))}
            {write.changes > write.fields.length && (
              <li className="tertiary">
                <span />
                <span>…</span>
              </li>
            )}
          </ul>
        </>
      )}
    </>
  );
}

function KnownBy({ write }: { readonly write: TraceWrite }): ReactNode {
  const { t } = useI18n();
  return (
    <p className="stepKnown">
      <BasisMark basis={write.basis} show="source" why={t('span.write.why')} />
      {write.manager !== undefined && (
        <OwnerChip
          writer={{
            manager: write.manager,
            operation: write.verb === 'apply' ? 'Apply' : 'Update',
            ...(write.subresource === '' ? {} : { subresource: write.subresource }),
          }}
        />
      )}
    </p>
  );
}

/** What its cache held when it began, by the model: reads from it reach nobody who could tell. */
export function SpanCache({ span }: { readonly span: Span }): ReactNode {
  const { t } = useI18n();
  if (span.cache.length === 0) return null;
  return (
    <Section title={t('span.cache')} end={t('span.cache.model')}>
      <ul className="cacheList">
        {span.cache.map((entry) => (
          <li key={entry.object}>
            <BasisMark basis={entry.basis} show="mark" />
            <span className="cut" title={entry.subject}>
              <Subject subject={entry.subject} />
            </span>
            <span className="mono secondary">{t('why.aside.rv', { rv: entry.resourceVersion })}</span>
            <span className="tertiary cacheAge">{t('span.cache.age', { age: formatAge(entry.ageMs) })}</span>
          </li>
        ))}
      </ul>
      <CachedNote />
    </Section>
  );
}

function CachedNote(): ReactNode {
  const { t } = useI18n();
  return <p className="small tertiary cacheNote">{t('span.steps.cached')}</p>;
}
