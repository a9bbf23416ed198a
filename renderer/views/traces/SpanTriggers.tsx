import type { ReactNode } from 'react';
import type { Span, Trigger } from '../../../shared/model/trace.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { goTo, selectSpan } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Section } from '../../widgets/parts.tsx';
import { timeWords } from './spanWords.ts';
import { Subject, useSpanWords } from './useSpanWords.tsx';

/** What woke a run, the events that collapsed into it, and who wrote them. A timer alone is told among the facts. */
export function SpanTriggers({ span }: { readonly span: Span }): ReactNode {
  const { t } = useI18n();
  const { triggerList } = span;
  const [only] = triggerList;
  if (only === undefined || (triggerList.length === 1 && only.subject === undefined)) return null;
  return (
    <Section
      title={t('span.triggers')}
      end={triggerList.length > 1 ? t('span.triggers.collapsed', { n: triggerList.length }) : undefined}
    >
      <ul className="triggers">
        {triggerList.map((trigger) => (
          <li
            key={`${trigger.seq} ${trigger.at.lo} ${trigger.subject}`}
            className={trigger.collapsed ? 'triggerCollapsed' : ''}
          >
            <TriggerLine trigger={trigger} own={trigger.object === span.object} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function TriggerLine(props: {
  readonly trigger: Trigger;
  /** It is about the key's own object. */
  readonly own: boolean;
}): ReactNode {
  const { trigger, own } = props;
  const { t } = useI18n();
  const store = useWindowStore();
  const words = useSpanWords();
  const { subject, type, seq } = trigger;
  const text = (
    <>
      {subject === undefined ? (
        words.trigger(trigger)
      ) : (
        <>
          <Subject subject={subject} /> <span className="tertiary">{type}</span>
        </>
      )}
    </>
  );
  return (
    <>
      <i className={`triggerMark trigger-${shapeOf(trigger, own)}`} aria-hidden="true" />
      <span className="triggerWhat">
        {seq === undefined || trigger.basis.kind !== 'observed' ? (
          <span title={trigger.text}>{text}</span>
        ) : (
          <button
            type="button"
            className="textLink"
            title={trigger.text}
            onClick={() => {
              store.setState({ eventSeq: seq, eventFilter: '' });
              goTo(store, { tab: 'events' });
            }}
          >
            {text}
          </button>
        )}
        <Writer trigger={trigger} />
        {trigger.collapsed && <span className="tertiary">{t('span.trigger.collapsed')}</span>}
      </span>
      <span className="mono tertiary">{timeWords(trigger.at)}</span>
      <BasisMark basis={trigger.basis} show="mark" why={trigger.text} />
    </>
  );
}

/** A spec change is a diamond, what is owned or watched a disc, a timer a dashed ring. */
function shapeOf({ type, writer }: Trigger, own: boolean): 'diamond' | 'disc' | 'ring' {
  if (type === 'retry' || type === 'requeue' || type === 'requeue-after' || type === 'unseen') return 'ring';
  return own && writer?.subresource === '' && !writer.own ? 'diamond' : 'disc';
}

function Writer({ trigger }: { readonly trigger: Trigger }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { writer } = trigger;
  if (writer === undefined) return null;
  const name = writer.subresource === '' ? writer.manager : `${writer.manager} · ${writer.subresource}`;
  const own = writer.own
    ? t(writer.subresource === 'status' ? 'span.trigger.ownStatus' : 'span.trigger.own')
    : name;
  const { span } = writer;
  if (span === undefined) {
    return (
      <span className={writer.own ? 'ownerChip ownWrite' : 'ownerChip'} title={name}>
        {own}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="ownerChip ownWrite"
      title={`${name}. ${t('span.trigger.open')}`}
      onClick={() => selectSpan(store, span)}
    >
      {own}
    </button>
  );
}
