/** What the desktop says of this window, in the window's language: its dialogs, its title bar; and the theme it is drawn in. */
import { useEffect } from 'react';
import type { ShellText } from '../../shared/contract/shell.ts';
import { useShell } from '../client/useShell.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useConnection } from '../state/useConnection.ts';
import { isRecording, usePlayback } from '../state/usePlayback.ts';
import { useWindow } from '../state/useWindow.tsx';

const texts: readonly ShellText[] = [
  'quit.title',
  'quit.detail',
  'quit.stop',
  'quit.cancel',
  'quit.remember',
  'files.session',
  'files.any',
];

export function useShellWords(): void {
  const shell = useShell();
  const { t } = useI18n();
  const theme = useWindow((s) => s.preferences.theme);
  useEffect(() => {
    if (!shell.can('setTexts')) return;
    // A place without a value stays as {context}: the shell fills it.
    const said = Object.fromEntries(texts.map((text) => [text, t(`shell.${text}`)]));
    void shell.call('setTexts', { texts: said as Record<ShellText, string> }).catch(() => undefined);
  }, [shell, t]);
  useEffect(() => {
    if (shell.can('setTheme')) void shell.call('setTheme', { theme }).catch(() => undefined);
  }, [shell, theme]);
}

/** The window's title: what is shown, and whether it is being recorded. */
export function useWindowTitle(): void {
  const { t } = useI18n();
  const connection = useConnection();
  const playback = usePlayback();
  const phase = connection?.phase;
  const records = phase === 'live' || phase === 'syncing' || phase === 'lost';
  const what = isRecording(playback) ? playback?.name : records ? connection?.context : undefined;
  const title =
    what === undefined || what === ''
      ? t('app.name')
      : t(records ? 'shell.title.recording' : 'shell.title', { what });
  useEffect(() => {
    document.title = title;
  }, [title]);
}
