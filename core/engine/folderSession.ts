/**
 * FolderSession: a case folder or recording as a session, standing at its moment of judgement: derived from the records
 * of its files by the same code as a live or an opened one. Rules: docs/spec/folder.md
 */
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { CaseFile, CaseProblem } from '../source/caseFolder/caseFiles.ts';
import type { EngineSession } from './engineSession.ts';
import { type FolderInput, type FolderLogOptions, folderLog } from './folderLog.ts';
import { operatorOfLines } from './folderOperator.ts';
import type { EngineHost } from './host.ts';
import { PlayedClock } from './playedClock.ts';
import { createPlayedSession } from './playedSession.ts';

export interface FolderSessionOptions extends FolderLogOptions {
  /** A bug in a derivation: the record is kept, what it would have changed is not. */
  readonly onBug: EngineHost['onBug'];
  /** Aborted: given up. */
  readonly signal?: AbortSignal;
}

export interface FolderSession {
  readonly session: EngineSession;
  readonly from: number;
  readonly asOf: number;
  readonly problems: readonly CaseProblem[];
  readonly inputs: readonly FolderInput[];
}

/**
 * Folds all that the files tell, up to the moment of judgement. Which operator is under debug is inferred; where several
 * fit, the one that the log or the audit file is of, if they tell. Dispose `session`. Error code: `cancelled`.
 */
export async function openFolderSession(
  files: readonly CaseFile[],
  options: FolderSessionOptions,
): Promise<Result<FolderSession, Problem>> {
  const { log, from, asOf, problems, inputs } = folderLog(files, options);
  const clock = new PlayedClock(options.clock, from);
  const session = createPlayedSession({
    host: { clock: options.clock, onBug: options.onBug },
    opened: { log, path: '', name: options.name, context: options.name, server: '' },
    clock,
    own: [],
  });
  const done = await session.foldTo(asOf, options.signal ?? never, () => undefined);
  const whole = {
    ...session,
    dispose() {
      session.dispose();
      clock.dispose();
      log.close();
    },
  };
  if (!done) {
    whole.dispose();
    return err({ code: 'cancelled', message: 'Interrupted while the files were read.' });
  }
  if (session.operators.profile() === undefined) {
    const found = operatorOfLines(log, session.operators.all(), (name) => session.watching.resolve(name));
    if (found !== undefined) session.operators.choose(found.id);
  }
  return ok({ session: whole, from, asOf, problems, inputs });
}

const never = new AbortController().signal;
