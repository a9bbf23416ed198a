/** A Chromium of our own and the little of its protocol that the stand-in needs: flat sessions over one socket. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumFlags, findChromium } from '../../browser/chromiumBinary.ts';

type Params = Readonly<Record<string, unknown>>;
type Listener = (params: never) => void;

export class Cdp {
  readonly endpoint: string;
  private readonly socket: WebSocket;
  private readonly child: ChildProcess;
  private readonly profile: string;
  private readonly waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  private readonly listeners = new Map<string, Listener[]>();
  private next = 1;

  private constructor(endpoint: string, socket: WebSocket, child: ChildProcess, profile: string) {
    this.endpoint = endpoint;
    this.socket = socket;
    this.child = child;
    this.profile = profile;
    socket.addEventListener('message', (event) => this.receive(String(event.data)));
  }

  static async launch(): Promise<Cdp> {
    const path = findChromium();
    if (path === undefined) throw new Error('there is no Chromium');
    const profile = mkdtempSync(join(tmpdir(), 'loopscope-standin-'));
    const child = spawn(
      path,
      [
        ...chromiumFlags,
        '--force-prefers-reduced-motion',
        '--window-size=1440,900',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const endpoint = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const match = /DevTools listening on (ws:\S+)/.exec(printed);
        if (match?.[1] !== undefined) resolve(match[1]);
      });
      child.once('exit', () => reject(new Error(`Chromium ended: ${printed}`)));
    });
    const socket = new WebSocket(endpoint);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('Chromium refused its own socket')));
    });
    return new Cdp(endpoint, socket, child, profile);
  }

  send<T = Params>(method: string, params: Params = {}, sessionId?: string): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: never) => void, reject });
      this.socket.send(
        JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }),
      );
    });
  }

  /** Events of one session, or of the browser when none is given. */
  on<T>(method: string, listener: (params: T) => void, sessionId = ''): void {
    const key = `${sessionId} ${method}`;
    this.listeners.set(key, [...(this.listeners.get(key) ?? []), listener as Listener]);
  }

  close(): void {
    this.socket.close();
    this.child.kill('SIGKILL');
    this.child.once('exit', () => rmSync(this.profile, { recursive: true, force: true, maxRetries: 3 }));
  }

  /** Last resort, when this process ends. */
  endNow(): void {
    this.child.kill('SIGKILL');
    try {
      rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch {
      // Chromium still writes into it; the system's own cleaning of its temporary folder takes it.
    }
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as {
      readonly id?: number;
      readonly method?: string;
      readonly params?: never;
      readonly result?: never;
      readonly error?: { readonly message: string };
      readonly sessionId?: string;
    };
    if (message.id !== undefined) {
      const waiter = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error === undefined) waiter?.resolve(message.result as never);
      else waiter?.reject(new Error(message.error.message));
      return;
    }
    for (const listener of this.listeners.get(`${message.sessionId ?? ''} ${message.method}`) ?? []) {
      listener(message.params as never);
    }
  }
}
