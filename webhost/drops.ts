/**
 * Files that were dropped on the page: `POST /drop?name=…`. A page never learns the path of a file, so the host keeps a
 * copy in a private folder of its own and answers where it lies. Streamed, never held in memory; the folder goes with
 * the host. Spec: docs/spec/start.md, DR rules.
 */
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { isRunning } from '../core/node/privateFolder.ts';
import { DROP_LIMIT_BYTES, type DropAnswer } from '../shared/contract/webSession.ts';

/** What the window opens or attaches: a session, an operator's log, an audit log, a profile. */
const KINDS: readonly string[] = ['.loopscope', '.log', '.txt', '.jsonl', '.json', '.yaml', '.yml'];

/** No slashes, no control characters, nothing that begins with a dot. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NAME = /^[^./\\\u0000-\u001f\u007f:*?"<>|][^/\\\u0000-\u001f\u007f:*?"<>|]{0,199}$/u;

/** What file systems take of a name; a Chinese character is three. */
const NAME_BYTES = 255;

export interface DropsOptions {
  readonly limitBytes?: number;
  /** Where the private folder is made. Default: the system's folder for temporary files. */
  readonly parent?: string;
}

export interface Drops {
  /** Keeps the body of `request` under `name`. The answer says why not; it never throws for what a page sent. */
  take(
    request: IncomingMessage,
    name: string,
  ): Promise<{ readonly status: number; readonly body: DropAnswer }>;
  /** Deletes what was kept, after what is still arriving has ended: end its connections first. Idempotent. */
  close(): Promise<void>;
}

type Refusal = Extract<DropAnswer, { readonly ok: false }>['code'];

export function createDrops({ limitBytes = DROP_LIMIT_BYTES, parent = tmpdir() }: DropsOptions = {}): Drops {
  let folder: Promise<string> | undefined;
  let count = 0;
  let closed = false;
  const running = new Set<Promise<string>>();

  async function keep(request: IncomingMessage, name: string): Promise<string> {
    folder ??= newFolder(parent);
    // A folder for each, so that two files of one name both keep it.
    const own = join(await folder, String(++count));
    await mkdir(own, { mode: 0o700 });
    try {
      const path = join(own, name);
      await receive(request, path, limitBytes);
      return path;
    } catch (error) {
      await rm(own, { recursive: true, force: true });
      throw error;
    }
  }

  return {
    async take(request, name) {
      if (!NAME.test(name) || Buffer.byteLength(name) > NAME_BYTES) {
        return refuse(
          400,
          'bad-name',
          'This file has no name that could be kept. Rename it and drop it again.',
        );
      }
      if (!KINDS.includes(extname(name).toLowerCase())) {
        return refuse(
          415,
          'unknown-kind',
          `${name} is nothing that Loopscope opens. It opens ${KINDS.slice(0, -1).join(', ')} and ${KINDS.at(-1)}.`,
        );
      }
      const tooLarge = `${name} is larger than ${sizeText(limitBytes)}, the most that is taken from a browser. Start Loopscope with its path instead: loopscope open FILE.`;
      if (Number(request.headers['content-length'] ?? 0) > limitBytes)
        return refuse(413, 'too-large', tooLarge);
      if (closed)
        return refuse(503, 'not-kept', 'Loopscope is ending. Start it again and drop the file again.');
      try {
        const kept = keep(request, name);
        running.add(kept);
        const path = await kept.finally(() => running.delete(kept));
        return { status: 200, body: { ok: true, path } };
      } catch (error) {
        // What is still to come is read to nowhere: cut off, the page would see a broken connection and no answer.
        request.resume();
        if (error instanceof TooLarge) return refuse(413, 'too-large', tooLarge);
        const { code = 'unknown' } = error as NodeJS.ErrnoException;
        if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
          return refuse(400, 'cut-off', `${name} did not arrive as a whole. Drop it again.`);
        const why = code === 'ENOSPC' ? 'the disk is full' : code;
        return refuse(
          507,
          'not-kept',
          `${name} could not be kept in ${parent}: ${why}. Start Loopscope with its path instead: loopscope open FILE.`,
        );
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(running);
      const made = await folder?.catch(() => undefined);
      if (made !== undefined) await rm(made, { recursive: true, force: true });
    },
  };
}

const FOLDER = 'loopscope-dropped-';

/** A folder for the user alone (mkdtemp makes it so). What killed hosts left behind goes first. */
async function newFolder(parent: string): Promise<string> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(FOLDER) ? /^(\d+)-/.exec(name.slice(FOLDER.length))?.[1] : undefined;
    if (pid === undefined || isRunning(Number(pid))) continue;
    // Another user's stays: it is not ours to delete.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
  return mkdtemp(join(parent, `${FOLDER}${process.pid}-`));
}

class TooLarge extends Error {}

/** The body as a file for the user alone. Throws TooLarge when it is longer, with the rest unread. */
async function receive(request: IncomingMessage, path: string, limitBytes: number): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    // The request must outlive a refusal, or its answer would be lost with the connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > limitBytes) throw new TooLarge();
      await file.writeFile(chunk as Buffer);
    }
  } finally {
    await file.close();
  }
}

function refuse(status: number, code: Refusal, message: string) {
  return { status, body: { ok: false, code, message } } as const;
}

function sizeText(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : `${Math.ceil(bytes / 1024)} KB`;
}
