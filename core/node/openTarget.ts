/** A case folder on disk as a session: its files, and the loopscope.yaml beside them or another one. */
import { createHmac, randomBytes } from 'node:crypto';
import path from 'node:path';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import type { Span } from '../../shared/model/trace.ts';
import type { FolderInput } from '../engine/folderLog.ts';
import { type FolderSession, type FolderSessionOptions, openFolderSession } from '../engine/folderSession.ts';
import type { EngineHost } from '../engine/host.ts';
import { loadProfileFile } from '../profile/load.ts';
import type { CaseFile } from '../source/caseFolder/caseFiles.ts';
import { parseCaseYaml, readCaseFolder } from './readCaseFolder.ts';
import { systemClock } from './systemClock.ts';

export interface OpenFolderOptions {
  readonly host: Pick<EngineHost, 'clock' | 'onBug' | 'digest' | 'parseYaml' | 'readText'>;
  /** `loopscope.yaml` to use instead of the one in the folder. */
  readonly profilePath?: string | undefined;
  /** The operator that the user named. */
  readonly choose?: FolderSessionOptions['choose'];
  /** Files that are not read: a scored run must not see audit.jsonl. */
  readonly without?: readonly FolderInput[];
  readonly signal?: AbortSignal;
}

/** Codes: those of readCaseFolder(), `profile-invalid`, `cancelled`. Dispose the session. */
export async function openFolder(
  target: string,
  options: OpenFolderOptions,
): Promise<Result<FolderSession, Problem>> {
  const { host, signal } = options;
  const files = await readCaseFolder(target);
  if (!files.ok) return files;
  const profile = await profileOf(target, options);
  if (!profile.ok) return profile;
  return openFolderSession(files.value, {
    clock: host.clock,
    onBug: host.onBug,
    digest: host.digest,
    parseYaml: parseCaseYaml,
    name: path.basename(path.resolve(target)),
    without: options.without ?? [],
    choose: options.choose,
    profile: profile.value,
    ...(signal === undefined ? {} : { signal }),
  });
}

async function profileOf(
  target: string,
  { host, profilePath }: OpenFolderOptions,
): Promise<Result<{ readonly file: ProfileFile; readonly path: string } | undefined, Problem>> {
  const beside = ['loopscope.yaml', 'loopscope.yml'].map((name) => path.join(target, name));
  for (const file of profilePath === undefined ? beside : [profilePath]) {
    const text = await host.readText(file);
    if (!text.ok) {
      // Beside the other files it may be missing; one that is there and cannot be read is told.
      if (profilePath === undefined && text.error.message.endsWith('is not there.')) continue;
      return err({ ...text.error, code: 'profile-invalid' });
    }
    const loaded = loadProfileFile(text.value, host.parseYaml, file);
    return loaded.ok ? ok({ file: loaded.value, path: file }) : loaded;
  }
  return ok(undefined);
}

/**
 * The reconciles that the files of a folder tell of, newest first; undefined where no operator is known. `onBug` hears of
 * what could not be derived.
 */
export async function folderSpans(
  files: readonly CaseFile[],
  onBug: EngineHost['onBug'],
): Promise<readonly Span[] | undefined> {
  const key = randomBytes(32);
  const opened = await openFolderSession(files, {
    clock: systemClock,
    parseYaml: parseCaseYaml,
    digest: (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, 32),
    name: 'folder',
    onBug,
  });
  if (!opened.ok) return undefined;
  const { session } = opened.value;
  try {
    return session.operators.profile() === undefined ? undefined : session.traces.spans({});
  } finally {
    session.dispose();
  }
}
