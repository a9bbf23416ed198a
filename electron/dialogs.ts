/** The system's file dialogs, and the one question of the shell. Words come from the window, in its language. */
import { type BrowserWindow, dialog } from 'electron';
import type { ShellText } from '../shared/contract/shell.ts';
import type { Recording } from './engineMessages.ts';
import { sessionFileExtension } from './openRequests.ts';

export type Texts = Readonly<Record<ShellText, string>>;

/** Until a window has told its language, and for what it did not tell. */
export const englishTexts: Texts = {
  'quit.title': 'Stop recording {context}?',
  'quit.detail':
    'The session is closed in order and stays among your sessions. What happens in the cluster after that is not seen.',
  'quit.stop': 'Stop and quit',
  'quit.cancel': 'Go on recording',
  'quit.remember': 'Do not ask again',
  'files.session': 'Loopscope sessions',
  'files.any': 'All files',
};

export type FileKind = 'session' | 'log' | 'audit' | 'profile' | 'kubeconfig';

export async function chooseFile(
  window: BrowserWindow,
  what: FileKind,
  texts: Texts,
): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    properties: [
      'openFile',
      'dontAddToRecent',
      ...(what === 'kubeconfig' ? ['showHiddenFiles' as const] : []),
    ],
    filters: filtersOf(what, texts),
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}

export async function saveFile(
  window: BrowserWindow,
  name: string,
  texts: Texts,
): Promise<string | undefined> {
  const chosen = await dialog.showSaveDialog(window, {
    defaultPath: name.endsWith(sessionFileExtension) ? name : `${name}${sessionFileExtension}`,
    filters: filtersOf('session', texts),
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  });
  return chosen.canceled || chosen.filePath === '' ? undefined : chosen.filePath;
}

export interface QuitAnswer {
  readonly quit: boolean;
  readonly remember: boolean;
}

/** Says what is running. Escape and closing the dialog go on recording. */
export async function askToQuit(
  window: BrowserWindow | undefined,
  recordings: readonly Recording[],
  texts: Texts,
): Promise<QuitAnswer> {
  const context = recordings.map((recording) => recording.context).join(', ');
  const options = {
    type: 'question' as const,
    message: texts['quit.title'].replaceAll('{context}', context),
    detail: texts['quit.detail'].replaceAll('{context}', context),
    buttons: [texts['quit.stop'], texts['quit.cancel']],
    defaultId: 0,
    cancelId: 1,
    checkboxLabel: texts['quit.remember'],
    noLink: true,
  };
  const answer =
    window === undefined
      ? await dialog.showMessageBox(options)
      : await dialog.showMessageBox(window, options);
  return { quit: answer.response === 0, remember: answer.response === 0 && answer.checkboxChecked };
}

function filtersOf(what: FileKind, texts: Texts) {
  const any = { name: texts['files.any'], extensions: ['*'] };
  if (what !== 'session') return [any];
  return [{ name: texts['files.session'], extensions: [sessionFileExtension.slice(1)] }, any];
}
