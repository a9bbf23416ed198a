/**
 * The engine over WebSocket: each accepted socket is one window with streams of its own. A socket is accepted only from
 * our own page, under our own name, with a secret that POST /session gave out.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../shared/base/clock.ts';
import type { Disposable } from '../shared/base/disposable.ts';
import type { Transport } from '../shared/contract/transport.ts';
import { ENGINE_PATH, ENGINE_PROTOCOL, secretOfProtocols } from '../shared/contract/webSession.ts';
import { createWebSocketTransport } from '../shared/contract/webSocketTransport.ts';
import { refuseHost, refuseOrigin } from './guards.ts';

/** A socket that did not answer a ping by the next one is dead (a suspended laptop, a killed browser). */
export const HEARTBEAT_MS = 15_000;
/** Calls are small; nothing a window sends comes near this. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const GOING_AWAY = 1001;
/** How long a window may take to answer the close. */
const CLOSE_GRACE_MS = 300;

export interface WsHostOptions {
  readonly port: () => number;
  readonly clock: Clock;
  readonly isKnownSecret: (secret: string) => boolean;
  /** Serves one window until the transport closes. */
  readonly onWindow: (transport: Transport) => void;
  readonly log: (line: string) => void;
}

export interface WsHost extends Disposable {
  /** For the HTTP server's `upgrade` event. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly windows: number;
}

export function createWsHost(options: WsHostOptions): WsHost {
  const sockets = new Set<WebSocket>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => ENGINE_PROTOCOL,
  });

  return {
    get windows() {
      return sockets.size;
    },
    upgrade(request, socket, head) {
      // Who asks may be gone by the time it is answered; unheard, its reset would end the process.
      socket.on('error', () => socket.destroy());
      const refusal = refuse(request, options);
      if (refusal !== null) {
        options.log(`refused a WebSocket: ${refusal}`);
        socket.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      server.handleUpgrade(request, socket, head, (accepted) => {
        sockets.add(accepted);
        const heartbeat = keepAlive(accepted, options.clock);
        options.onWindow(createWebSocketTransport(accepted));
        accepted.on('error', (error) => options.log(`a window's socket failed: ${error.message}`));
        accepted.on('close', () => {
          heartbeat.dispose();
          sockets.delete(accepted);
        });
      });
    },
    dispose() {
      for (const socket of sockets) socket.close(GOING_AWAY, 'the host stopped');
      server.close();
      if (sockets.size > 0) {
        options.clock.setTimer(CLOSE_GRACE_MS, () => {
          for (const socket of sockets) socket.terminate();
        });
      }
    },
  };
}

function refuse(request: IncomingMessage, options: WsHostOptions): string | null {
  const { headers } = request;
  const port = options.port();
  const refusal = refuseHost(headers, port) ?? refuseOrigin(headers, port);
  if (refusal !== null) return refusal;
  if (request.url !== ENGINE_PATH) return 'there is no such path';
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  const secret = secretOfProtocols(offered);
  if (secret === undefined || !options.isKnownSecret(secret)) return 'the secret is not known';
  return null;
}

function keepAlive(socket: WebSocket, clock: Clock): Disposable {
  let answered = true;
  let timer = clock.setTimer(HEARTBEAT_MS, beat);
  socket.on('pong', () => {
    answered = true;
  });
  function beat(): void {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
    timer = clock.setTimer(HEARTBEAT_MS, beat);
  }
  return { dispose: () => timer.dispose() };
}
