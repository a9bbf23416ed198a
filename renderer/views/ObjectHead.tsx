/** The one head of every view of an object: where it is, how it is and since when, what the view adds, the link here. */
import { Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WhyView } from '../../shared/contract/views/why.ts';
import { type ObjectKey, parseObjectKey } from '../../shared/model/ids.ts';
import { printMomentLink } from '../../shared/model/momentLink.ts';
import { useValue, useValueOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { useMoment } from '../state/useConnection.ts';
import { useWindow } from '../state/useWindow.tsx';
import { useViewAction } from '../state/viewActions.tsx';
import { CopyIconButton, useCopy } from '../widgets/Copy.tsx';
import { Button, Pill, type PillTone } from '../widgets/controls.tsx';
import type { GlyphState } from '../widgets/StateGlyph.tsx';
import { ageWords, sentenceText } from './why/sentenceText.tsx';
import './objectHead.css';

const tones: Readonly<Record<WhyView['health'], { readonly tone: PillTone; readonly glyph: GlyphState }>> = {
  ok: { tone: 'ok', glyph: 'ok' },
  progressing: { tone: 'progressing', glyph: 'progressing' },
  degraded: { tone: 'degraded', glyph: 'degraded' },
  failed: { tone: 'failed', glyph: 'failed' },
  unknown: { tone: 'unknown', glyph: 'unknown' },
  deleting: { tone: 'unknown', glyph: 'deleting' },
};

/** Name and place stand at once; how the object is follows when the engine has told. */
export function ObjectHead(props: {
  /** Object key. */
  readonly objectKey: string;
  /** After the state: what the view counts or marks. */
  readonly children?: ReactNode;
  /** At the far end, before the link: the controls of the view. With any, the link is an icon. */
  readonly end?: ReactNode;
}): ReactNode {
  const { t } = useI18n();
  const { kind, namespace, name } = parseObjectKey(props.objectKey as ObjectKey);
  const view = useValue('why', { key: props.objectKey }).value;
  return (
    <>
      <nav className="crumbs">
        <span className="secondary crumb">{kind}</span>
        {namespace !== '' && (
          <>
            <i>/</i>
            <span className="secondary crumb">{namespace}</span>
          </>
        )}
        <i>/</i>
        <h2 className="title cut" title={name}>
          {name}
        </h2>
        <CopyIconButton text={name} label={t('object.copyName')} />
      </nav>
      {view !== undefined && <HealthPill view={view} />}
      {view?.known === true && <Generation view={view} />}
      {props.children}
      <span className="viewHeadEnd">
        {props.end}
        <CopyLink objectKey={props.objectKey} compact={props.end !== undefined} />
      </span>
    </>
  );
}

function HealthPill({ view }: { readonly view: WhyView }): ReactNode {
  const { t, locale } = useI18n();
  const now = useMoment(1000);
  const { health, healthText, healthSince } = view;
  // A ConfigMap has no state to know: a pill that says so would only be noise.
  if (!view.known || healthText?.id === 'pill.unknown') return null;
  const held = view.cause === 'deletion-held' || view.cause === 'deletion-failing';
  const { tone, glyph } = tones[held ? 'degraded' : health];
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

function Generation({ view }: { readonly view: WhyView }): ReactNode {
  const { t } = useI18n();
  const { generation, observedGeneration } = view;
  if (generation === undefined) return null;
  return (
    <span className="small secondary objectGeneration">
      {observedGeneration === undefined
        ? t('object.generation.only', { generation: `${generation}` })
        : t('object.generation', { generation: `${generation}`, observed: `${observedGeneration}` })}
    </span>
  );
}

/** While live the link has no time: it leads to what is shown then. */
function CopyLink(props: { readonly objectKey: string; readonly compact: boolean }): ReactNode {
  const { t } = useI18n();
  const { copied, copy } = useCopy();
  const tab = useWindow((s) => s.place.tab);
  const session = useValueOf('session', {}, (s) => s.value?.id);
  const live = useValueOf('playback', {}, (s) => s.value === undefined || s.value.state === 'live');
  const now = useMoment(1000);
  const link = printMomentLink({
    ...(session === undefined || session === '' ? {} : { session }),
    object: props.objectKey,
    tab,
    ...(live ? {} : { at: Math.round(now) }),
  });
  const label = copied ? t('action.copied') : t('object.copyLink');
  // What a view has to copy besides, such as a fix, goes before it.
  useViewAction('copy', () => copy(link));
  return (
    <Button
      className={props.compact ? 'copyLink copyLinkCompact' : 'copyLink'}
      icon={<Share2 size={14} strokeWidth={1.75} aria-hidden="true" />}
      aria-label={label}
      title={`${t('object.copyLink')}\n${link}`}
      onClick={() => copy(link)}
    >
      <span className="copyLinkText">{label}</span>
    </Button>
  );
}
