import type { ReactNode } from 'react';
import type { WhyCheck } from '../../../shared/contract/views/why.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';
import { useSentences } from './sentenceText.tsx';

const glyphs: Readonly<Record<WhyCheck['state'], GlyphState>> = {
  ok: 'ok',
  problem: 'failed',
  notEvaluated: 'unknown',
};

/** What was looked at besides: in order, a problem, or not evaluated and why. */
export function WhyChecks({ checks }: { readonly checks: readonly WhyCheck[] }): ReactNode {
  const { t } = useI18n();
  const { text } = useSentences();
  if (checks.length === 0) return null;
  return (
    <section className="whyChecks">
      <h3 className="label strong">{t('why.checks')}</h3>
      <ul>
        {checks.map((check) => {
          const detail = check.detail === undefined ? '' : text(check.detail);
          return (
            <li key={check.id}>
              <StateGlyph state={glyphs[check.state]} size={12} label={t(`why.check.state.${check.state}`)} />
              <span className="whyCheckTitle">{text(check.title)}</span>
              <span className="whyCheckDetail cut" title={detail}>
                {detail}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
