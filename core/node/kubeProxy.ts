/** HTTP CONNECT proxies: `proxy-url` of the kubeconfig, else HTTPS_PROXY and NO_PROXY as kubectl reads them. */
import { request as httpRequest, type RequestOptions } from 'node:http';
import { Agent, type AgentOptions, request as httpsRequest } from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { TransportError } from '../source/transport.ts';

/**
 * The proxy for `server`, undefined for none. An explicit `proxyUrl` wins over the environment. SOCKS, and a proxy
 * before a plain http server, are errors: ignoring a proxy would send the request elsewhere than the user said.
 */
export function proxyFor(
  server: URL,
  proxyUrl: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Result<URL | undefined, TransportError> {
  const fromEnv =
    server.protocol === 'https:' ? (env.HTTPS_PROXY ?? env.https_proxy) : (env.HTTP_PROXY ?? env.http_proxy);
  const chosen =
    proxyUrl ?? (fromEnv !== undefined && fromEnv !== '' && !bypasses(server, env) ? fromEnv : undefined);
  if (chosen === undefined || chosen === '') return ok(undefined);
  const where =
    proxyUrl === undefined
      ? `${server.protocol.slice(0, -1).toUpperCase()}_PROXY of the environment`
      : 'proxy-url of this context';
  let proxy: URL;
  try {
    proxy = new URL(chosen.includes('://') ? chosen : `http://${chosen}`);
  } catch {
    return err({ code: 'unreachable', message: `The ${where} is not a URL.` });
  }
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    return err({
      code: 'unreachable',
      message: `The ${where} names a ${proxy.protocol.slice(0, -1)} proxy, which Loopscope does not support: use an http or https proxy.`,
    });
  }
  if (server.protocol !== 'https:') {
    return err({
      code: 'unreachable',
      message: `The ${where} stands before a plain http server, which Loopscope does not support: use https for the server.`,
    });
  }
  return ok(proxy);
}

/** As Go's httpproxy: loopback never goes through a proxy of the environment, nor what NO_PROXY names. */
function bypasses(server: URL, env: Readonly<Record<string, string | undefined>>): boolean {
  const hostname = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isLoopback(hostname)) return true;
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  for (const raw of (env.NO_PROXY ?? env.no_proxy ?? '').split(',')) {
    const entry = raw.trim().toLowerCase();
    if (entry === '') continue;
    if (entry === '*') return true;
    const [network, bits] = entry.split('/');
    if (bits !== undefined && network !== undefined) {
      if (inNetwork(hostname, network, Number(bits))) return true;
      continue;
    }
    const withPort = /^(.*):(\d+)$/.exec(entry);
    const name = withPort !== null && isIP(entry) === 0 ? (withPort[1] ?? '') : entry;
    if (withPort !== null && isIP(entry) === 0 && withPort[2] !== port) continue;
    const suffix = name.replace(/^\*/, '');
    if (hostname === suffix.replace(/^\./, '') && !suffix.startsWith('.')) return true;
    if (hostname.endsWith(suffix.startsWith('.') ? suffix : `.${suffix}`)) return true;
  }
  return false;
}

function inNetwork(address: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || family !== isIP(address) || !Number.isInteger(bits)) return false;
  if (bits < 0 || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return (
    bare === 'localhost' ||
    bare.endsWith('.localhost') ||
    bare === '::1' ||
    (isIP(bare) === 4 && bare.startsWith('127.'))
  );
}

/** An https agent whose connections go through `proxy` by CONNECT. */
export class ProxyAgent extends Agent {
  private readonly proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.proxy = proxy;
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const { proxy } = this;
    const target = `${options.host}:${options.port}`;
    const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers: Record<string, string> = { host: target };
    if (proxy.username !== '') {
      const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
      headers['proxy-authorization'] = `Basic ${Buffer.from(login).toString('base64')}`;
    }
    const tunnel = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : proxy.port,
      method: 'CONNECT',
      path: target,
      headers,
      agent: false,
    });
    const fail = (error: Error) => (callback as ((error: Error) => void) | undefined)?.(error);
    tunnel.once('error', (cause) => fail(proxyError(`The proxy ${proxy.host} cannot be reached`, cause)));
    tunnel.once('connect', (answer, socket: Socket) => {
      if (answer.statusCode !== 200) {
        socket.destroy();
        fail(proxyError(`The proxy ${proxy.host} refused the connection with ${answer.statusCode}`));
        return;
      }
      callback?.(null, tlsConnect({ ...options, socket } as ConnectionOptions));
    });
    tunnel.end();
    return undefined;
  }
}

/** An error of the proxy itself; its message is fit for a person. */
export class ProxyFailure extends Error {}

function proxyError(message: string, cause?: Error): ProxyFailure {
  const code =
    cause !== undefined && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  return new ProxyFailure(
    `${message}${code}: check proxy-url of this context, or the proxy of the environment.`,
  );
}
