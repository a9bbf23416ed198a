import { Menu } from '@base-ui/react/menu';
import { ChevronDown, CirclePlay, FolderOpen, FolderSearch, History, List, LogOut, Save } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useEngine } from '../client/useEngine.tsx';
import { useShell } from '../client/useShell.ts';
import { formatElapsed, missing } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useWallNow } from '../state/clock.ts';
import { closeShown } from '../state/playbackActions.ts';
import { setSessionsUi } from '../state/sessionsUi.ts';
import { useConnection } from '../state/useConnection.ts';
import { usePlayback } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { demoInfo, isDemoId } from '../tour/demos.ts';
import { whenWords } from '../views/sessions/sessionWords.ts';
import { useSessions } from '../views/sessions/useSessions.ts';
import { Cut } from '../widgets/Cut.tsx';

/** Name of what is shown: of a session as it is called, of a demo in the window's language. */
export function useShownName(): string {
  const { t } = useI18n();
  const playback = usePlayback();
  if (playback === undefined) return '';
  const { demo, name } = playback;
  return demo !== undefined && isDemoId(demo) ? t(demoInfo(demo).title) : name;
}

/** In the place of the connection's menu while a session or demo is shown: what it is, and what can be done with it. */
export function ShownMenu({ layer }: { readonly layer: RefObject<HTMLDivElement | null> }): ReactNode {
  const i18n = useI18n();
  const { t } = i18n;
  const engine = useEngine();
  const store = useWindowStore();
  const shell = useShell();
  const playback = usePlayback();
  const connection = useConnection();
  const rows = useSessions().rows;
  const name = useShownName();
  const now = useWallNow(1000);
  if (playback === undefined) return null;
  const { path, from, to, behind } = playback;
  const row = rows.find((each) => each.path === path);
  const context = connection?.context ?? row?.context;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('playback.when'), from === undefined ? undefined : whenWords(from, now, i18n)],
    [
      t('sessions.column.length'),
      from === undefined || to === undefined ? undefined : formatElapsed(to - from),
    ],
    [t('playback.openedFrom'), context],
    ...(path === undefined ? [] : [[t('playback.file'), path] as const]),
  ];
  const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
  const Origin = playback.origin === 'demo' ? CirclePlay : History;
  return (
    <Menu.Root>
      <Menu.Trigger className="topContext">
        <span className="visuallyHidden">{t('playback.shown')}: </span>
        <Origin size={16} strokeWidth={1.75} className="inkDegraded topOrigin" aria-hidden="true" />
        <Cut className="strong" text={name} />
        <ChevronDown {...icon} />
      </Menu.Trigger>
      <Menu.Portal container={layer}>
        <Menu.Positioner className="menuLayer" positionMethod="fixed" align="start" sideOffset={6}>
          <Menu.Popup className="menuPopup">
            <div className="topFacts keyValue">
              {facts.map(([label, value]) => [
                <span key={`${label}t`} className="tertiary">
                  {label}
                </span>,
                <span key={label}>{value ?? missing}</span>,
              ])}
            </div>
            <div className="menuRule" />
            <Menu.Item className="menuItem" onClick={() => setSessionsUi(store, { dialog: 'save' })}>
              <Save {...icon} />
              {t('sessions.save')}
            </Menu.Item>
            <Menu.Item className="menuItem" onClick={() => setSessionsUi(store, { dialog: 'open' })}>
              <FolderOpen {...icon} />
              {t('sessions.openFile')}
            </Menu.Item>
            <Menu.Item className="menuItem" onClick={() => setSessionsUi(store, { dialog: 'list' })}>
              <List {...icon} />
              {t('command.session.list')}
            </Menu.Item>
            {path !== undefined && shell.can('showInFolder') && (
              <Menu.Item className="menuItem" onClick={() => void shell.call('showInFolder', { path })}>
                <FolderSearch {...icon} />
                {t('sessions.showInFolder')}
              </Menu.Item>
            )}
            <div className="menuRule" />
            <Menu.Item className="menuItem" onClick={() => void closeShown(engine)}>
              <LogOut {...icon} />
              {t(behind === undefined ? 'playback.close' : 'playback.backToLive')}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
