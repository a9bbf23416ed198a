/** One page in Chromium as a WebContents. Addresses are the program's (`app://…`); Chromium sees a host of its own for them. */
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Cdp } from './cdp.ts';
import { MessagePortMain, type RemoteMessage, Remotes } from './endpoint.ts';
import { invoke } from './ipcMain.ts';
import { handlerOf, session } from './session.ts';
import { pageScript, preloadScript } from './worlds.ts';

/** Chromium does not navigate to a scheme it does not know; `localhost` below it is as trustworthy as a scheme of ours. */
const seenHost = 'http://loopscope.localhost';
const ownOrigin = 'app://loopscope';
const world = 'preload';
const binding = 'standInSend';
const receiver = 'standInReceive';

export function ownAddress(url: string): string {
  return url.startsWith(`${seenHost}/`) ? ownOrigin + url.slice(seenHost.length) : url;
}
function seenAddress(url: string): string {
  return url.startsWith(`${ownOrigin}/`) ? seenHost + url.slice(ownOrigin.length) : url;
}

interface PausedRequest {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly method: string };
  readonly resourceType: string;
  readonly frameId: string;
}

type OpenHandler = (details: { url: string }) => { action: string };

export class WebContents extends EventEmitter {
  readonly session = session.defaultSession;
  openHandler: OpenHandler | undefined;
  targetId = '';
  private readonly cdp: Cdp;
  private sessionId = '';
  private readonly token = `s${randomBytes(8).toString('hex')}`;
  private readonly remotes: Remotes;
  private context: number | undefined;
  private frame = '';
  private readonly expected = new Set<string>();
  private readonly outbox: unknown[] = [];
  private sending = false;
  private url = '';
  private destroyed = false;
  readonly created: Promise<void>;

  constructor(cdp: Cdp, preload: string) {
    super();
    this.cdp = cdp;
    this.remotes = new Remotes((message) => this.post(message));
    this.created = this.create(readFileSync(preload, 'utf8'));
  }

  getURL(): string {
    return this.url;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }

  async loadURL(url: string): Promise<void> {
    await this.created;
    this.expected.add(url);
    await this.cdp.send('Page.navigate', { url: seenAddress(url) }, this.sessionId);
  }

  reload(): void {
    this.expected.add(this.url);
    void this.cdp.send('Page.reload', {}, this.sessionId);
  }

  send(channel: string, ...args: unknown[]): void {
    this.post({ type: 'event', channel, args: structuredClone(args) });
  }

  postMessage(channel: string, message: unknown, transfer: readonly unknown[] = []): void {
    const data = structuredClone(message);
    const ports = transfer.map((port, index) => this.remotes.give(MessagePortMain.take(port, index)));
    this.post({ type: 'event', channel, args: [data], ports });
    for (const id of ports) this.remotes.open(id);
  }

  emulate(params: Readonly<Record<string, unknown>>): void {
    void this.created
      .then(() => this.cdp.send('Emulation.setEmulatedMedia', params, this.sessionId))
      .catch(() => undefined);
  }

  /** What a drop would know of these files; by name. */
  async dropPaths(paths: Readonly<Record<string, string>>): Promise<void> {
    await this.evaluate(
      `for (const [name, path] of Object.entries(${JSON.stringify(paths)})) droppedPaths.set(name, path)`,
    );
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.remotes.closeAll();
    void this.created
      .then(() => this.cdp.send('Target.closeTarget', { targetId: this.targetId }))
      .catch(() => undefined);
    this.emit('destroyed');
  }

  private async create(preload: string): Promise<void> {
    const { targetId } = await this.cdp.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
    });
    this.targetId = targetId;
    const { sessionId } = await this.cdp.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    this.sessionId = sessionId;
    this.listen();
    const own = <T>(method: string, params = {}) => this.cdp.send<T>(method, params, sessionId);
    await own('Page.enable');
    await own('Page.setLifecycleEventsEnabled', { enabled: true });
    await own('Runtime.enable');
    await own('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    const { frameTree } = await own<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
    this.frame = frameTree.frame.id;
    await own('Runtime.addBinding', { name: binding, executionContextName: world });
    await own('Page.addScriptToEvaluateOnNewDocument', { source: pageScript(this.token) });
    const platform = process.platform;
    const source = preloadScript({ token: this.token, binding, receiver, preload, platform });
    await own('Page.addScriptToEvaluateOnNewDocument', { source, worldName: world });
  }

  private listen(): void {
    const on = <T>(method: string, listener: (params: T) => void) =>
      this.cdp.on(method, listener, this.sessionId);
    on<{ context: { id: number; name: string; auxData: { frameId: string } } }>(
      'Runtime.executionContextCreated',
      ({ context }) => {
        if (context.name !== world || context.auxData.frameId !== this.frame) return;
        // A new document: the ports of the one before are gone with it.
        if (this.context !== undefined) this.remotes.closeAll();
        this.context = context.id;
        this.flush();
      },
    );
    on<{ name: string; payload: string; executionContextId: number }>(
      'Runtime.bindingCalled',
      ({ name, payload, executionContextId }) => {
        if (name === binding && executionContextId === this.context) this.receive(JSON.parse(payload));
      },
    );
    on<PausedRequest>('Fetch.requestPaused', (paused) => void this.answer(paused).catch(() => undefined));
    on<{ frame: { id: string; url: string } }>('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.frame) return;
      this.url = ownAddress(frame.url);
      this.emit('did-navigate', {}, this.url);
      void this.grant();
    });
    on<{ name: string; frameId: string }>('Page.lifecycleEvent', ({ name, frameId }) => {
      if (frameId !== this.frame || !this.url.startsWith(ownOrigin)) return;
      if (name === 'firstPaint' || name === 'load')
        this.emit(name === 'load' ? 'did-finish-load' : 'first-paint');
    });
    this.cdp.on<{ targetId: string; errorCode: number }>(
      'Target.targetCrashed',
      ({ targetId, errorCode }) => {
        if (targetId !== this.targetId) return;
        this.remotes.closeAll();
        this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: errorCode });
      },
    );
  }

  /** Chromium asks nobody in a headless page: what the program's handlers grant is granted beforehand, the rest refused. */
  private async grant(): Promise<void> {
    const names = {
      'clipboard-sanitized-write': 'clipboardSanitizedWrite',
      'clipboard-read': 'clipboardReadWrite',
      geolocation: 'geolocation',
      notifications: 'notifications',
    };
    const permissions = Object.entries(names)
      .filter(([name]) => this.session.grants(this, name, ownOrigin))
      .map(([, name]) => name);
    await this.cdp.send('Browser.grantPermissions', { origin: seenHost, permissions }).catch(() => undefined);
  }

  private async answer({ requestId, request, resourceType, frameId }: PausedRequest): Promise<void> {
    const url = ownAddress(request.url);
    const fail = (errorReason: string) =>
      this.cdp.send('Fetch.failRequest', { requestId, errorReason }, this.sessionId);
    if (resourceType === 'Document' && !this.mayNavigate(url, frameId === this.frame))
      return void (await fail('Aborted'));
    if (this.session.blocks(url)) return void (await fail('BlockedByClient'));
    const handler = handlerOf(new URL(url).protocol.slice(0, -1));
    if (handler === undefined)
      return void (await this.cdp.send('Fetch.continueRequest', { requestId }, this.sessionId));
    const response = await handler(new Request(url, { method: request.method }));
    await this.cdp.send(
      'Fetch.fulfillRequest',
      {
        requestId,
        responseCode: response.status,
        responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
        body: Buffer.from(await response.arrayBuffer()).toString('base64'),
      },
      this.sessionId,
    );
  }

  private mayNavigate(url: string, isMainFrame: boolean): boolean {
    if (isMainFrame && this.expected.delete(url)) return true;
    // Reloads by the page's own script are no navigation for Electron.
    let stopped = false;
    const event = {
      url,
      isMainFrame,
      preventDefault: () => {
        stopped = true;
      },
    };
    this.emit('will-frame-navigate', event);
    if (isMainFrame && !stopped) this.emit('will-navigate', event);
    return !stopped;
  }

  private receive(
    message: { type: 'invoke'; id: number; channel: string; args: unknown[] } | RemoteMessage,
  ): void {
    if (message.type !== 'invoke') {
      this.remotes.receive(message);
      return;
    }
    const { id, channel, args } = message;
    const event = { sender: this, senderFrame: { url: this.url, parent: null }, processId: 1, frameId: 1 };
    invoke(channel, event, args).then(
      (data) => this.post({ type: 'reply', id, data: structuredClone(data) }),
      (error: unknown) => {
        const said = error instanceof Error ? error.message : String(error);
        this.post({ type: 'reply', id, error: `Error invoking remote method '${channel}': Error: ${said}` });
      },
    );
  }

  private post(message: unknown): void {
    if (this.destroyed) return;
    this.outbox.push(message);
    this.flush();
  }

  private flush(): void {
    if (this.context === undefined || this.sending || this.outbox.length === 0) return;
    this.sending = true;
    const batch = this.outbox.splice(0);
    setImmediate(() => {
      const more = this.outbox.splice(0);
      void this.evaluate(`${receiver}(${JSON.stringify([...batch, ...more])})`)
        .catch(() => undefined)
        .finally(() => {
          this.sending = false;
          this.flush();
        });
    });
  }

  private async evaluate(expression: string): Promise<void> {
    const { exceptionDetails } = await this.cdp.send<{
      exceptionDetails?: { exception?: { description?: string } };
    }>('Runtime.evaluate', { expression, contextId: this.context }, this.sessionId);
    if (exceptionDetails !== undefined) console.error(`stand-in: ${exceptionDetails.exception?.description}`);
  }
}
