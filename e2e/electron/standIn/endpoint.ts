/**
 * Ports as Electron's: `on('message')` hears nothing before `start()`, only ports are transferred, a port that was
 * transferred is dead here, values are structured clones. One end may lie in another process or in a page.
 */
import { EventEmitter } from 'node:events';

/** One end of a channel, wherever it lies. */
export class Endpoint {
  peer: Endpoint | undefined;
  /** Where values for this end go; absent: they wait in `queue`. */
  private receiver: { take(data: unknown): void; closed(): void } | undefined;
  private readonly queue: unknown[] = [];
  private over = false;

  send(data: unknown): void {
    if (!this.over) this.peer?.take(data);
  }

  listen(receiver: { take(data: unknown): void; closed(): void }): void {
    this.receiver = receiver;
    for (const data of this.queue.splice(0)) receiver.take(data);
    if (this.over) receiver.closed();
  }

  close(): void {
    if (this.over) return;
    this.over = true;
    const { peer } = this;
    // What was sent before is delivered before.
    setImmediate(() => peer?.end());
  }

  private take(data: unknown): void {
    if (this.over) return;
    if (this.receiver === undefined) this.queue.push(data);
    else this.receiver.take(data);
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.receiver?.closed();
  }
}

export function newChannel(): readonly [Endpoint, Endpoint] {
  const one = new Endpoint();
  const two = new Endpoint();
  one.peer = two;
  two.peer = one;
  return [one, two];
}

export class MessagePortMain extends EventEmitter {
  #endpoint: Endpoint | undefined;
  #started = false;

  constructor(endpoint: Endpoint) {
    super();
    this.#endpoint = endpoint;
  }

  postMessage(message: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.length > 0)
      throw new Error('the stand-in passes ports on by processes and pages, not inside of ports');
    const endpoint = this.#endpoint;
    if (endpoint === undefined) throw new Error('this port was transferred');
    const copy = structuredClone(message);
    setImmediate(() => endpoint.send(copy));
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#endpoint?.listen({
      take: (data) => this.emit('message', { data, ports: [] }),
      closed: () => this.emit('close'),
    });
  }

  close(): void {
    const endpoint = this.#endpoint;
    setImmediate(() => endpoint?.close());
  }

  /** For the transfer: what it was is the receiver's now. */
  static take(port: unknown, index: number): Endpoint {
    if (!(port instanceof MessagePortMain)) throw new TypeError(`Port at index ${index} is not a valid port`);
    const endpoint = port.#endpoint;
    if (endpoint === undefined || port.#started)
      throw new TypeError(`Port at index ${index} is already neutered`);
    port.#endpoint = undefined;
    return endpoint;
  }
}

export class MessageChannelMain {
  readonly port1: MessagePortMain;
  readonly port2: MessagePortMain;

  constructor() {
    const [one, two] = newChannel();
    this.port1 = new MessagePortMain(one);
    this.port2 = new MessagePortMain(two);
  }
}

/** Endpoints that lie behind a link (a process, a page), by number. */
export class Remotes {
  private readonly known = new Map<number, Endpoint>();
  private readonly send: (message: RemoteMessage) => void;
  private next = 1;

  constructor(send: (message: RemoteMessage) => void) {
    this.send = send;
  }

  /** Gives an end of ours to the other side; it is told under the number that is returned. */
  give(endpoint: Endpoint): number {
    const id = this.next++;
    this.known.set(id, endpoint);
    return id;
  }

  /** After the other side knows the number. */
  open(id: number): void {
    this.known.get(id)?.listen({
      take: (data) => this.send({ type: 'port', id, data }),
      closed: () => this.send({ type: 'portClosed', id }),
    });
  }

  receive(message: RemoteMessage): void {
    const endpoint = this.known.get(message.id);
    if (message.type === 'port') endpoint?.send(message.data);
    else {
      this.known.delete(message.id);
      endpoint?.close();
    }
  }

  /** The other side is gone. */
  closeAll(): void {
    for (const endpoint of this.known.values()) endpoint.close();
    this.known.clear();
  }
}

export type RemoteMessage =
  | { readonly type: 'port'; readonly id: number; readonly data: unknown }
  | { readonly type: 'portClosed'; readonly id: number };
