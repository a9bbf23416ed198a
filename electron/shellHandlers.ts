/** What each call of a window does. */
import { app, shell as desktop, type MessagePortMain, nativeTheme } from 'electron';
import { shellChannels } from '../shared/contract/shellBridge.ts';
import { chooseFile, saveFile, type Texts } from './dialogs.ts';
import { externalLink } from './externalLinks.ts';
import type { ShellHandlers } from './ipcHost.ts';
import { sessionFileExtension } from './openRequests.ts';
import { release, type ShellWindow, type Windows } from './windows.ts';

export interface HandlerHost {
  readonly windows: Windows;
  texts(): Texts;
  setTexts(texts: Partial<Texts>): void;
  menuChanged(): void;
  /** A further window, with nothing asked of its engine. */
  openWindow(): void;
}

export function shellHandlers(host: HandlerHost): ShellHandlers<ShellWindow> {
  return {
    async chooseFile({ window }, { what }) {
      const path = await chooseFile(window, what, host.texts());
      if (path !== undefined) remember(path);
      return path === undefined ? {} : { path };
    },
    async saveFile({ window }, { name }) {
      const path = await saveFile(window, name, host.texts());
      return path === undefined ? {} : { path };
    },
    showInFolder(_window, { path }) {
      desktop.showItemInFolder(path);
      return {};
    },
    async openExternal(_window, { url }) {
      const address = externalLink(url);
      if (address === undefined) return { opened: false };
      await desktop.openExternal(address);
      return { opened: true };
    },
    setMenu(window, menu) {
      window.menu = menu;
      host.menuChanged();
      return {};
    },
    setTexts(_window, { texts }) {
      host.setTexts(texts);
      return {};
    },
    setTheme(_window, { theme }) {
      nativeTheme.themeSource = theme;
      return {};
    },
    newWindow() {
      host.openWindow();
      return {};
    },
    async connectEngine(shell, { hurry }) {
      const answer = await shell.engine.connect(hurry);
      if (!answer.connected) return answer;
      handOver(shell, answer.port);
      return { connected: true };
    },
    ready(shell) {
      release(shell);
      return {};
    },
  };
}

/** For the system's list of recent documents; only what it could open again by a double click. */
export function remember(path: string): void {
  if (path.endsWith(sessionFileExtension)) app.addRecentDocument(path);
}

function handOver({ window }: ShellWindow, port: MessagePortMain): void {
  if (window.isDestroyed()) port.close();
  else window.webContents.postMessage(shellChannels.enginePort, null, [port]);
}
