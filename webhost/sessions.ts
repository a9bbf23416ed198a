/**
 * Who may speak to the engine: tokens for one use, each traded for one window's secret. In memory only, gone with the
 * process. Only digests are kept, so that neither can be read out of a heap snapshot, and look-ups compare digests,
 * which leaks nothing about the value by its timing.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { SessionAnswer, SessionRequest } from '../shared/contract/webSession.ts';

/** Links that were printed and not yet opened; the oldest is forgotten first. */
const MAX_UNUSED = 16;
/** Used links that are still recognised, to tell "used" from "never existed". */
const MAX_USED = 256;
/** Windows that were opened; the oldest secret is forgotten first. */
const MAX_SECRETS = 256;

export class Sessions {
  private readonly unused = new Set<string>();
  private readonly used = new Set<string>();
  private readonly secrets = new Set<string>();

  /** A new token, valid for one exchange. 256 random bits, base64url. */
  newToken(): string {
    const token = randomBytes(32).toString('base64url');
    remember(this.unused, digest(token), MAX_UNUSED);
    return token;
  }

  exchange(request: SessionRequest): SessionAnswer {
    if ('secret' in request) {
      return this.isKnown(request.secret)
        ? { ok: true, secret: request.secret }
        : { ok: false, code: 'session-ended' };
    }
    const token = digest(request.token);
    if (this.used.has(token)) return { ok: false, code: 'link-used' };
    if (!this.unused.delete(token)) return { ok: false, code: 'link-unknown' };
    remember(this.used, token, MAX_USED);
    const secret = randomBytes(32).toString('base64url');
    remember(this.secrets, digest(secret), MAX_SECRETS);
    return { ok: true, secret };
  }

  isKnown(secret: string): boolean {
    return this.secrets.has(digest(secret));
  }
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('base64');
}

function remember(set: Set<string>, value: string, limit: number): void {
  set.add(value);
  for (const oldest of set) {
    if (set.size <= limit) return;
    set.delete(oldest);
  }
}
