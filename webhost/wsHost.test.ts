import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../core/testing/fakeClock.ts';
import { createWsHost } from './wsHost.ts';

describe('WebSocket host', () => {
  it('outlives the reset of a socket it refused', () => {
    const refused: string[] = [];
    const host = createWsHost({
      port: () => 7373,
      clock: new FakeClock(),
      isKnownSecret: () => false,
      onWindow: () => {},
      log: (line) => refused.push(line),
    });
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    request.headers = { host: 'evil.test' };
    host.upgrade(request, socket, Buffer.alloc(0));
    expect(refused).toHaveLength(1);
    expect(() => socket.emit('error', new Error('read ECONNRESET'))).not.toThrow();
    expect(socket.destroyed).toBe(true);
    host.dispose();
  });
});
