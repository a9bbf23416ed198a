import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { enginePortMessage, type ShellBridge } from '../../shared/contract/shellBridge.ts';
import { openDesktopEngine } from './desktopTransport.ts';

/** The page's messages, by hand. */
class Page extends EventTarget {
  readonly setTimeout = setTimeout;
  readonly clearTimeout = clearTimeout;
  hand(
    port: MessagePort | undefined,
    source: unknown = globalThis.window,
    data: unknown = enginePortMessage,
  ) {
    this.dispatchEvent(
      Object.assign(new Event('message'), { data, source, ports: port === undefined ? [] : [port] }),
    );
  }
}

beforeEach(() => vi.stubGlobal('window', {}));
afterEach(() => vi.unstubAllGlobals());

function world(answer: unknown) {
  const page = new Page();
  let tell: (event: unknown) => void = () => {};
  const bridge: ShellBridge = {
    platform: 'linux',
    call: async () => answer,
    on: (listener) => {
      tell = listener;
      return () => {};
    },
    pathOf: () => '',
  };
  const open = () => openDesktopEngine(bridge, false, page as never);
  return { page, open, tell: (event: unknown) => tell(event) };
}

describe('openDesktopEngine', () => {
  test('the port that the preload script hands over becomes the pipe; other messages are not taken for it', async () => {
    const { page, open, tell } = world({ connected: true });
    const { port1, port2 } = new MessageChannel();
    const opening = open();
    page.hand(new MessageChannel().port1, {}, enginePortMessage);
    page.hand(new MessageChannel().port1, globalThis.window, 'something else');
    page.hand(port1 as unknown as MessagePort);
    const opened = await opening;
    if (!opened.ok) throw new Error('not opened');
    const arrived = new Promise((resolve) =>
      port2.addEventListener('message', (event: { data: unknown }) => resolve(event.data)),
    );
    port2.start();
    opened.transport.send({ n: 0, type: 'cancel', id: 1 });
    expect(await arrived).toEqual({ n: 0, type: 'cancel', id: 1 });
    const ended = new Promise((resolve) => opened.transport.onClose(resolve));
    tell({ type: 'engineGone', why: 'It was killed.' });
    expect(await ended).toEqual({ kind: 'error', message: 'It was killed.' });
    port2.close();
  });

  test('no engine: why, and when there will be one', async () => {
    const { open } = world({ connected: false, why: 'It ended.', retryMs: 2_000 });
    expect(await open()).toEqual({ ok: false, why: 'engine', detail: 'It ended.', retryMs: 2_000 });
  });

  test('an answer of another shape is a failure in words, not a hang', async () => {
    const { open } = world({ connected: 'perhaps' });
    expect(await open()).toMatchObject({ ok: false, why: 'engine' });
  });
});
