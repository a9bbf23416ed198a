/**
 * A kubelet that knows logs alone: an HTTPS server that Node objects point to, so that the real API server fetches the log
 * of a pod from it. Containers write, end, are started again, and their files rotate, as container runtimes are documented to
 * do; never compared with a real kubelet. What runs behind a container is a script, or the log file of a process of the
 * test bed.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { tailFile } from '../../core/node/logTail.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import type { Cluster } from './cluster.ts';
import type { KubeClient } from './kubeClient.ts';

/** The log of one container; a new instance runs at once. */
export interface ContainerLog {
  /** Lines as the runtime stamps them: now, in UTC, to the nanosecond. */
  write(...texts: readonly string[]): void;
  /** Half a line: the rest, and its newline, come with the next write. */
  writePart(text: string): void;
  /** The file is renamed, and a new one begun: the kubelet serves that one alone. */
  rotate(): void;
  /** The instance ends; its log stays, for `previous`, until the one after it ended. */
  exit(): void;
  start(): void;
  readonly restarts: number;
  readonly isRunning: boolean;
  /** Writes what stands in the file of a process, from its start, and what it writes then. Returns how to stop. */
  tail(path: string): () => void;
}

export interface KubeletStub {
  readonly nodeName: string;
  /** Paths with their queries, as the API server asked. */
  readonly requests: readonly string[];
  container(namespace: string, pod: string, container: string): ContainerLog;
  /** Known containers of a pod, by name. */
  containersOf(namespace: string, pod: string): ReadonlyMap<string, ContainerLog>;
  /** Answers that follow, now. */
  readonly following: number;
  /** Breaks every connection; new ones are taken. */
  cut(): void;
  /** Nothing listens any more, until resume(). */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

interface Instance {
  lines: string[];
  part: string;
  running: boolean;
}

class Container implements ContainerLog {
  readonly instances: Instance[] = [];
  readonly listeners = new Set<() => void>();
  private lastNs = 0n;

  constructor() {
    this.start();
  }

  get restarts(): number {
    return this.instances.length - 1;
  }

  get isRunning(): boolean {
    return this.current.running;
  }

  get current(): Instance {
    const last = this.instances.at(-1);
    if (last === undefined) throw new Error('a container has an instance');
    return last;
  }

  write(...texts: readonly string[]): void {
    for (const text of texts) {
      const begun = this.current.part;
      this.current.part = '';
      this.current.lines.push(begun === '' ? `${this.stamp()} ${text}` : `${begun}${text}`);
    }
    this.changed();
  }

  writePart(text: string): void {
    this.current.part += this.current.part === '' ? `${this.stamp()} ${text}` : text;
    this.changed();
  }

  rotate(): void {
    // A new array: whoever follows the old one has read it to its end, and goes on in this one.
    this.current.lines = [];
    this.changed();
  }

  exit(): void {
    this.current.running = false;
    this.changed();
  }

  start(): void {
    this.instances.push({ lines: [], part: '', running: true });
    this.changed();
  }

  tail(path: string): () => void {
    const tail = tailFile(
      path,
      {
        lines: (lines) => this.write(...lines.map(({ text }) => text)),
        gap: () => undefined,
        state: () => undefined,
      },
      { clock: systemClock },
    );
    return () => tail.dispose();
  }

  private stamp(): string {
    const now = BigInt(Date.now()) * 1_000_000n;
    // Lines of one millisecond are apart by some nanoseconds, as in real logs.
    this.lastNs = now > this.lastNs ? now : this.lastNs + 137n;
    const ms = new Date(Number(this.lastNs / 1_000_000n)).toISOString().slice(0, 23);
    return `${ms}${String(this.lastNs % 1_000_000n).padStart(6, '0')}Z`;
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Listens on loopback, with the API server's own certificate: without a CA for kubelets it is not checked. */
export async function startKubelet(cluster: Cluster, nodeName = 'node-a'): Promise<KubeletStub> {
  const certs = join(cluster.dir, 'certs');
  const tls = {
    cert: readFileSync(join(certs, 'apiserver.crt')),
    key: readFileSync(join(certs, 'apiserver.key')),
  };
  const containers = new Map<string, Container>();
  const sockets = new Set<Duplex>();
  const requests: string[] = [];
  let following = 0;
  let server: Server | undefined;
  let port = 0;

  function answer(path: string, response: ServerResponse): void {
    const url = new URL(path, 'https://kubelet');
    requests.push(path);
    const [, kind, namespace, pod, name] = url.pathname.split('/');
    const container = containers.get(`${namespace}/${pod}/${name}`);
    if (kind !== 'containerLogs' || container === undefined) {
      response.writeHead(404).end(`pod "${pod}" not found\n`);
      return;
    }
    const isPrevious = url.searchParams.get('previous') === 'true';
    const instance = isPrevious ? container.instances.at(-2) : container.current;
    if (instance === undefined) {
      response.writeHead(400).end(`previous terminated container "${name}" in pod "${pod}" not found\n`);
      return;
    }
    stream(container, instance, url.searchParams, response);
  }

  function stream(
    container: Container,
    instance: Instance,
    query: URLSearchParams,
    response: ServerResponse,
  ): void {
    const withStamps = query.get('timestamps') === 'true';
    const since = query.get('sinceTime');
    const sinceMs = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
    const follows = query.get('follow') === 'true';
    const shown = (line: string) => (withStamps ? line : line.slice(line.indexOf(' ') + 1));
    let file = instance.lines;
    let at = Math.max(0, file.length - Number(query.get('tailLines') ?? file.length));
    let part = '';
    let isOpen = true;
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    const more = () => {
      if (!isOpen) return;
      for (;;) {
        for (; at < file.length; at++) {
          const line = file[at] ?? '';
          if (Date.parse(line.split(' ')[0] ?? '') < sinceMs) continue;
          const text = shown(line);
          response.write(`${text.startsWith(part) ? text.slice(part.length) : text}\n`);
          part = '';
        }
        if (file === instance.lines) break;
        file = instance.lines;
        at = 0;
      }
      const begun = instance.part === '' ? '' : shown(instance.part);
      if (begun.length > part.length) {
        response.write(begun.slice(part.length));
        part = begun;
      }
      if (!follows || !instance.running) end();
    };
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      if (follows) following--;
      container.listeners.delete(more);
      response.end();
    };
    if (follows) following++;
    container.listeners.add(more);
    response.on('close', end);
    more();
  }

  async function listen(): Promise<void> {
    const next = createServer(tls, (request, response) => answer(request.url ?? '/', response));
    next.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      next.once('error', reject);
      next.listen(port, '127.0.0.1', resolve);
    });
    port = (next.address() as AddressInfo).port;
    server = next;
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function pause(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
    cut();
    await closed;
  }

  await listen();
  const admin = cluster.client('admin');
  try {
    await registerNode(admin, nodeName, port);
  } finally {
    admin.close();
  }

  return {
    nodeName,
    requests,
    get following() {
      return following;
    },
    container(namespace, pod, container) {
      const key = `${namespace}/${pod}/${container}`;
      const known = containers.get(key) ?? new Container();
      containers.set(key, known);
      return known;
    },
    containersOf: (namespace, pod) => {
      const prefix = `${namespace}/${pod}/`;
      const own = [...containers].filter(([key]) => key.startsWith(prefix));
      return new Map(own.map(([key, container]) => [key.slice(prefix.length), container]));
    },
    cut,
    pause,
    resume: listen,
    stop: pause,
  };
}

/** A Node whose kubelet is here. */
async function registerNode(admin: KubeClient, name: string, port: number): Promise<void> {
  const node = { apiVersion: 'v1', kind: 'Node', name } as const;
  await admin.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    conditions: [{ type: 'Ready', status: 'True', reason: 'Stub', message: '' }],
  };
  await admin.patch(node, { status }, 'status');
}
