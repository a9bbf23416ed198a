/**
 * The browser host: the built window, the exchange of tokens, and the engine over WebSocket, all on one loopback port.
 * No domain logic: it gets the engine's handlers and serves them to each window. docs/adr/0003-runtime-and-hosts.md
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../shared/base/clock.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import { type EngineApi, engineApi } from '../shared/contract/api.ts';
import { type Handlers, serve } from '../shared/contract/serve.ts';
import {
  DROP_PATH,
  DROP_SECRET_HEADER,
  type DropAnswer,
  linkWithToken,
  SESSION_PATH,
  type SessionAnswer,
  zSessionRequest,
} from '../shared/contract/webSession.ts';
import { createDrops, type Drops, type DropsOptions } from './drops.ts';
import { LOOPBACK, refuseHost, refuseOrigin, securityHeaders } from './guards.ts';
import { Sessions } from './sessions.ts';
import { readStaticFiles, type StaticFiles, sendFile } from './staticFiles.ts';
import { createWsHost } from './wsHost.ts';

/** Tried first, so that a reload after a restart finds the same origin. */
export const PREFERRED_PORT = 7373;
const MAX_BODY_BYTES = 4096;

export interface WebHostOptions {
  readonly engineHandlers: Handlers<EngineApi>;
  /** The built window: what `npm run build` wrote. */
  readonly distDir: string;
  /** Exactly this port, an error when it is taken. Absent: PREFERRED_PORT, else any free one. 0: any free one. */
  readonly port?: number | undefined;
  readonly clock: Clock;
  /** One line each: refused requests, bugs of handlers with their stack. Tokens and secrets never appear in it. */
  readonly log: (line: string) => void;
  /** For dropped files; tests have a small limit. */
  readonly drops?: DropsOptions;
}

export interface WebHost {
  /** Address with a token for one use; what is printed and opened. */
  readonly url: string;
  readonly token: string;
  readonly port: number;
  /** Windows connected now. */
  readonly windows: number;
  /** A further address with a fresh token: for another window, or when the first was used up. */
  newLink(): string;
  /** Ends every window, frees the port and deletes what was dropped. Idempotent. */
  close(): Promise<void>;
}

export interface WebHostProblem {
  readonly code: 'port-in-use' | 'not-built' | 'cannot-listen';
  readonly message: string;
}

/** Starts listening on 127.0.0.1 only. */
export async function startWebHost(options: WebHostOptions): Promise<Result<WebHost, WebHostProblem>> {
  const files = await readStaticFiles(options.distDir);
  if (!files.ok) return err({ code: 'not-built', message: files.error });
  const sessions = new Sessions();
  const drops = createDrops(options.drops);
  const server = createServer();
  const listening = await listen(server, options.port);
  if (!listening.ok) return listening;
  const port = listening.value;

  const wsHost = createWsHost({
    port: () => port,
    clock: options.clock,
    log: options.log,
    isKnownSecret: (secret) => sessions.isKnown(secret),
    onWindow: (transport) => {
      serve(engineApi, options.engineHandlers, transport, {
        clock: options.clock,
        onBug: (where, error) =>
          options.log(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
      });
    },
  });
  server.on('request', (request, response) => {
    answer(request, response, { port, files: files.value, sessions, drops, log: options.log }).catch(
      (error) => {
        options.log(`a request failed: ${error instanceof Error ? error.message : String(error)}`);
        response.destroy();
      },
    );
  });
  server.on('upgrade', (request, socket, head) => wsHost.upgrade(request, socket, head));

  const origin = `http://${LOOPBACK}:${port}`;
  const token = sessions.newToken();
  let closing: Promise<void> | undefined;
  return ok({
    url: linkWithToken(origin, token),
    token,
    port,
    get windows() {
      return wsHost.windows;
    },
    newLink: () => linkWithToken(origin, sessions.newToken()),
    close() {
      closing ??= new Promise<void>((resolve) => {
        wsHost.dispose();
        server.close(() => resolve());
        server.closeAllConnections();
      }).then(() => drops.close());
      return closing;
    },
  });
}

interface AnswerContext {
  readonly port: number;
  readonly files: StaticFiles;
  readonly sessions: Sessions;
  readonly drops: Drops;
  readonly log: (line: string) => void;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  context: AnswerContext,
): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders(context.port))) response.setHeader(name, value);
  const refusal = refuseHost(request.headers, context.port);
  if (refusal !== null) {
    context.log(`refused a request for the host ${JSON.stringify(request.headers.host ?? '')}`);
    sendText(response, 403, refusal);
    return;
  }
  const path = (request.url ?? '/').replace(/[?#].*$/s, '');
  if (path === SESSION_PATH || path === DROP_PATH) {
    if (!isOurPost(request, response, context)) return;
    if (path === SESSION_PATH) await answerSession(request, response, context);
    else await answerDrop(request, response, context);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    sendText(response, 405, 'only GET and HEAD');
    return;
  }
  const file = context.files.get(path);
  if (file === undefined) sendText(response, 404, 'there is no such file');
  else sendFile(response, file, request.method === 'HEAD');
}

/** Whether it is a POST of our own page; otherwise it is answered. */
function isOurPost(request: IncomingMessage, response: ServerResponse, context: AnswerContext): boolean {
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    sendText(response, 405, 'only POST');
    return false;
  }
  const refusal = refuseOrigin(request.headers, context.port);
  if (refusal === null) return true;
  context.log(`refused a request of the origin ${JSON.stringify(request.headers.origin ?? '')}`);
  sendText(response, 403, refusal);
  return false;
}

async function answerSession(
  request: IncomingMessage,
  response: ServerResponse,
  context: AnswerContext,
): Promise<void> {
  const asked = zSessionRequest.safeParse(await readJson(request));
  if (!asked.success) {
    sendText(response, 400, 'a token or a secret is expected');
    return;
  }
  const answered: SessionAnswer = context.sessions.exchange(asked.data);
  sendJson(response, answered.ok ? 200 : 401, answered);
}

/** Nothing of the body is read before the secret is known. */
async function answerDrop(
  request: IncomingMessage,
  response: ServerResponse,
  context: AnswerContext,
): Promise<void> {
  const secret = request.headers[DROP_SECRET_HEADER];
  if (typeof secret !== 'string' || !context.sessions.isKnown(secret)) {
    context.log('refused a dropped file: the secret is not known');
    const message = 'This window is not known here. Open the address that Loopscope printed.';
    sendJson(response, 401, { ok: false, code: 'unknown-secret', message } satisfies DropAnswer);
    return;
  }
  const name = new URL(request.url ?? '', `http://${LOOPBACK}`).searchParams.get('name') ?? '';
  const { status, body } = await context.drops.take(request, name);
  if (!body.ok) context.log(`refused a dropped file: ${body.code}`);
  sendJson(response, status, body);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}

/** The body as JSON; undefined when it is not JSON or too long (the rest is not read). */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type'] !== 'application/json') return undefined;
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY_BYTES) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${text}\n`);
}

async function listen(server: Server, port: number | undefined): Promise<Result<number, WebHostProblem>> {
  const tries = port === undefined ? [PREFERRED_PORT, 0] : [port];
  let last: NodeJS.ErrnoException | undefined;
  for (const candidate of tries) {
    last = await listenOn(server, candidate);
    if (last === undefined) return ok((server.address() as AddressInfo).port);
  }
  if (last?.code === 'EADDRINUSE') {
    return err({
      code: 'port-in-use',
      message: `port ${port} is in use; choose another with --port, or leave it out`,
    });
  }
  return err({
    code: 'cannot-listen',
    message: `cannot listen on ${LOOPBACK}: ${last?.message ?? 'unknown'}`,
  });
}

function listenOn(server: Server, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening);
      resolve(error);
    };
    const listening = () => {
      server.off('error', failed);
      resolve(undefined);
    };
    server.once('error', failed);
    server.once('listening', listening);
    server.listen({ host: LOOPBACK, port });
  });
}
