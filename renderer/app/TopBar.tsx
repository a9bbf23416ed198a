import { Menu } from '@base-ui/react/menu';
import { ChevronDown, CircleQuestionMark, Lock, Search, Settings, Unplug } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { useEngine, useValueOf } from '../client/useEngine.tsx';
import { formatBytes, formatElapsed } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useConnection, useMoment } from '../state/useConnection.ts';
import { useMedia } from '../state/useMedia.ts';
import { useIsRecording } from '../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { goTo } from '../state/windowState.ts';
import { RecordingPanel } from '../views/sessions/RecordingPanel.tsx';
import { Cut } from '../widgets/Cut.tsx';
import { IconButton, KeyHint } from '../widgets/controls.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';
import { Tip } from '../widgets/Tip.tsx';
import { Logo } from './Logo.tsx';
import { ShownMenu } from './ShownMenu.tsx';

export function TopBar(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const short = useMedia('(max-width: 1099px)');
  // What the menu tells is inside the landmark of the bar.
  const layer = useRef<HTMLDivElement>(null);
  const recording = useIsRecording();
  return (
    <header className="topBar" data-region="top">
      <div className="topLayer" ref={layer} />
      <div className="topStart">
        <Logo />
        {recording ? <ShownMenu layer={layer} /> : <ConnectionMenu layer={layer} />}
        <ReadOnlyBadge />
      </div>
      <button type="button" className="topSearch" onClick={() => store.setState({ paletteOpen: true })}>
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="cut">{t(short ? 'top.search.short' : 'top.search')}</span>
        <KeyHint keys="Mod+K" />
      </button>
      <div className="topEnd">
        {recording ? <ShownState short={short} /> : <RecordingState short={short} layer={layer} />}
        <TopButtons />
      </div>
    </header>
  );
}

export function ReadOnlyBadge(): ReactNode {
  const { t } = useI18n();
  return (
    <Tip text={t('app.readOnly.why')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation opens on focus */}
      <span className="pill pill-neutral" tabIndex={0}>
        <Lock size={12} strokeWidth={1.75} aria-hidden="true" />
        {t('app.readOnly')}
      </span>
    </Tip>
  );
}

export function TopButtons(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  return (
    <>
      <IconButton label={t('top.help')} keys="?" onClick={() => store.setState({ helpOpen: true })}>
        <CircleQuestionMark size={16} strokeWidth={1.75} />
      </IconButton>
      <IconButton
        label={t('top.settings')}
        aria-haspopup="dialog"
        onClick={() => store.setState({ settingsOpen: true })}
      >
        <Settings size={16} strokeWidth={1.75} />
      </IconButton>
    </>
  );
}

function ConnectionMenu({ layer }: { readonly layer: RefObject<HTMLDivElement | null> }): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const connection = useConnection();
  if (connection === undefined) return null;
  const watching = connection.namespaces.length === 0 ? t('state.all') : connection.namespaces.join(', ');
  const facts = [
    [t('top.server'), connection.server],
    [t('top.user'), connection.user],
    [t('top.watching'), watching],
  ] as const;
  return (
    <Menu.Root>
      <Menu.Trigger className="topContext">
        <span className="visuallyHidden">{t('top.switch')}: </span>
        <Cut className="strong" text={connection.context} />
        <span className="small secondary topVersion">{connection.version}</span>
        <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal container={layer}>
        <Menu.Positioner className="menuLayer" positionMethod="fixed" align="start" sideOffset={6}>
          <Menu.Popup className="menuPopup">
            {/* No list of terms: a menu may hold groups and items only. */}
            <div className="topFacts keyValue">
              {facts.map(([name, value]) => [
                <span key={`${name}t`} className="tertiary">
                  {name}
                </span>,
                <span key={name} className="mono">
                  {value ?? '–'}
                </span>,
              ])}
            </div>
            <div className="menuRule" />
            <Menu.Item className="menuItem" onClick={() => void engine.call('connection.disconnect', {})}>
              <Unplug size={14} strokeWidth={1.75} aria-hidden="true" />
              {t('top.disconnect')}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function RecordingState(props: {
  readonly short: boolean;
  readonly layer: RefObject<HTMLDivElement | null>;
}): ReactNode {
  const { t, number } = useI18n();
  const { short } = props;
  const store = useWindowStore();
  const now = useMoment(1000);
  const session = useValueOf('session', {}, (s) => s.value);
  const folder = useValueOf('library', {}, (s) => s.value?.folder);
  const panel = useWindow((s) => s.sessions.panel);
  if (session === undefined) return null;
  const all = session.sourcesLive === session.sourcesTotal;
  const sources = t('top.sources', { live: session.sourcesLive, n: session.sourcesTotal });
  const recording = formatElapsed(now - session.startedAt);
  const records = t('top.records', { n: session.records });
  const tip = [t('sessions.panel.open'), `${records}, ${formatBytes(session.bytes)}`, folder ?? ''];
  return (
    <>
      <Tip text={sources}>
        <button type="button" className="topStat" onClick={() => goTo(store, { tab: 'informers' })}>
          <StateGlyph state={all ? 'ok' : 'degraded'} size={14} />
          {short ? `${number(session.sourcesLive)} / ${number(session.sourcesTotal)}` : sources}
        </button>
      </Tip>
      <RecordingPanel
        session={session}
        layer={props.layer}
        trigger={
          <button
            type="button"
            className="topStat"
            title={panel ? undefined : tip.filter((line) => line !== '').join('\n')}
          >
            <i className={session.paused === undefined ? 'recordDot' : 'recordDot recordPaused'} />
            {session.paused !== undefined ? (
              <span className="inkDegraded">{t('top.pausedShort')}</span>
            ) : short ? (
              recording
            ) : (
              t('top.recording', { time: recording })
            )}
          </button>
        }
      />
      <span className="topStat topRecords">{records}</span>
      <Gaps count={session.gaps} short={short} />
    </>
  );
}

/** Of a session or demo: how many records and gaps it has told so far. */
function ShownState({ short }: { readonly short: boolean }): ReactNode {
  const { t } = useI18n();
  const session = useValueOf('session', {}, (s) => s.value);
  if (session === undefined) return null;
  return (
    <>
      <span className="topStat topRecords">{t('top.records', { n: session.records })}</span>
      <Gaps count={session.gaps} short={short} />
    </>
  );
}

function Gaps(props: { readonly count: number; readonly short: boolean }): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const { count, short } = props;
  return (
    <button
      type="button"
      className={count > 0 ? 'topStat inkGap' : 'topStat tertiary'}
      aria-label={t('top.gaps', { n: count })}
      onClick={() => {
        store.setState({ informerSegment: 'informers' });
        goTo(store, { tab: 'informers' });
      }}
    >
      <Unplug size={14} strokeWidth={1.75} aria-hidden="true" />
      {short ? number(count) : t('top.gaps', { n: count })}
    </button>
  );
}
