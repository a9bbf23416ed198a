import type { ReactNode } from 'react';
import type { WalkQuery } from '../../../shared/contract/views/traces.ts';
import type { Walk, WalkStep } from '../../../shared/model/trace.ts';
import { useValue } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { ProblemLine, Section, Skeleton } from '../../widgets/parts.tsx';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';
import { reasonWord } from '../reasonWords.ts';
import { timeWords } from './spanWords.ts';
import './traces.css';

/** "Why did it run?" or "why did it not run?": the answer, and the steps that show it. The step that decides stands out. */
export function WalkSection({ query }: { readonly query: WalkQuery }): ReactNode {
  const { t } = useI18n();
  const { value, state, error } = useValue('walk', query);
  const title = t(query.span === undefined ? 'span.notRan.title' : 'walk.ran');
  if (state === 'failed') {
    return (
      <Section title={title}>
        <ProblemLine text={t('state.failed', { why: error ?? '' })} />
      </Section>
    );
  }
  if (value === undefined) return <Skeleton lines={4} />;
  if (value.walk === undefined) return <NoWalk title={title} reason={value.reason} />;
  return (
    <Section title={title}>
      <WalkList walk={value.walk} />
    </Section>
  );
}

function NoWalk(props: { readonly title: string; readonly reason: string | undefined }): ReactNode {
  const { t } = useI18n();
  const word = reasonWord(props.reason);
  const why = word === undefined ? (props.reason ?? '') : t(word.key, { list: word.list });
  return (
    <Section title={props.title}>
      <p className="small secondary">{t('walk.none', { why })}</p>
    </Section>
  );
}

export function WalkList({ walk }: { readonly walk: Walk }): ReactNode {
  const { t } = useI18n();
  return (
    <>
      <p className="walkAnswer" lang="en">
        {walk.answer}
      </p>
      <ol className="walk">
        {walk.steps.map((step, index) => (
          <li
            key={`${step.step} ${step.text}`}
            className={index === walk.decides ? 'walkStep walkDecides' : 'walkStep'}
          >
            <StateGlyph
              state={verdictGlyph(step, index === walk.decides && walk.question === 'notRan')}
              size={12}
              label={t(`walk.verdict.${step.verdict}`)}
            />
            <span className="walkText">
              <span className="walkName">
                {t(`walk.step.${step.step}`)}
                {index === walk.decides && <span className="walkBadge">{t('walk.decides')}</span>}
              </span>
              <span className="secondary" lang="en">
                {step.text}
              </span>
              {step.at !== undefined && <span className="mono tertiary">{timeWords(step.at)}</span>}
            </span>
            <BasisMark basis={step.basis} show="mark" why={step.text} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** No is no fault by itself: only where it holds the key back it is told as one. */
export function verdictGlyph({ verdict }: Pick<WalkStep, 'verdict'>, holds: boolean): GlyphState {
  switch (verdict) {
    case 'yes':
      return 'ok';
    case 'no':
      return holds ? 'degraded' : 'none';
    case 'unknown':
      return 'unknown';
  }
}
