/**
 * What the engine needs of the place where sessions and demos lie. Files are the host's: core/node/sessionLibrary.ts and
 * core/node/demoShelf.ts.
 */
import type { Disposable } from '../../shared/base/disposable.ts';
import { err, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { Demo } from '../../shared/contract/views/playback.ts';
import type { Library, Retention, SessionRow } from '../../shared/contract/views/sessions.ts';
import type { SessionLog } from '../session/record.ts';

/** A session file that was opened to be looked at; nothing is ever appended to it. Closing `log` closes the file. */
export interface OpenedSession {
  readonly log: SessionLog;
  readonly path: string;
  readonly name: string;
  readonly context: string;
  readonly server: string;
}

export interface SessionLibrary {
  /** Newest first. Read again by refresh(); the row of a running recording grows as it is asked for. */
  rows(): readonly SessionRow[];
  info(): Library;
  /** Reads the folder again; calls onChange listeners when anything differs. */
  refresh(): void;
  onChange(listener: () => void): Disposable;
  /** An older format is migrated first; refusals (newer, damaged, missing) are sentences. */
  open(path: string): Promise<Result<OpenedSession, Problem>>;
  rename(id: string, name: string): Result<void, Problem>;
  keep(id: string, kept: boolean): Result<void, Problem>;
  remove(id: string): Result<void, Problem>;
  setRetention(retention: Retention): Result<void, Problem>;
  /** Notes in a running recording which operator is under debug. Other logs are not touched. */
  noteOperator(log: SessionLog, operator: string): void;
  /** Copies a log, recording or opened, to a session file. Gives its path. */
  save(log: SessionLog, name: string, path: string | undefined): Promise<Result<string, Problem>>;
}

export interface DemoShelf {
  list(): readonly Demo[];
  open(id: string): Promise<Result<OpenedSession, Problem>>;
}

/** For an engine that keeps nothing: a check, a test. */
export function createNoLibrary(): SessionLibrary {
  const none = err({ code: 'no-library', message: 'This Loopscope keeps no sessions.' });
  return {
    rows: () => [],
    info: () => ({ bytes: 0, retention: { keep: 1, maxBytes: 1 } }),
    refresh() {},
    onChange: () => ({ dispose() {} }),
    open: async () => none,
    rename: () => none,
    keep: () => none,
    remove: () => none,
    setRetention: () => none,
    noteOperator() {},
    save: async () => none,
  };
}

export function createNoDemos(): DemoShelf {
  return {
    list: () => [],
    open: async (id) => err({ code: 'no-demo', message: `There is no recorded incident ${id} here.` }),
  };
}
