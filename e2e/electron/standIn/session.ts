/** session.defaultSession and protocol: what was registered, and asked as Chromium would ask it. */
import { EventEmitter } from 'node:events';
import { isReady } from './app.ts';

type Handler = (request: Request) => Response | Promise<Response>;

export const schemes: { scheme: string; privileges: Record<string, boolean> }[] = [];
const handlers = new Map<string, Handler>();

export const protocol = {
  registerSchemesAsPrivileged(list: typeof schemes): void {
    if (isReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    schemes.push(...list);
  },
  handle(scheme: string, handler: Handler): void {
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    handlers.set(scheme, handler);
  },
};

export function handlerOf(scheme: string): Handler | undefined {
  return handlers.get(scheme);
}

type PermissionRequest = (contents: unknown, permission: string, answer: (granted: boolean) => void) => void;
type PermissionCheck = (contents: unknown, permission: string, origin: string) => boolean;

class Session extends EventEmitter {
  request: PermissionRequest | undefined;
  check: PermissionCheck | undefined;
  device: ((details: unknown) => boolean) | undefined;
  before: ((details: { url: string }, answer: (response: { cancel: boolean }) => void) => void) | undefined;

  readonly webRequest = {
    onBeforeRequest: (listener: Session['before']) => {
      this.before = listener;
    },
  };

  setPermissionRequestHandler(handler: PermissionRequest): void {
    this.request = handler;
  }
  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.check = handler;
  }
  setDevicePermissionHandler(handler: (details: unknown) => boolean): void {
    this.device = handler;
  }

  /** Without a handler Electron grants what is asked for. */
  grants(contents: unknown, permission: string, origin: string): boolean {
    let asked = true;
    this.request?.(contents, permission, (granted) => {
      asked = granted;
    });
    return asked && (this.check?.(contents, permission, origin) ?? true);
  }

  blocks(url: string): boolean {
    let cancelled = false;
    this.before?.({ url }, ({ cancel }) => {
      cancelled = cancel;
    });
    return cancelled;
  }
}

export const session = { defaultSession: new Session() };
