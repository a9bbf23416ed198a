/**
 * What the page and the browser host say to each other beside the WebSocket. The address that the host prints
 * carries a token for one use in its fragment (which a browser sends nowhere). The page trades it at POST /session for a
 * secret, keeps that in sessionStorage (so a reload works, another tab does not get it by itself) and offers it as a
 * WebSocket subprotocol.
 */
import { z } from 'zod';

export const SESSION_PATH = '/session';
export const ENGINE_PATH = '/engine';
/**
 * A file that was dropped on the page: `POST /drop?name=incident.loopscope`, its bytes as the body, the window's secret in
 * DROP_SECRET_HEADER. A page never learns a file's path, so the host keeps a private copy until it ends and answers where.
 */
export const DROP_PATH = '/drop';
export const DROP_SECRET_HEADER = 'x-loopscope-secret';
/** Largest file that is taken, bytes. A page that knows the size need not send more to be refused. */
export const DROP_LIMIT_BYTES = 1024 ** 3;
/** The subprotocol that the host selects; a new incompatible contract gets a new number. */
export const ENGINE_PROTOCOL = 'loopscope.v1';
const SECRET_PREFIX = 'secret.';
const TOKEN_KEY = 'token';

/** A token is traded for a secret; a secret is confirmed (a reload of the same tab). */
export const zSessionRequest = z.union([
  z.strictObject({ token: z.string().max(200) }),
  z.strictObject({ secret: z.string().max(200) }),
]);
export type SessionRequest = z.infer<typeof zSessionRequest>;

export const zSessionAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), secret: z.string() }),
  z.object({ ok: z.literal(false), code: z.enum(['link-used', 'link-unknown', 'session-ended']) }),
]);
export type SessionAnswer = z.infer<typeof zSessionAnswer>;

/** `path`: of the copy, on the engine's computer. Refusals are a sentence that says what to do. */
export const zDropAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), path: z.string() }),
  z.object({
    ok: z.literal(false),
    code: z.enum(['unknown-secret', 'bad-name', 'unknown-kind', 'too-large', 'cut-off', 'not-kept']),
    message: z.string(),
  }),
]);
export type DropAnswer = z.infer<typeof zDropAnswer>;

/** `/drop?name=…` for a file's name (without folders). */
export function dropPathFor(name: string): string {
  return `${DROP_PATH}?name=${encodeURIComponent(name)}`;
}

/** Protocols for `new WebSocket(url, …)`, and for the host to look the secret up in. */
export function engineProtocols(secret: string): string[] {
  return [ENGINE_PROTOCOL, SECRET_PREFIX + secret];
}

/** The secret among the offered subprotocols; undefined when ours is not offered or there is none. */
export function secretOfProtocols(offered: readonly string[]): string | undefined {
  if (!offered.includes(ENGINE_PROTOCOL)) return undefined;
  return offered.find((protocol) => protocol.startsWith(SECRET_PREFIX))?.slice(SECRET_PREFIX.length);
}

/** `http://127.0.0.1:7373/#token=…` */
export function linkWithToken(origin: string, token: string): string {
  return `${origin}/#${TOKEN_KEY}=${token}`;
}

/** The token in a fragment such as `#token=abc`; undefined when there is none. */
export function tokenOfFragment(fragment: string): string | undefined {
  const found = fragment
    .replace(/^#/, '')
    .split('&')
    .find((part) => part.startsWith(`${TOKEN_KEY}=`));
  const token = found?.slice(TOKEN_KEY.length + 1);
  return token === undefined || token === '' ? undefined : token;
}
