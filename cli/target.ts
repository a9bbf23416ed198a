/**
 * What `trace`, `queue` and `rbac` look at, whatever TARGET is: nothing (the live cluster), a case folder or recording, a
 * session file. All of them are sessions; the commands know no difference.
 */
import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EngineSession } from '../core/engine/engineSession.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import type { OperatorProfile } from '../shared/model/profile.ts';
import type { ParsedArgs } from './args.ts';
import { nearest } from './args.ts';
import { fail } from './check.ts';
import { openEngine } from './engine.ts';
import { exitCode } from './exitCodes.ts';
import type { Io } from './io.ts';
import { clean } from './output.ts';

export interface Target {
  readonly session: EngineSession;
  readonly operator: OperatorProfile;
  /** The moment that is shown, ms. */
  readonly asOf: number;
  /** What was not read, or could not be, a sentence each. */
  readonly notes: readonly string[];
}

/** Flags that say something about a live cluster only. */
const liveOnly = [
  'kubeconfig',
  'context',
  'namespace',
  'for',
  'sync-timeout',
  'log',
  'metrics',
  'audit',
] as const;

/** Opens TARGET, finds the operator under debug and gives the exit code of `use`. */
export async function withTarget(args: ParsedArgs, io: Io, use: (target: Target) => number): Promise<number> {
  const [given] = args.positionals;
  const look = (session: EngineSession, notes: readonly string[]): number => {
    const operator = underDebug(session, args.text('operator'));
    if (!operator.ok) return fail(operator.error, io);
    return use({ session, operator: operator.value, asOf: session.clock.now(), notes });
  };
  if (given === undefined) {
    const { watchLive } = await import('./watchLive.ts');
    return watchLive(args, io, {
      fail: (problem) => fail(problem, io),
      onSession(session) {
        // Its kinds are watched whole from then on.
        const wanted = args.text('operator');
        const choose = () => {
          if (wanted !== undefined) underDebug(session, wanted);
        };
        session.operators.onChange.on(choose);
        choose();
      },
      use({ session, unfinished }) {
        session.operators.inferNow();
        session.shadows.settle();
        session.verdicts.judgeNow();
        return look(session, unfinished);
      },
    });
  }
  const misplaced = liveOnly.find((flag) => args.has(flag));
  if (misplaced !== undefined) {
    io.note(`loopscope: --${misplaced} is for a live cluster; ${clean(given)} holds its own data.`);
    return exitCode.usage;
  }
  const path = resolve(io.cwd, given);
  const about = statOf(path);
  if (about === 'unreadable')
    return fail(
      {
        code: 'target-unreadable',
        message: `${given} cannot be read. Check its path, links and permissions.`,
      },
      io,
    );
  if (about === undefined)
    return fail(
      { code: 'target-missing', message: `There is no folder or session ${given}. Check the path.` },
      io,
    );
  return about.isDirectory()
    ? lookAtFolder(given, path, args, io, look)
    : lookAtSession(given, path, args, io, look);
}

/** Undefined where nothing is there; a loop of links, a name too long, or a folder that may not be entered cannot be read. */
function statOf(path: string): Stats | 'unreadable' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'unreadable';
  }
}

type Look = (session: EngineSession, notes: readonly string[]) => number;

async function lookAtFolder(
  given: string,
  path: string,
  args: ParsedArgs,
  io: Io,
  look: Look,
): Promise<number> {
  const { openFolder } = await import('../core/node/openTarget.ts');
  const node = openEngine(args, io, { record: 'memory' });
  const interrupted = new AbortController();
  const listening = io.onInterrupt(() => interrupted.abort());
  try {
    const opened = await openFolder(path, {
      host: node.host,
      profilePath: profilePath(args, io),
      choose: (operators) => {
        const wanted = args.text('operator');
        const named = wanted === undefined ? [] : operatorsCalled(operators, wanted);
        return named.length === 1 ? named[0]?.id : undefined;
      },
      signal: interrupted.signal,
    });
    if (!opened.ok)
      return fail({ ...opened.error, message: opened.error.message.replaceAll(path, given) }, io);
    const { session, problems } = opened.value;
    try {
      return look(session, skipped(problems));
    } finally {
      session.dispose();
    }
  } finally {
    listening.dispose();
    node.dispose();
  }
}

async function lookAtSession(
  given: string,
  path: string,
  args: ParsedArgs,
  io: Io,
  look: Look,
): Promise<number> {
  if (!path.endsWith('.loopscope'))
    return fail(
      {
        code: 'target-wrong',
        message: `${given} is neither a folder nor a session (those end in .loopscope). A single file goes into a folder under its name there: operator.log, cluster.yaml, watch.jsonl, audit.jsonl, metrics.txt.`,
      },
      io,
    );
  const node = openEngine(args, io, { record: 'memory' });
  const interrupted = new AbortController();
  const listening = io.onInterrupt(() => {
    interrupted.abort();
    node.engine.cancel();
  });
  try {
    const opened = await node.engine.openFile(path);
    if (!opened.ok) return fail(opened.error, io);
    const profile = profilePath(args, io);
    if (profile !== undefined) {
      const loaded = await node.engine.loadProfile(profile);
      if (!loaded.ok) return fail({ ...loaded.error, code: 'profile-invalid' }, io);
    }
    const session = node.engine.session();
    if (session === undefined)
      return fail({ code: 'cancelled', message: 'Interrupted while it was read.' }, io);
    session.traces.settle();
    return look(session, []);
  } finally {
    listening.dispose();
    node.dispose();
  }
}

function profilePath(args: ParsedArgs, io: Io): string | undefined {
  const given = args.text('profile');
  return given === undefined ? undefined : resolve(io.cwd, given);
}

function skipped(
  problems: readonly { readonly file: string; readonly line?: number; readonly text: string }[],
) {
  const byFile = new Map<string, number>();
  for (const { file } of problems) byFile.set(file, (byFile.get(file) ?? 0) + 1);
  return [...byFile].map(([file, count]) => {
    const { line, text = '' } = problems.find((problem) => problem.file === file) ?? {};
    const first = `${line === undefined ? '' : `line ${line}: `}${text}`;
    return `${count === 1 ? 'A part' : `${count} parts`} of ${file} could not be read and ${count === 1 ? 'was' : 'were'} skipped (${first}).`;
  });
}

/** The operator the session is about: the one that is named, or the only one there is. */
export function underDebug(
  { operators }: Pick<EngineSession, 'operators'>,
  wanted: string | undefined,
): Result<OperatorProfile, Problem> {
  const all = operators.all();
  const names = all.map(nameOf);
  if (wanted === undefined) {
    const chosen = operators.profile();
    if (chosen !== undefined) return ok(chosen);
    if (all.length === 0)
      return err({
        code: 'no-operator',
        message:
          'No operator was found: no workload here has rights on, or writes, custom resources. A loopscope.yaml that says what it reconciles can be given with --profile.',
      });
    return err({
      code: 'target-operator',
      message: `Several operators are here: ${names.join(', ')}. Name one with --operator.`,
    });
  }
  const found = operatorsCalled(all, wanted);
  const [only, ...more] = found;
  if (only === undefined || more.length > 0) {
    const hint = nearest(wanted, names);
    const known = names.length === 0 ? 'None was found.' : `There are: ${names.join(', ')}.`;
    return err({
      code: 'target-operator',
      message:
        only === undefined
          ? `There is no operator ${wanted}. ${hint === undefined ? '' : `Did you mean ${hint}? `}${known}`
          : `${wanted} could be ${found.map(nameOf).join(' or ')}. Give its namespace too.`,
    });
  }
  if (operators.profile()?.id !== only.id) operators.choose(only.id);
  return ok(operators.profile() ?? only);
}

function operatorsCalled(all: readonly OperatorProfile[], name: string): readonly OperatorProfile[] {
  return all.filter(
    (one) => nameOf(one) === name || one.name === name || one.id === name || one.workload?.value === name,
  );
}

/** `namespace/name`, as --operator takes it. */
export function nameOf({ name, namespace, identity }: OperatorProfile): string {
  const where = namespace ?? identity.value.serviceAccount?.namespace ?? '';
  return where === '' ? name : `${where}/${name}`;
}

/** The name of a controller of the operator that --controller gives; every one without it. */
export function chosenControllers(
  { operator }: Pick<Target, 'operator'>,
  wanted: string | undefined,
): Result<readonly string[], Problem> {
  const names = operator.controllers.map(({ name }) => name);
  if (wanted === undefined) return ok(names);
  if (names.includes(wanted)) return ok([wanted]);
  const hint = nearest(wanted, names);
  return err({
    code: 'target-controller',
    message: `${operator.name} has no controller ${wanted}. ${hint === undefined ? '' : `Did you mean ${hint}? `}It has: ${names.join(', ')}.`,
  });
}
