/**
 * The shell around the window: the desktop program, or what a browser can do in its place. Views ask `can()` before they
 * offer what a browser has not.
 */
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import {
  type Shell,
  type ShellCall,
  type ShellEvent,
  type ShellParams,
  type ShellResult,
  shellCalls,
  zShellEvent,
} from '../../shared/contract/shell.ts';
import { type ShellBridge, shellBridgeName } from '../../shared/contract/shellBridge.ts';
import {
  DROP_LIMIT_BYTES,
  DROP_SECRET_HEADER,
  dropPathFor,
  zDropAnswer,
} from '../../shared/contract/webSession.ts';
import { keptSecret } from './webSocketTransport.ts';

/** The bridge that the preload script put on this page; undefined in a browser. */
export function desktopBridge(page: object = globalThis): ShellBridge | undefined {
  return (page as Record<string, ShellBridge | undefined>)[shellBridgeName];
}

export function createDesktopShell(bridge: ShellBridge): Shell {
  return {
    kind: 'desktop',
    can: () => true,
    async call<C extends ShellCall>(name: C, params: ShellParams<C>): Promise<ShellResult<C>> {
      return shellCalls[name].result.parse(await bridge.call(name, params)) as ShellResult<C>;
    },
    on(listener) {
      return toDisposable(
        bridge.on((raw) => {
          const event = zShellEvent.safeParse(raw);
          if (event.success) listener(event.data);
        }),
      );
    },
    async pathOf(file) {
      const path = bridge.pathOf(file);
      return path === '' ? undefined : path;
    },
  };
}

/** What the browser's shell uses of the page; the defaults are the real ones. */
export interface BrowserShellPage {
  readonly open: (url: string) => void;
  readonly fetch: typeof fetch;
  readonly secret: () => string | undefined;
}

export function createBrowserShell(page: BrowserShellPage = browserPage()): Shell {
  return {
    kind: 'browser',
    can: (name) => name === 'openExternal' || name === 'ready',
    async call<C extends ShellCall>(name: C, params: ShellParams<C>): Promise<ShellResult<C>> {
      if (name === 'openExternal') {
        page.open((params as ShellParams<'openExternal'>).url);
        return { opened: true } as ShellResult<C>;
      }
      if (name === 'ready') return {} as ShellResult<C>;
      throw new Error(`A browser cannot do this: ${name}.`);
    },
    // A browser tells nothing: no native menu, no links, no files.
    on: (_listener: (event: ShellEvent) => void): Disposable => toDisposable(() => {}),
    pathOf: (file) => (file instanceof Blob ? handOver(file, page) : Promise.resolve(undefined)),
  };
}

/** Rejects with a sentence of the host when it takes no such file. */
async function handOver(
  file: Blob & { readonly name?: string },
  page: BrowserShellPage,
): Promise<string | undefined> {
  const secret = page.secret();
  if (secret === undefined || file.size > DROP_LIMIT_BYTES) return undefined;
  const response = await page.fetch(dropPathFor(file.name ?? 'file'), {
    method: 'POST',
    headers: { [DROP_SECRET_HEADER]: secret, 'content-type': 'application/octet-stream' },
    body: file,
  });
  const answer = zDropAnswer.parse(await response.json());
  if (!answer.ok) throw new Error(answer.message);
  return answer.path;
}

function browserPage(): BrowserShellPage {
  return {
    open: (url) => {
      window.open(url, '_blank', 'noopener,noreferrer');
    },
    fetch: (input, init) => window.fetch(input, init),
    secret: () => keptSecret(window.sessionStorage),
  };
}
