import { describe, expect, test } from 'vitest';
import type { Frame } from './frames.ts';
import { createPortTransport, type EmitterPort } from './portTransport.ts';

const frame = { n: 0, type: 'cancel', id: 1 } as const satisfies Frame;

/** Electron's kind of port: an emitter that is silent before `start()`. */
function emitterPort() {
  const listeners = new Map<string, ((event: { data: unknown }) => void)[]>();
  const log: unknown[] = [];
  const port = {
    postMessage: (value: unknown) => log.push(value),
    on: (type: string, listener: (event: { data: unknown }) => void) =>
      listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    start: () => log.push('start'),
    close: () => log.push('close'),
  } as unknown as EmitterPort;
  const emit = (type: string, data?: unknown) => {
    for (const listener of listeners.get(type) ?? []) listener({ data });
  };
  return { port, log, emit };
}

describe('a transport over an emitter port', () => {
  test('listens, then starts: nothing that waits in the port is lost', () => {
    const { port, log, emit } = emitterPort();
    const transport = createPortTransport(port);
    expect(log).toEqual(['start']);
    emit('message', frame);
    const heard: unknown[] = [];
    transport.onFrame((one) => heard.push(one));
    emit('message', { ...frame, n: 1 });
    expect(heard).toEqual([frame, { ...frame, n: 1 }]);
  });

  test('close says goodbye first; the other end hears an end in order, once', () => {
    const near = emitterPort();
    const far = emitterPort();
    const transport = createPortTransport(near.port);
    const other = createPortTransport(far.port);
    const reasons: unknown[] = [];
    other.onClose((reason) => reasons.push(reason));
    transport.close();
    transport.send(frame);
    expect(near.log).toEqual(['start', { type: 'goodbye' }, 'close']);
    far.emit('message', near.log[1]);
    far.emit('close');
    expect(reasons).toEqual([{ kind: 'closed', message: 'closed by the other end' }]);
    expect(far.log).toEqual(['start', 'close']);
  });

  test('a port that closes without a goodbye is broken, and delivers nothing more', () => {
    const { port, emit } = emitterPort();
    const transport = createPortTransport(port);
    const heard: unknown[] = [];
    const reasons: unknown[] = [];
    transport.onFrame((one) => heard.push(one));
    transport.onClose((reason) => reasons.push(reason));
    emit('close');
    emit('message', frame);
    expect(heard).toEqual([]);
    expect(reasons).toEqual([{ kind: 'error', message: 'the other end of the port is gone' }]);
  });

  test('abandon ends it with what is known of the other end; who listens later is told too', async () => {
    const { port, log } = emitterPort();
    const transport = createPortTransport(port);
    transport.abandon('The engine ended.');
    transport.abandon('again');
    const reason = await new Promise((resolve) => transport.onClose(resolve));
    expect(reason).toEqual({ kind: 'error', message: 'The engine ended.' });
    expect(log).toEqual(['start', 'close']);
  });
});
