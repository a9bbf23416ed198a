/**
 * What the user chose and this machine remembers: the window's own settings, which exec plugins may run, how many
 * sessions stay. One small JSON file of mode 0600, written whole to a neighbour and renamed, so that a crash leaves the old or the new one.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import { type Retention, zRetention } from '../../shared/contract/views/sessions.ts';
import type { ConsentStore } from './kubeConnect.ts';
import { makeFolder } from './userFolders.ts';

export interface Preferences {
  /** The window's own JSON, as it gave it; `{}` at first. */
  windowJson(): string;
  setWindowJson(json: string): Result<void, Problem>;
  readonly consents: ConsentStore;
  retention(): Retention;
  setRetention(retention: Retention): Result<void, Problem>;
}

/** Ten sessions, 2 GB. */
export const defaultRetention: Retention = { keep: 10, maxBytes: 2_000_000_000 };

interface Stored {
  readonly format: 1;
  readonly window: string;
  /** Digests: a command line may hold a credential. */
  readonly consents: readonly string[];
  /** Absent until somebody chose. */
  readonly retention?: Retention;
}

const empty: Stored = { format: 1, window: '{}', consents: [] };

/** Largest JSON the window may keep, in characters: it is settings, not data. */
const windowLimit = 256 * 1024;

/** A file that is not there, or not readable as ours, counts as empty; it is only replaced when something is set. */
export function openPreferences(file: string): Preferences {
  let stored = read(file);

  function save(change: Partial<Stored>): Result<void, Problem> {
    // Another Loopscope may have chosen something else meanwhile: what is not changed here stays as it is there.
    const next: Stored = { ...stored, ...read(file), ...change };
    stored = next;
    try {
      makeFolder(path.dirname(file));
      const fresh = `${file}.new`;
      writeFileSync(fresh, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(fresh, file);
      return ok(undefined);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
      return err({ code: 'not-saved', message: `Preferences cannot be written to ${file} (${code}).` });
    }
  }

  return {
    windowJson: () => stored.window,
    setWindowJson(json) {
      if (json.length > windowLimit)
        return err({ code: 'too-large', message: 'These settings are too large to be kept.' });
      return save({ window: json });
    },
    consents: {
      has: (key) => stored.consents.includes(digestOf(key)),
      add(key) {
        // Not being able to remember is no reason to refuse what the user just allowed.
        const digest = digestOf(key);
        if (!stored.consents.includes(digest))
          save({ consents: [...new Set([...read(file).consents, ...stored.consents, digest])] });
      },
    },
    retention: () => stored.retention ?? defaultRetention,
    setRetention(retention) {
      const valid = zRetention.safeParse(retention);
      if (!valid.success) {
        return err({
          code: 'invalid',
          message:
            'Between 1 and 1000 sessions can be kept, and the bytes for all of them are a whole number above 0.',
        });
      }
      return save({ retention: valid.data });
    },
  };
}

const digestMark = 'sha256:';

function digestOf(key: string): string {
  return digestMark + createHash('sha256').update(key).digest('hex');
}

/** An earlier version wrote the command lines themselves. */
function asDigest(consent: string): string {
  return consent.startsWith(digestMark) ? consent : digestOf(consent);
}

function read(file: string): Stored {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<Stored>;
    if (value.format !== 1) return empty;
    const retention = zRetention.safeParse(value.retention);
    return {
      format: 1,
      window: typeof value.window === 'string' ? value.window : '{}',
      consents: Array.isArray(value.consents)
        ? value.consents.filter((one) => typeof one === 'string').map(asDigest)
        : [],
      ...(retention.success ? { retention: retention.data } : {}),
    };
  } catch {
    return empty;
  }
}
