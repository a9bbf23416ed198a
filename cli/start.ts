/** `loopscope start` and `loopscope open FILE`: the window, on the desktop or in the browser, until it ends or Ctrl-C. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { NodeEngine } from '../core/node/createNodeEngine.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import type { ParsedArgs } from './args.ts';
import { fail } from './check.ts';
import { choosePlace, electronArguments, type Machine, runDesktop, thisMachine } from './desktop.ts';
import { attachFeeds, chosenContext, openEngine, planFeeds } from './engine.ts';
import { exitCode } from './exitCodes.ts';
import type { Io } from './io.ts';
import { offerFurtherLinks, openWindow } from './window.ts';

/** What an interrupt gives a shell. */
const interruptedCode = 130;

interface Asked {
  readonly session?: string;
  /** '' is the first. */
  readonly demo?: string;
}

export async function runOpen(args: ParsedArgs, io: Io): Promise<number> {
  if (args.positionals[0] === undefined)
    return fail({ code: 'target-missing', message: 'open needs a file: loopscope open FILE.loopscope' }, io);
  return runStart(args, io);
}

export async function runStart(args: ParsedArgs, io: Io, machine: Machine = thisMachine()): Promise<number> {
  const read = whatToOpen(args, io.cwd);
  if (!read.ok) return fail(read.error, io);
  const asked = read.value;
  const { session, demo } = asked;
  // With a context named, the window connects by itself; else it shows what there is to choose.
  const node = openEngine(args, io, {
    record: 'file',
    autoConnect: args.has('context') || args.has('namespace'),
    ...(session !== undefined ? { autoOpen: { session: resolve(io.cwd, session) } } : {}),
    ...(demo !== undefined ? { autoOpen: { demo } } : {}),
  });
  try {
    const checked = await check(node, args, asked);
    if (!checked.ok) return fail(checked.error, io);
    const place = await choosePlace(args, io, machine);
    if (!place.ok) return fail(place.error, io);
    let why: string;
    switch (place.value.kind) {
      case 'stopped':
        io.note('Stopped. Nothing half-done was left.');
        return interruptedCode;
      case 'browser':
        why = place.value.why;
        break;
      case 'desktop': {
        io.note(
          `Loopscope opens in a desktop window.${args.has('electron') ? '' : ' --browser opens it in the browser.'}`,
        );
        const words = electronArguments(args, checked.value, (path) => resolve(io.cwd, path));
        const end = await runDesktop(place.value.binary, words, io, machine);
        if (end.kind === 'ended') return end.code;
        if (args.has('electron')) {
          const message = `The desktop window did not come up: ${end.why}. --browser opens the same in the browser.`;
          return fail({ code: 'no-electron', message }, io);
        }
        why = `the desktop window did not come up: ${end.why}`;
        break;
      }
    }
    io.note(`Loopscope opens in the browser: ${why}.`);
    return await serveUntilInterrupted(node, args, io);
  } finally {
    node.engine.dispose();
  }
}

/** What the arguments name, as far as it can be judged without the engine. */
function whatToOpen(args: ParsedArgs, cwd: string): Result<Asked, Problem> {
  const [session] = args.positionals;
  const demo = args.text('demo');
  const wrong = (message: string) => err({ code: 'target-wrong', message });
  const other = ['context', 'namespace', 'log', 'audit', 'metrics'].find((name) => args.has(name));
  if (session === undefined && demo === undefined) return ok({});
  if (session !== undefined && demo !== undefined)
    return wrong(`--demo shows a recorded incident, and ${session} is a session: choose one.`);
  if (other !== undefined) {
    const what = session ?? 'A recorded incident';
    return wrong(`${what} is looked at as it was recorded: leave --${other} out.`);
  }
  if (session === undefined) return ok({ demo: demo ?? '' });
  if (!session.endsWith('.loopscope'))
    return wrong(
      `${session} is no session: those end in .loopscope. A case folder is judged by loopscope check ${session}`,
    );
  const found = statSync(resolve(cwd, session), { throwIfNoEntry: false });
  if (found === undefined) return wrong(`There is no session ${session}.`);
  if (!found.isFile()) return wrong(`${session} is a folder and no session.`);
  return ok({ session });
}

/** Everything that was named must be there, before anything is shown, fetched or contacted. */
async function check(node: NodeEngine, args: ParsedArgs, asked: Asked): Promise<Result<Asked, Problem>> {
  if (args.has('context')) {
    const context = chosenContext(node, args);
    if (!context.ok) return context;
  }
  const feeds = await planFeeds(node, args);
  if (!feeds.ok) return feeds;
  if (asked.demo === undefined) return ok(asked);
  const ids = node.host.demos.list().map(({ id }) => id);
  const [first] = ids;
  if (first === undefined)
    return err({
      code: 'no-demo',
      message: 'No recorded incidents came with this Loopscope (assets/demo is empty).',
    });
  if (asked.demo === '') return ok({ demo: first });
  if (ids.includes(asked.demo)) return ok(asked);
  return err({
    code: 'target-demo',
    message: `There is no recorded incident ${asked.demo}. There are: ${ids.join(', ')}.`,
  });
}

async function serveUntilInterrupted(node: NodeEngine, args: ParsedArgs, io: Io): Promise<number> {
  const interrupted = new Promise<void>((resolve) => {
    let again = false;
    io.onInterrupt(() => {
      if (again) process.exit(interruptedCode);
      again = true;
      resolve();
    });
  });
  const say = (line: string) => io.out(`${line}\n`);
  const attached = await attachFeeds(node, args);
  if (!attached.ok) return fail(attached.error, io);
  const window = await openWindow(node, args, io, say);
  if (!window.ok) return fail(window.error, io);
  const stopOffering = offerFurtherLinks(window.value, io, say);
  await interrupted;
  stopOffering();
  await window.value.close();
  return exitCode.clean;
}
