/** Loaded before engineProcess.js: gives the process what a utility process has, `process.parentPort`, and nothing else. */
import { EventEmitter } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Endpoint, MessagePortMain, newChannel, type RemoteMessage } from './endpoint.ts';

type FromMain =
  | { readonly type: 'post'; readonly data: unknown; readonly ports: readonly number[] }
  | RemoteMessage
  | { readonly type: 'delay'; readonly reset: boolean };

class ParentPort extends EventEmitter {
  private early: unknown[] | undefined = [];

  override on(name: string, listener: (...values: never[]) => void): this {
    super.on(name, listener as (...values: unknown[]) => void);
    if (name === 'message') {
      const waiting = this.early ?? [];
      this.early = undefined;
      for (const event of waiting) this.emit('message', event);
    }
    return this;
  }

  postMessage(message: unknown): void {
    process.send?.({ type: 'post', data: structuredClone(message) });
  }

  deliver(event: unknown): void {
    if (this.early === undefined) this.emit('message', event);
    else this.early.push(event);
  }
}

const parentPort = new ParentPort();
Object.defineProperty(process, 'parentPort', { value: parentPort });
const ports = new Map<number, Endpoint>();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

process.on('message', (message: FromMain) => {
  switch (message.type) {
    case 'post':
      parentPort.deliver({ data: message.data, ports: message.ports.map(portOf) });
      break;
    case 'port':
      ports.get(message.id)?.send(message.data);
      break;
    case 'portClosed':
      ports.get(message.id)?.close();
      ports.delete(message.id);
      break;
    case 'delay':
      process.send?.({ type: 'delay', p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 });
      if (message.reset) delay.reset();
  }
});
process.on('disconnect', () => process.exit(0));

/** An end of a new local channel; the other one is the main process's, under `id`. */
function portOf(id: number): MessagePortMain {
  const [far, near] = newChannel();
  ports.set(id, far);
  far.listen({
    take: (data) => process.send?.({ type: 'port', id, data }),
    closed: () => {
      ports.delete(id);
      process.send?.({ type: 'portClosed', id });
    },
  });
  return new MessagePortMain(near);
}
