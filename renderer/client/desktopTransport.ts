/** From the shell's bridge to an open pipe: a port that the shell brokers and the preload script hands over. */

import { avoidEval } from '../../shared/contract/noEval.ts';
import { createPortTransport, type PortTransport } from '../../shared/contract/portTransport.ts';
import { shellCalls, zShellEvent } from '../../shared/contract/shell.ts';
import { enginePortMessage, type ShellBridge } from '../../shared/contract/shellBridge.ts';
import type { OpenedPipe } from './engineLink.ts';

avoidEval();

/** What is used of the page. */
export interface PortPage {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** How long a port that was promised may take to arrive. */
const portLimitMs = 10_000;

/** Asks for an engine and waits for its port. A death that the port does not tell is told by the shell's `engineGone`. */
export async function openDesktopEngine(
  bridge: ShellBridge,
  hurry: boolean,
  page: PortPage & {
    readonly setTimeout: typeof setTimeout;
    readonly clearTimeout: typeof clearTimeout;
  } = window,
): Promise<OpenedPipe> {
  const arrival = nextPort(page);
  try {
    const answer = shellCalls.connectEngine.result.parse(await bridge.call('connectEngine', { hurry }));
    if (!answer.connected) {
      arrival.stop();
      return {
        ok: false,
        why: 'engine',
        retryMs: answer.retryMs,
        ...(answer.why === undefined ? {} : { detail: answer.why }),
      };
    }
    const limit = page.setTimeout(arrival.stop, portLimitMs);
    const port = await arrival.port;
    page.clearTimeout(limit);
    if (port === undefined) return { ok: false, why: 'engine' };
    const transport = createPortTransport(port);
    abandonWhenGone(bridge, transport);
    return { ok: true, transport };
  } catch (error) {
    arrival.stop();
    return { ok: false, why: 'engine', detail: error instanceof Error ? error.message : String(error) };
  }
}

function abandonWhenGone(bridge: ShellBridge, transport: PortTransport): void {
  const stop = bridge.on((raw) => {
    const event = zShellEvent.safeParse(raw);
    if (event.success && event.data.type === 'engineGone') transport.abandon(event.data.why);
  });
  transport.onClose(() => stop());
}

/** Resolves with the next port that the preload script hands over, or undefined once stopped. */
function nextPort(page: PortPage): { readonly port: Promise<MessagePort | undefined>; stop(): void } {
  let stop = () => {};
  const port = new Promise<MessagePort | undefined>((resolve) => {
    const listener = (event: MessageEvent) => {
      if (event.data !== enginePortMessage || event.source !== window) return;
      page.removeEventListener('message', listener);
      resolve(event.ports[0]);
    };
    stop = () => {
      page.removeEventListener('message', listener);
      resolve(undefined);
    };
    page.addEventListener('message', listener);
  });
  return { port, stop };
}
