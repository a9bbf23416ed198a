/** The head of Why and Conditions: where the object is, how it is and since when, the link to this moment. */
import { Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WhyView } from '../../../shared/contract/views/why.ts';
import { printMomentLink } from '../../../shared/model/momentLink.ts';
import { useValueOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useWindow } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { useCopy } from '../../widgets/Copy.tsx';
import { Button, Pill, type PillTone } from '../../widgets/controls.tsx';
import type { GlyphState } from '../../widgets/StateGlyph.tsx';
import { ObjectHead } from '../ObjectHead.tsx';
import { ageWords, sentenceText } from './sentenceText.tsx';
import './whyHead.css';

const tones: Readonly<Record<WhyView['health'], { readonly tone: PillTone; readonly glyph: GlyphState }>> = {
  ok: { tone: 'ok', glyph: 'ok' },
  progressing: { tone: 'progressing', glyph: 'progressing' },
  degraded: { tone: 'degraded', glyph: 'degraded' },
  failed: { tone: 'failed', glyph: 'failed' },
  unknown: { tone: 'unknown', glyph: 'unknown' },
  deleting: { tone: 'unknown', glyph: 'deleting' },
};

export function WhyHead({ view, end }: { readonly view: WhyView; readonly end?: ReactNode }): ReactNode {
  const { t } = useI18n();
  const { object, generation, observedGeneration } = view;
  return (
    <ObjectHead
      objectKey={object.key}
      end={
        <>
          {end}
          <CopyLink objectKey={object.key} />
        </>
      }
    >
      <HealthPill view={view} />
      {generation !== undefined && (
        <span className="small secondary objectGeneration">
          {observedGeneration === undefined
            ? t('why.head.generation.only', { generation: `${generation}` })
            : t('why.head.generation', { generation: `${generation}`, observed: `${observedGeneration}` })}
        </span>
      )}
    </ObjectHead>
  );
}

function HealthPill({ view }: { readonly view: WhyView }): ReactNode {
  const { t, locale } = useI18n();
  const now = useMoment(1000);
  const { health, healthText, healthSince } = view;
  if (!view.known) return null;
  const { tone, glyph } = tones[health];
  return (
    <Pill tone={tone} glyph={glyph}>
      <span>
        {healthText === undefined ? t(`health.${health}`) : sentenceText(healthText, locale, now)}
        {healthSince !== undefined && (
          <span className="pillSince">{` · ${ageWords(now - healthSince, locale)}`}</span>
        )}
      </span>
    </Pill>
  );
}

/** While live the link has no time: it leads to what is shown then. */
function CopyLink({ objectKey }: { readonly objectKey: string }): ReactNode {
  const { t } = useI18n();
  const { copied, copy } = useCopy();
  const tab = useWindow((s) => s.place.tab);
  const session = useValueOf('session', {}, (s) => s.value?.id);
  const live = useValueOf('playback', {}, (s) => s.value === undefined || s.value.state === 'live');
  const now = useMoment(1000);
  const link = printMomentLink({
    ...(session === undefined || session === '' ? {} : { session }),
    object: objectKey,
    tab,
    ...(live ? {} : { at: Math.round(now) }),
  });
  const label = copied ? t('action.copied') : t('why.copyLink');
  // What a view has to copy besides, such as a fix, goes before it.
  useViewAction('copy', () => copy(link));
  return (
    <Button
      className="copyLink"
      icon={<Share2 size={14} strokeWidth={1.75} aria-hidden="true" />}
      aria-label={label}
      title={link}
      onClick={() => copy(link)}
    >
      <span className="copyLinkText">{label}</span>
    </Button>
  );
}
