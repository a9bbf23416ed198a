import type { ReactNode } from 'react';
import type { Basis } from '../../../shared/model/basis.ts';
import type { Evidence } from '../../../shared/model/finding.ts';
import type { Span, TraceEvent, TraceLine, TraceWrite, Trigger } from '../../../shared/model/trace.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { Section } from '../../widgets/parts.tsx';
import { EvidenceList } from '../EvidenceList.tsx';
import { type SpanRecord, spanRecords } from './spanSteps.ts';
import { writeWords } from './spanWords.ts';

const most = 12;
const logged: Basis = { kind: 'reported', from: 'log' };

/** Records that a run rests on: those that can be opened lead to the change itself. */
export function SpanEvidence({ span }: { readonly span: Span }): ReactNode {
  const { t, number } = useI18n();
  const records = spanRecords(span);
  if (records.length === 0) return null;
  function itemOf({ kind, seq, step }: SpanRecord): Evidence {
    switch (kind) {
      case 'write': {
        const write = step as TraceWrite;
        const what = writeWords(write, span.key);
        const outcome = t(`span.outcome.${write.outcome}`);
        return { text: t('span.evidence.write', { what, outcome }), basis: write.basis, seq };
      }
      case 'line': {
        const text = (step as TraceLine).text.split(' {', 1)[0] ?? '';
        return { text: t('span.evidence.line', { text }), basis: logged, seq };
      }
      case 'event': {
        const event = step as TraceEvent;
        return { text: t('span.evidence.event', { text: event.reason }), basis: event.basis, seq };
      }
      case 'trigger': {
        const trigger = step as Trigger;
        return { text: trigger.text, basis: trigger.basis, seq };
      }
    }
  }
  return (
    <Section title={t('span.evidence')} end={records.length > most ? number(records.length) : undefined}>
      <EvidenceList evidence={records.slice(0, most).map(itemOf)} />
    </Section>
  );
}
