/**
 * What runs in the page: the page's own world gets what contextBridge exposes; the preload script runs in an isolated
 * world with a `require('electron')` of its own. The two share the document and no object: whatever crosses is cloned,
 * functions become proxies, promises become promises, prototypes are lost, the result is frozen. As in Electron.
 *
 * Each function here is turned into text and run in the page: it may use nothing from this file.
 */

/** Runs in both worlds. Values cross in the `detail` of synchronous events, whose names nobody else knows. */
function bridgePeer(token: string, side: 'page' | 'preload') {
  const other = side === 'page' ? 'preload' : 'page';
  const mine = new Map<number, (...args: unknown[]) => unknown>();
  const settlers = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let next = 1;
  let answer: { value?: unknown; error?: string } = {};

  function encode(value: unknown, depth = 0): unknown {
    if (depth > 20) throw new Error('too deep to cross the bridge');
    if (typeof value === 'function') {
      const id = next++;
      mine.set(id, value as (...args: unknown[]) => unknown);
      return { $function: id };
    }
    if (typeof value === 'symbol') throw new Error('a symbol cannot cross the bridge');
    if (value instanceof Promise) {
      const id = next++;
      value.then(
        (result) => send('settle', { id, value: encode(result) }),
        (error: unknown) =>
          send('settle', { id, error: error instanceof Error ? error.message : String(error) }),
      );
      return { $promise: id };
    }
    if (value === null || typeof value !== 'object' || value instanceof Blob) return value;
    if (Array.isArray(value)) return value.map((one) => encode(one, depth + 1));
    // Own properties alone: a prototype does not cross.
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, encode(one, depth + 1)]));
  }

  function decode(value: unknown): unknown {
    if (value === null || typeof value !== 'object' || value instanceof Blob) return value;
    if (Array.isArray(value)) return Object.freeze(value.map(decode));
    const marked = value as { $function?: number; $promise?: number };
    if (marked.$function !== undefined) {
      const id = marked.$function;
      return Object.freeze((...args: unknown[]) => {
        answer = {};
        send('call', { id, args: args.map((one) => encode(one)) });
        if (answer.error !== undefined) throw new Error(answer.error);
        return decode(answer.value);
      });
    }
    if (marked.$promise !== undefined) {
      const id = marked.$promise;
      return new Promise((resolve, reject) => settlers.set(id, { resolve, reject }));
    }
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, decode(one)])));
  }

  function send(kind: string, detail: unknown): void {
    document.dispatchEvent(new CustomEvent(`${token}:${other}:${kind}`, { detail }));
  }

  function hear(kind: string, listener: (detail: never) => void): void {
    document.addEventListener(`${token}:${side}:${kind}`, (event) =>
      listener((event as CustomEvent).detail as never),
    );
  }

  hear('call', ({ id, args }: { id: number; args: unknown[] }) => {
    let reply: { value?: unknown; error?: string };
    try {
      reply = { value: encode(mine.get(id)?.(...args.map(decode))) };
    } catch (error) {
      reply = { error: error instanceof Error ? error.message : String(error) };
    }
    send('answer', reply);
  });
  hear('answer', (reply: typeof answer) => {
    answer = reply;
  });
  hear('settle', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    const settler = settlers.get(id);
    settlers.delete(id);
    if (error === undefined) settler?.resolve(decode(value));
    else settler?.reject(new Error(error));
  });
  if (side === 'page') {
    hear('expose', ({ name, api }: { name: string; api: unknown }) => {
      Object.defineProperty(window, name, { value: decode(api), enumerable: true });
    });
  }
  return { expose: (name: string, api: unknown) => send('expose', { name, api: encode(api) }) };
}

/** The sandboxed preload's `require`: electron, and of it what a renderer has. */
function preloadRequire(
  bridge: { expose(name: string, api: unknown): void },
  toMain: (text: string) => void,
  dropped: Map<string, string>,
) {
  const listeners = new Map<string, Set<(event: unknown, ...args: unknown[]) => void>>();
  const calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const ports = new Map<number, MessagePort>();
  let next = 1;

  /** Frames, calls and events are plain values; what JSON would lose must not cross unnoticed. */
  function plain(value: unknown): unknown {
    const copy: unknown = structuredClone(value);
    if (copy === undefined) return undefined;
    return JSON.parse(
      JSON.stringify(copy, (_key, one: unknown) => {
        if (one instanceof Map || one instanceof Set || ArrayBuffer.isView(one) || typeof one === 'bigint')
          throw new Error('the stand-in carries plain values only');
        return one;
      }),
    );
  }
  function tell(message: unknown): void {
    toMain(JSON.stringify(message));
  }
  function receivePort(id: number): MessagePort {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port1);
    port1.onmessage = (event) => tell({ type: 'port', id, data: plain(event.data) });
    port1.addEventListener('close', () => {
      if (ports.delete(id)) tell({ type: 'portClosed', id });
    });
    return port2;
  }

  function fromMain(messages: readonly never[]): void {
    for (const message of messages) one(message);
  }
  function one(message: {
    type: string;
    id: number;
    data?: unknown;
    error?: string;
    channel: string;
    args: unknown[];
    ports?: number[];
  }): void {
    switch (message.type) {
      case 'port':
        ports.get(message.id)?.postMessage(message.data);
        break;
      case 'portClosed':
        ports.get(message.id)?.close();
        ports.delete(message.id);
        break;
      case 'reply': {
        const call = calls.get(message.id);
        calls.delete(message.id);
        if (message.error === undefined) call?.resolve(message.data);
        else call?.reject(new Error(message.error));
        break;
      }
      case 'event': {
        const event = { ports: (message.ports ?? []).map(receivePort) };
        for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.args);
      }
    }
  }

  const ipcRenderer = {
    invoke(channel: string, ...args: unknown[]) {
      const id = next++;
      return new Promise((resolve, reject) => {
        calls.set(id, { resolve, reject });
        tell({ type: 'invoke', id, channel, args: plain(args) });
      });
    },
    on(channel: string, listener: (event: unknown, ...args: unknown[]) => void) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
    },
    off(channel: string, listener: (event: unknown, ...args: unknown[]) => void) {
      listeners.get(channel)?.delete(listener);
    },
  };
  const electron = {
    contextBridge: {
      exposeInMainWorld(name: string, api: unknown) {
        bridge.expose(name, api);
      },
    },
    ipcRenderer,
    webUtils: {
      getPathForFile(file: unknown) {
        if (!(file instanceof File)) throw new TypeError('getPathForFile expects a File');
        return dropped.get(file.name) ?? '';
      },
    },
  };
  function require(name: string): unknown {
    if (name !== 'electron') throw new Error(`module not found: ${name}`);
    return electron;
  }
  return { require, fromMain };
}

/** For the page's world, before anything of the page. */
export function pageScript(token: string): string {
  return `if (window === window.top) (${bridgePeer.toString()})(${JSON.stringify(token)}, 'page');`;
}

/** For the isolated world: `binding` leads to the main process, `receiver` is called by it. */
export function preloadScript(options: {
  readonly token: string;
  readonly binding: string;
  readonly receiver: string;
  readonly preload: string;
  readonly platform: string;
}): string {
  const { token, binding, receiver, preload, platform } = options;
  return `if (window === window.top) (() => {
  const bridge = (${bridgePeer.toString()})(${JSON.stringify(token)}, 'preload');
  const dropped = new Map();
  const { require, fromMain } = (${preloadRequire.toString()})(bridge, (text) => globalThis[${JSON.stringify(binding)}](text), dropped);
  globalThis[${JSON.stringify(receiver)}] = fromMain;
  globalThis.droppedPaths = dropped;
  const process = { platform: ${JSON.stringify(platform)} };
  const module = { exports: {} };
  (function (require, module, exports, process) { ${preload}
  })(require, module, module.exports, process);
})();`;
}
