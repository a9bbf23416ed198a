/** `loopscope sessions`: what was recorded on this computer, listed, named, kept, deleted, saved to a file. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SessionLibrary } from '../core/engine/library.ts';
import { createNodeEngine } from '../core/node/createNodeEngine.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import type { SessionRow } from '../shared/contract/views/sessions.ts';
import type { ParsedArgs } from './args.ts';
import { fail } from './check.ts';
import { exitCode } from './exitCodes.ts';
import type { Io } from './io.ts';
import { clean } from './output.ts';

/** What an action takes after its name, for the sentence when it is missing. */
const actions: Readonly<Record<string, readonly string[]>> = {
  list: [],
  rename: ['ID', 'NAME'],
  keep: ['ID'],
  unkeep: ['ID'],
  delete: ['ID'],
  save: ['ID', 'PATH'],
};

/** Problems of what was typed; all others are things that could not be done. */
const typed: ReadonlySet<string> = new Set(['not-found', 'ambiguous', 'name', 'exists', 'no-folder']);

export async function runSessions(args: ParsedArgs, io: Io): Promise<number> {
  const [action = 'list', ...given] = args.positionals;
  const takes = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (takes === undefined)
    return usage(`sessions has no ${action}; it has ${Object.keys(actions).join(', ')}`, io);
  const missing = takes[given.length];
  if (missing !== undefined)
    return usage(`sessions ${action} needs ${takes.slice(given.length).join(' and ')}`, io);
  const extra = given[takes.length];
  if (extra !== undefined) {
    const hint = action === 'rename' ? ' A name with spaces goes in quotes.' : '';
    return usage(
      `sessions ${action} takes ${takes.join(' and ') || 'nothing'}; "${extra}" is too much.${hint}`,
      io,
    );
  }
  const node = createNodeEngine({ env: io.env, log: (line) => io.note(`note: ${clean(line)}`) });
  try {
    const { library } = node.host;
    library.refresh();
    if (action === 'list') return list(library, args, io);
    const [id = '', second = ''] = given;
    const row = find(library.rows(), id);
    if (!row.ok) return refuse(row.error, io);
    const done = await act(library, action, row.value, second, io);
    if (!done.ok) return refuse(done.error, io);
    if (args.has('json')) io.out(`${JSON.stringify({ format: 1, ...done.value }, undefined, 2)}\n`);
    else io.out(`${sentence(action, row.value, second, done.value)}\n`);
    return exitCode.clean;
  } finally {
    node.dispose();
  }
}

/** What came of an action, as a program reads it. */
interface Done {
  readonly session?: SessionRow;
  readonly deleted?: string;
  readonly path?: string;
}

async function act(
  library: SessionLibrary,
  action: string,
  row: SessionRow,
  second: string,
  io: Io,
): Promise<Result<Done, Problem>> {
  const { id } = row;
  const changed = (result: Result<void, Problem>): Result<Done, Problem> => {
    const session = library.rows().find((one) => one.id === id);
    return result.ok ? ok(session === undefined ? {} : { session }) : result;
  };
  switch (action) {
    case 'rename':
      return changed(library.rename(id, second));
    case 'keep':
    case 'unkeep':
      return changed(library.keep(id, action === 'keep'));
    case 'delete': {
      const removed = library.remove(id);
      return removed.ok ? ok({ deleted: id }) : removed;
    }
    default:
      return save(library, row, resolve(io.cwd, second));
  }
}

async function save(library: SessionLibrary, row: SessionRow, path: string): Promise<Result<Done, Problem>> {
  const opened = await library.open(row.path);
  if (!opened.ok) return opened;
  try {
    // A folder is where the copy goes, as cp has it.
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const target = isFolder ? join(path, row.id) : path;
    const saved = await library.save(opened.value.log, row.named ? row.name : '', target);
    return saved.ok ? ok({ path: saved.value }) : saved;
  } finally {
    opened.value.log.close();
  }
}

/** By id with or without its ending, by its beginning, or by name, as long as it is one. */
function find(rows: readonly SessionRow[], given: string): Result<SessionRow, Problem> {
  const exact = rows.find(({ id }) => id === given || id === `${given}.loopscope`);
  if (exact !== undefined) return ok(exact);
  const found = rows.filter(({ id, name }) => id.startsWith(given) || name === given);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return ok(only);
  if (only !== undefined) {
    const ids = found.slice(0, 5).map(({ id }) => id);
    return err({ code: 'ambiguous', message: `${given} could be ${ids.join(', ')}. Give more of it.` });
  }
  return err({
    code: 'not-found',
    message: `There is no session ${given}. loopscope sessions lists what there is.`,
  });
}

function list(library: SessionLibrary, args: ParsedArgs, io: Io): number {
  const rows = library.rows();
  const { folder, bytes, retention } = library.info();
  if (args.has('json')) {
    io.out(`${JSON.stringify({ format: 1, folder, bytes, retention, sessions: rows }, undefined, 2)}\n`);
    return exitCode.clean;
  }
  if (rows.length === 0) {
    io.out(`No sessions yet. They will lie in ${folder ?? 'no folder'}.\n`);
    return exitCode.clean;
  }
  io.out(
    [
      ...table([
        ['STARTED', 'LENGTH', 'RECORDS', 'SIZE', 'STATE', 'NAME', 'ID'],
        ...rows.map((row) => [
          new Date(row.startedAt).toISOString().slice(0, 19).replace('T', ' '),
          row.endedAt === undefined ? '–' : length(row.endedAt - row.startedAt),
          String(row.records),
          size(row.bytes),
          stateOf(row),
          clean(row.name),
          clean(row.id.replace(/\.loopscope$/, '')),
        ]),
      ]),
      '',
      ...rows.flatMap(({ problem }) => (problem === undefined ? [] : [`! ${clean(problem.message)}`])),
      `${rows.length === 1 ? '1 session' : `${rows.length} sessions`}, ${size(bytes)} in ${folder ?? 'no folder'}. Times are UTC.`,
      `The newest ${retention.keep} stay, up to ${size(retention.maxBytes)} in all; those that are kept stay anyway.`,
      '',
    ].join('\n'),
  );
  return exitCode.clean;
}

/** All that is recorded is recorded by another process than this one. */
function stateOf({ state, kept }: SessionRow): string {
  const word = state === 'elsewhere' ? 'recording' : state;
  return kept ? `${word}, kept` : word;
}

function sentence(action: string, row: SessionRow, second: string, done: Done): string {
  const name = clean(row.name);
  switch (action) {
    case 'rename':
      return `${name} is now called ${clean(second.trim())}.`;
    case 'keep':
      return `${name} is kept: it is never deleted by itself.`;
    case 'unkeep':
      return `${name} is no longer kept: it goes when it is among the oldest.`;
    case 'delete':
      return `${name} was deleted.`;
    default:
      return `${name} was saved to ${clean(done.path ?? '')}.`;
  }
}

/** Figures to the right, words to the left; the last column ends the line. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const figures = new Set([1, 2, 3]);
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => [...(cells[column] ?? '')].length)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) => {
        const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length));
        return figures.has(column) ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** `1.2 MB`, in thousands. */
function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

/** `3m 20s`. */
function length(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}

function usage(message: string, io: Io): number {
  const ended = /[.!]$/.test(message) ? message : `${message}.`;
  io.note(`loopscope: ${clean(ended)} See loopscope sessions --help.`);
  return exitCode.usage;
}

function refuse(problem: Problem, io: Io): number {
  const code = fail(problem, io);
  return typed.has(problem.code) ? exitCode.usage : code;
}
