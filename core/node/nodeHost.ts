/**
 * The engine's host on a machine with Node: kubeconfig files, sockets, session files, feeds. The one place where the
 * pure engine meets the impure modules of this folder.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { stringify } from 'yaml';
import { err, ok } from '../../shared/base/result.ts';
import type { Contexts } from '../../shared/contract/views/connection.ts';
import type { ContextSource, EngineHost } from '../engine/host.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import { createDemoShelf } from './demoShelf.ts';
import { createFeedHost } from './feedHost.ts';
import { type ConsentStore, createTransport } from './kubeConnect.ts';
import { flattenContext } from './kubeconfigFlatten.ts';
import { loadKubeconfig, summariseContexts } from './kubeconfigLoad.ts';
import { openPreferences, type Preferences } from './preferences.ts';
import { removeLeftFolders } from './privateFolder.ts';
import { parseProfileYaml } from './profileYaml.ts';
import { createSessionLibrary } from './sessionLibrary.ts';
import { createSqliteSession, openSqliteSession } from './sqliteSession.ts';
import { sessionsFolder } from './sqliteSessionFiles.ts';
import { systemClock } from './systemClock.ts';
import { userFolders } from './userFolders.ts';

export interface NodeHostOptions {
  readonly version: string;
  /** --kubeconfig. */
  readonly kubeconfig?: string | undefined;
  /** Default: this process's. Decides KUBECONFIG, folders, proxies and what exec plugins see. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The command line named the context: its exec plugin may run. */
  readonly execConsent?: boolean;
  /** Where sessions go: a folder, or `memory` for a check that leaves nothing behind. Default: the user's data folder. */
  readonly sessions?: string;
  /** Folder of the recorded incidents. Default: the one of this program. */
  readonly demos?: string;
  readonly log?: (line: string) => void;
  /** A bug that did not end the session; default: one line in `log`. */
  readonly onBug?: (where: string, error: unknown) => void;
}

export function createNodeHost(options: NodeHostOptions): EngineHost {
  const env = options.env ?? process.env;
  const log = options.log ?? (() => undefined);
  const preferences = openPreferences(path.join(userFolders(env).config, 'preferences.json'));
  const digestKey = randomBytes(32);
  void removeLeftFolders();
  const { sessions } = options;
  const folder = sessions === undefined || sessions === 'memory' ? sessionsFolder(env) : sessions;
  const library = createSessionLibrary({
    folder,
    clock: systemClock,
    app: options.version,
    retention: {
      get: () => preferences.retention(),
      set: (retention) => preferences.setRetention(retention),
    },
    log,
  });
  return {
    clock: systemClock,
    random: Math.random,
    version: options.version,
    platform: process.platform,
    node: process.version,
    contexts: contextSource(options, env, preferences),
    feeds: createFeedHost(systemClock),
    preferences: {
      get: () => preferences.windowJson(),
      set: (json) => preferences.setWindowJson(json),
    },
    openSession: (stamp, resume) => {
      const inMemory = (paused?: string) => {
        // A check ends when it has judged; a window that nothing is recorded of may stay open for days.
        const memory = createMemoryLog({
          clock: systemClock,
          ...(paused === undefined ? {} : { paused, keepChars: unrecordedChars }),
        });
        library.begunInMemory(memory, stamp.context);
        return memory;
      };
      if (options.sessions === 'memory') return inMemory();
      const common = { clock: systemClock, app: options.version };
      const onClose = () => {
        if (session.ok) library.ended(session.value);
      };
      const left =
        resume === undefined ? undefined : openSqliteSession(resume, { ...common, mode: 'append', onClose });
      if (left?.ok === false) log(`a new session is begun: ${left.error.message}`);
      const session = left?.ok
        ? left
        : createSqliteSession({ ...common, folder, id: stamp.context, onClose });
      if (session.ok) {
        session.value.stampCluster(stamp);
        library.begun(session.value);
        return session.value;
      }
      // Watching goes on without a file; the session says that nothing is kept.
      return inMemory(session.error.message);
    },
    library,
    demos: createDemoShelf({
      clock: systemClock,
      ...(options.demos === undefined ? {} : { folder: options.demos }),
    }),
    digest: (text) => createHmac('sha256', digestKey).update(text).digest('hex').slice(0, 32),
    parseYaml: parseProfileYaml,
    toYaml: (value) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }),
    async readText(file) {
      try {
        const text = await readStart(file, longestText);
        return text === undefined
          ? err({
              code: 'too-large',
              message: `${file} is larger than ${longestText / 1_000_000} MB; it is not what it is taken for.`,
            })
          : ok(text);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code ?? 'unknown'})`;
        return err({ code: 'unreadable', message: `${file} ${why}.` });
      }
    },
    log,
    onBug: options.onBug ?? ((where, error) => log(bugLine(where, error))),
  };
}

/** As much as of a recording that waits for its disk (SES39). */
const unrecordedChars = 64 * 1024 * 1024;

/** A profile is a page; a device or a log that was taken for one has no end. */
const longestText = 4_000_000;

/** The whole file, a pipe as well; undefined when it goes on after `most` bytes. Throws what the file system says. */
async function readStart(file: string, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: most })) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return bytes.length > most ? undefined : bytes.toString('utf8');
}

function bugLine(where: string, error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `this is a bug, please report it: ${where}: ${what}`;
}

function contextSource(
  options: NodeHostOptions,
  env: Readonly<Record<string, string | undefined>>,
  preferences: Preferences,
): ContextSource {
  const consents: ConsentStore = preferences.consents;
  // Read again each time: a login in another window changes the file.
  const load = () =>
    loadKubeconfig({ flag: options.kubeconfig, env: env.KUBECONFIG, home: env.HOME ?? os.homedir() });
  return {
    list(): Contexts {
      const loaded = load();
      if (!loaded.ok) {
        const { code, message, files, origin } = loaded.error;
        return { contexts: [], files: [...files], origin, problem: { code, message } };
      }
      return {
        contexts: summariseContexts(loaded.value),
        files: [...loaded.value.files],
        origin: loaded.value.origin,
      };
    },
    async open(context, consent) {
      const loaded = load();
      if (!loaded.ok) return err({ code: loaded.error.code, message: loaded.error.message });
      const flat = flattenContext(loaded.value, context === '' ? undefined : context);
      if (!flat.ok) return flat;
      const transport = createTransport(flat.value, {
        clock: systemClock,
        version: options.version,
        env,
        consent: consent ?? (options.execConsent === true ? 'once' : undefined),
        consents,
      });
      if (!transport.ok) {
        const { exec, code, message } = transport.error;
        return err({ code, message, ...(exec === undefined ? {} : { consent: exec }) });
      }
      const { name, server, userName, namespace } = flat.value;
      return ok({
        context: name,
        transport: transport.value,
        server: server.href.replace(/\/$/, ''),
        user: userName,
        namespace: namespace === '' ? 'default' : namespace,
      });
    },
  };
}
