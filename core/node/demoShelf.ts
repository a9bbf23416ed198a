/**
 * The recorded incidents that come with Loopscope: assets/demo/<id>.loopscope, a session file, with <id>.json beside it.
 * A demo is never opened where it lies: SQLite would write beside it, and an installed program's folder (or its archive)
 * takes no writing. Format and how one is made: docs/spec/demo.md.
 */
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../shared/base/clock.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import { type Demo, zDemo } from '../../shared/contract/views/playback.ts';
import type { DemoShelf, OpenedSession } from '../engine/library.ts';
import { makePrivateFolder, type PrivateFolder } from './privateFolder.ts';
import { openForReading } from './sqliteReading.ts';
import { sessionExtension } from './sqliteSession.ts';

export interface DemoShelfOptions {
  readonly clock: Clock;
  /** Where demos lie. Default: assets/demo of this program. */
  readonly folder?: string;
}

/** Where a clone of the repository keeps its demos; a packed program names its own folder. */
function demoFolder(): string {
  return fileURLToPath(new URL('../../assets/demo', import.meta.url));
}

/** Demos of a folder by their manifests, ours first. One that cannot be read stands in the list with its problem. */
export function createDemoShelf(options: DemoShelfOptions): DemoShelf {
  const folder = options.folder ?? demoFolder();
  return {
    list: () => manifests(folder).map((name) => readManifest(folder, name)),
    async open(id) {
      // An id comes from the window: it names a file of this folder or nothing.
      const demo = manifests(folder).find((name) => name === `${id}.json`);
      const file = path.join(folder, id + sessionExtension);
      if (demo === undefined || !existsSync(file))
        return err({ code: 'no-demo', message: `There is no recorded incident ${id} here.` });
      return openCopy(id, file, options.clock);
    },
  };
}

function manifests(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  } catch {
    return []; // A program that was packed without demos has none.
  }
}

/** The first is what `--demo` plays: what an operator's author meets first comes first; ours before others. */
const order = ['status-forbidden', 'hot-loop', 'finalizer-orphaned', 'parked-retry'];

function placeOf(name: string): number {
  const place = order.indexOf(name.slice(0, -'.json'.length));
  return place < 0 ? order.length : place;
}

function readManifest(folder: string, name: string): Demo {
  const id = name.slice(0, -'.json'.length);
  try {
    const parsed = zDemo.safeParse(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
    if (!parsed.success || parsed.data.id !== id) return broken(id, `${name} does not say what it has to.`);
    if (!existsSync(path.join(folder, id + sessionExtension)))
      return broken(id, `${id}${sessionExtension} is missing.`);
    return parsed.data;
  } catch (error) {
    return broken(id, `${name} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function broken(id: string, why: string): Demo {
  const problem = {
    code: 'demo-broken',
    message: `This recorded incident cannot be played: ${why} Install Loopscope again.`,
  };
  return { id, ms: 0, records: 0, bytes: 0, recordedAt: 0, kubernetes: '', problem };
}

/** A copy of its own that ends with the log: two windows may play one demo. */
function openCopy(id: string, file: string, clock: Clock): Result<OpenedSession, Problem> {
  const name = path.basename(file);
  let folder: PrivateFolder | undefined;
  try {
    const made = makePrivateFolder('demo');
    folder = made;
    const copy = path.join(made.path, name);
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    const opened = openForReading(copy, { clock, onClose: () => made.dispose() });
    if (!opened.ok) {
      made.dispose();
      const why = opened.error.message.replaceAll(copy, name);
      return err({
        code: opened.error.code,
        message: `The recorded incident ${id} cannot be played: ${why} Install Loopscope again.`,
      });
    }
    const { context = '', server = '' } = opened.value.clusterStamp();
    return ok({ log: opened.value, path: file, name: id, context, server });
  } catch (error) {
    folder?.dispose();
    const why = error instanceof Error ? error.message : String(error);
    return err({
      code: 'demo-unusable',
      message: `The recorded incident ${id} cannot be played, because it cannot be copied to the temporary folder: ${why}.`,
    });
  }
}
