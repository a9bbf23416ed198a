/**
 * FolderSession: a case folder or recording as a session, standing at its moment of judgement: derived from the records
 * of its files by the same code as a live or an opened one. Rules: docs/spec/folder.md
 */
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { SessionLog } from '../session/record.ts';
import type { CaseFile, CaseProblem } from '../source/caseFolder/caseFiles.ts';
import type { EngineSession } from './engineSession.ts';
import { type FolderInput, type FolderLogOptions, folderLog } from './folderLog.ts';
import { operatorOfLines } from './folderOperator.ts';
import { folderPredictions } from './folderPredictions.ts';
import type { EngineHost } from './host.ts';
import { PlayedClock } from './playedClock.ts';
import { createPlayedSession } from './playedSession.ts';

export interface FolderSessionOptions extends FolderLogOptions {
  /** A bug in a derivation: the record is kept, what it would have changed is not. */
  readonly onBug: EngineHost['onBug'];
  /** Whom the user named, by id; undefined: whoever it is about. */
  readonly choose?: ((operators: readonly OperatorProfile[]) => string | undefined) | undefined;
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
  const { clock, name, onBug, signal = never } = options;
  const fold = async (operator: string | undefined): Promise<EngineSession | undefined> => {
    const played = new PlayedClock(clock, from);
    const opened = { log, path: '', name, context: name, server: '' };
    const session = createPlayedSession({
      host: { clock, onBug },
      opened,
      clock: played,
      own: [],
      whole: true,
    });
    const dispose = () => {
      session.dispose();
      played.dispose();
    };
    if (!(await session.foldTo(asOf, signal, () => undefined))) {
      dispose();
      return undefined;
    }
    if (operator !== undefined) session.operators.choose(operator);
    return { ...session, dispose };
  };

  let session = await fold(undefined);
  if (session !== undefined) {
    const operator = operatorUnderDebug(log, session, options.choose);
    const predicted = operator === undefined ? [] : folderPredictions(log, operator, resolver(session), asOf);
    for (const input of predicted) log.append(input);
    // Predictions are records: told with the others.
    if (operator !== undefined) {
      session.dispose();
      session = await fold(operator.id);
    }
  }
  if (session === undefined) {
    log.close();
    return err({ code: 'cancelled', message: 'Interrupted while the files were read.' });
  }
  const shown = session;
  const dispose = () => {
    shown.dispose();
    log.close();
  };
  return ok({ session: { ...shown, dispose }, from, asOf, problems, inputs });
}

function operatorUnderDebug(
  log: SessionLog,
  session: EngineSession,
  choose: FolderSessionOptions['choose'],
): OperatorProfile | undefined {
  const named = choose?.(session.operators.all());
  if (named !== undefined) session.operators.choose(named);
  const chosen = session.operators.profile();
  if (chosen !== undefined) return chosen;
  const found = operatorOfLines(log, session.operators.all(), resolver(session));
  if (found === undefined || !session.operators.choose(found.id)) return undefined;
  return session.operators.profile();
}

function resolver({ watching }: EngineSession): (name: string) => readonly ApiResource[] {
  return (name) => watching.resolve(name);
}

const never = new AbortController().signal;
