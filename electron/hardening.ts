/**
 * What no page may do, ours included: see node, leave its scheme, open windows, hold permissions, download, speak to the
 * network. Each line is asserted in a test (electron/hardening.test.ts, e2e/electron/hardening.test.ts).
 */
import type { App, Session, WebContents, WebPreferences } from 'electron';
import { isOwnPage } from './appScheme.ts';

/** Of every window. `preload` is the only script of ours with anything but the page's rights. */
export function hardenedPreferences(preload: string, devTools: boolean): WebPreferences {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: false,
    devTools,
  };
}

/** Holds for every page of the program, also for one that a bug would create. */
export function hardenApp(app: Pick<App, 'on'>): void {
  app.on('web-contents-created', (_event, contents) => hardenContents(contents));
}

function hardenContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    // A reload of our own page is the one thing that may happen.
    if (!isOwnPage(event.url) || !event.isMainFrame) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isOwnPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** What the window needs and asks for: to put text on the clipboard. */
const granted: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) => {
    answer(granted.has(permission) && isOwnPage(contents.getURL()));
  });
  session.setPermissionCheckHandler(
    (contents, permission) => granted.has(permission) && contents !== null && isOwnPage(contents.getURL()),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  // Nothing of the window comes from the network; the tools for developers bring files of their own.
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({
      cancel: !isOwnPage(details.url) && !/^(data|blob|devtools|chrome-extension):/.test(details.url),
    });
  });
}

/** What is asked of the frame that sent a message: our page, not a frame inside of it, not one that is gone. */
export function isOwnFrame(frame: { readonly url: string; readonly parent: unknown } | null): boolean {
  return frame !== null && frame.parent === null && isOwnPage(frame.url);
}
