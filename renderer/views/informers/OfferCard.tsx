import { ChevronDown, ChevronRight, Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SourceOffer } from '../../../shared/contract/views/traces.ts';
import { useAction } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { Button } from '../../widgets/controls.tsx';
import { MiddleCut } from '../../widgets/MiddleCut.tsx';
import { ProblemLine } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { ConsentDialog } from './ConsentDialog.tsx';
import { GrantRule } from './GrantRule.tsx';
import { SourceIcon } from './SourceIcon.tsx';

/** One source that a click attaches, or why it cannot be: with the rule that would allow it. */
export function OfferCard(props: {
  readonly offer: SourceOffer;
  /** Nothing of the cluster can be attached now. */
  readonly unavailable: string | undefined;
}): ReactNode {
  const { t, locale } = useI18n();
  const { offer } = props;
  const attach = useAction('feed.attachOffer');
  const [asking, setAsking] = useState(false);
  const [rule, setRule] = useState(false);
  const blocked = offer.blocked !== undefined;
  async function allow() {
    if ((await attach.run({ id: offer.id, consent: true }))?.ok === true) setAsking(false);
  }
  return (
    <article className={blocked ? 'attachCard attachBlocked' : 'attachCard'} aria-label={offer.label}>
      <div className="attachCardHead">
        <SourceIcon kind={offer.kind} size={16} />
        <strong className="attachCardName">{t(`sources.kind.${offer.kind}`)}</strong>
        {!blocked && (
          <Button
            small
            {...(props.unavailable === undefined ? {} : { unavailable: props.unavailable })}
            aria-label={t('sources.attach.name', { label: offer.label })}
            icon={offer.consent ? <Lock size={12} strokeWidth={1.75} /> : undefined}
            disabled={attach.running}
            onClick={() =>
              offer.consent ? setAsking(true) : void attach.run({ id: offer.id, consent: false })
            }
          >
            {t(attach.running ? 'sources.attach.running' : 'sources.attach.do')}
          </Button>
        )}
      </div>
      <div className="mono attachCardLabel">
        <MiddleCut text={offer.label} />
      </div>
      {/* What the engine says is about this very pod; it says it in English. */}
      <p className="small secondary">{locale === 'en' ? offer.gives : t(`sources.gives.${offer.kind}`)}</p>
      {offer.consent && !blocked && <p className="small tertiary">{t('sources.attach.asks')}</p>}
      {offer.blocked !== undefined && (
        <p className="small attachWhy">
          <StateGlyph state="unknown" size={12} />
          <span>{offer.blocked}</span>
        </p>
      )}
      {blocked && offer.missing !== undefined && offer.missing.length > 0 && (
        <>
          <button
            type="button"
            className="attachFold small"
            aria-expanded={rule}
            onClick={() => setRule(!rule)}
          >
            {rule ? (
              <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
            ) : (
              <ChevronRight size={14} strokeWidth={1.75} aria-hidden="true" />
            )}
            {t(rule ? 'sources.blocked.hide' : 'sources.blocked.show')}
          </button>
          {rule && <GrantRule missing={offer.missing} />}
        </>
      )}
      {attach.problem !== undefined && !asking && <ProblemLine text={attach.problem.message} />}
      {offer.consent && (
        <ConsentDialog
          open={asking}
          label={offer.label}
          running={attach.running}
          problem={attach.problem?.message}
          onClose={() => {
            attach.clear();
            setAsking(false);
          }}
          onAllow={() => void allow()}
        />
      )}
    </article>
  );
}
