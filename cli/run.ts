/**
 * `loopscope run -- CMD`: the operator as a child process, with its log, its process, its metrics port and its identity
 * attached without set-up. Ctrl-C ends the child first, then Loopscope. With --json there is no window: what was found
 * is printed when the child ends, and the child's own output goes to standard error.
 */
import { resolve } from 'node:path';
import type { LiveSession } from '../core/engine/liveSession.ts';
import { type ChildExit, type RunningChild, startChild } from '../core/node/childProcess.ts';
import type { NodeEngine } from '../core/node/createNodeEngine.ts';
import { findMetricsUrls } from '../core/node/listeningPorts.ts';
import { readProjectFolder } from '../core/node/projectFolder.ts';
import { sleep } from '../shared/base/clock.ts';
import { sourceId } from '../shared/model/ids.ts';
import type { ParsedArgs } from './args.ts';
import { fail, finish } from './check.ts';
import { createChildFeed } from './childFeed.ts';
import { attachFeeds, attachMetrics, chosenContext, connect, openEngine } from './engine.ts';
import { exitCode, exitCodeOfProblem } from './exitCodes.ts';
import { followIdentity } from './identity.ts';
import type { Io } from './io.ts';
import { clean, everyRule } from './output.ts';
import { offerFurtherLinks, openWindow } from './window.ts';

/** How long the operator gets to end by itself, ms. */
const graceMs = 15_000;
/** For the first sync, when the child ended before it, ms. */
const syncWaitMs = 30_000;
/** The metrics port opens some time after the start, or never. */
const metricsSearchMs = 120_000;

export async function runChild(args: ParsedArgs, io: Io): Promise<number> {
  const [command, ...rest] = args.trailing;
  if (command === undefined)
    return fail({ code: 'child-not-found', message: 'run needs a command: loopscope run -- make run' }, io);
  const json = args.has('json');
  const node = openEngine(args, io, { record: json ? 'memory' : 'file' });
  const say = (line: string) => io.note(line);
  const ending = new AbortController();
  let child: RunningChild | undefined;
  const kill = () => child?.kill();
  process.once('exit', kill);
  try {
    const context = chosenContext(node, args);
    if (!context.ok) return fail(context.error, io);
    const project = readProjectFolder(io.cwd);
    const attached = await attachFeeds(node, args, { profilePath: project.profilePath, withLog: false });
    if (!attached.ok) return fail(attached.error, io);

    const feed = createChildFeed(args.trailing.join(' '));
    node.engine.attach({ kind: 'child', label: args.trailing.join(' '), start: (sink) => feed.start(sink) });
    const started = await startChild({
      command,
      args: rest,
      clock: node.host.clock,
      cwd: io.cwd,
      env: childEnvironment(args, io),
      stdout: json ? process.stderr : process.stdout,
      stderr: process.stderr,
      onLines: (lines) => feed.lines(lines),
      onGap: (text, at) => feed.gap(text, at),
    });
    if (!started.ok) return fail(started.error, io);
    child = started.value;
    const exit = child.exit.then((end) => {
      feed.end(exitText(end));
      return end;
    });
    recordProcess(node, child, exit);

    const interrupts = followInterrupts(io, child, say);
    const window = json ? undefined : await openWindow(node, args, io, say);
    if (window !== undefined && !window.ok) {
      await child.stop(graceMs);
      return fail(window.error, io);
    }
    const stopOffering = window === undefined ? () => undefined : offerFurtherLinks(window.value, io, say);
    const connected = connect(node, args).then((session) => {
      if (session.ok) followIdentity(session.value, project, node.engine.connection().user, say);
      else say(`loopscope: ${clean(session.error.message)}`);
      return session;
    });
    if (attached.value.metrics === undefined) void attachFoundMetrics(node, child, ending.signal, say);

    const end = await exit;
    say(`loopscope: the operator ${exitText(end)}.`);
    if (window !== undefined && !args.has('exit-with-child')) {
      say(`The window stays. Ctrl-C${interrupts.asked ? ' again' : ''} ends it.`);
      await interrupts.ended;
    }
    ending.abort();
    stopOffering();
    if (window !== undefined) await window.value.close();
    const session = await connected;
    // It was said when it happened.
    if (!session.ok) return exitCodeOfProblem(session.error);
    // A child that was quick: the cluster is read once before it is judged.
    if (json && !interrupts.asked) await untilSynced(node, session.value, interrupts.ended);
    interrupts.dispose();
    return judge(node, session.value, end, interrupts.asked, args, io);
  } finally {
    ending.abort();
    process.off('exit', kill);
    child?.kill();
    node.engine.dispose();
  }
}

async function untilSynced(node: NodeEngine, session: LiveSession, ended: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([session.synced(), sleep(node.host.clock, syncWaitMs, done.signal), ended]);
  done.abort();
}

/** The child reads the same kubeconfig as we do. */
function childEnvironment(args: ParsedArgs, io: Io): Readonly<Record<string, string | undefined>> {
  const kubeconfig = args.text('kubeconfig');
  return kubeconfig === undefined ? io.env : { ...io.env, KUBECONFIG: resolve(io.cwd, kubeconfig) };
}

function judge(
  node: NodeEngine,
  session: LiveSession,
  end: ChildExit,
  weEndedIt: boolean,
  args: ParsedArgs,
  io: Io,
): number {
  const unread = session.watching.giveUp();
  session.verdicts.judgeNow();
  const { findings, notEvaluated } = session.verdicts.findings();
  const asOf = new Date(node.host.clock.now()).toISOString();
  const missing = unread.map((name) => ({
    rule: everyRule,
    reason: `${name} was not read by the time the operator ended; what rests on it was not judged.`,
  }));
  const code = finish({ asOf, findings, notEvaluated: [...missing, ...notEvaluated] }, args, io);
  // An operator that fell over by itself is not a clean run.
  return code === exitCode.clean && !weEndedIt && end.code !== 0 ? exitCode.failed : code;
}

function exitText(end: ChildExit): string {
  return end.signal === undefined ? `ended with code ${end.code ?? '?'}` : `was ended by ${end.signal}`;
}

interface Interrupts {
  /** The child ended because somebody asked for it. */
  readonly asked: boolean;
  /** Settles when Loopscope itself is asked to end. */
  readonly ended: Promise<void>;
  dispose(): void;
}

/** First Ctrl-C: passed to the child. A second kills it. Once it is gone, Ctrl-C ends us. A supervisor asks once for both. */
function followInterrupts(io: Io, child: RunningChild, say: (line: string) => void): Interrupts {
  const ended = Promise.withResolvers<void>();
  let asked = 0;
  let running = true;
  void child.exit.then(() => {
    running = false;
  });
  const listening = io.onInterrupt((signal) => {
    if (!running) {
      ended.resolve();
      return;
    }
    asked++;
    if (asked > 1) {
      child.kill();
      return;
    }
    say('loopscope: ending the operator; Ctrl-C again kills it.');
    if (signal === 'SIGINT') child.signal('SIGINT');
    else void child.stop(graceMs).then(() => ended.resolve());
  });
  return {
    get asked() {
      return asked > 0;
    },
    ended: ended.promise,
    dispose: () => listening.dispose(),
  };
}

/** Start and end of the process as records of each session. */
function recordProcess(node: NodeEngine, child: RunningChild, exit: Promise<ChildExit>): void {
  let ended: ChildExit | undefined;
  const record = (session: LiveSession, event: 'started' | 'exited', at: number, exitCode?: number) =>
    session.recorder.record({
      kind: 'process',
      source: sourceId('child'),
      at: { lo: at, hi: at },
      receivedAt: at,
      payload: JSON.stringify({ event, pid: child.pid, ...(exitCode === undefined ? {} : { exitCode }) }),
    });
  node.engine.onLive.on((session) => {
    if (session === undefined) return;
    record(session, 'started', child.startedAt);
    if (ended !== undefined) record(session, 'exited', ended.at, ended.code);
  });
  void exit.then((end) => {
    ended = end;
    const session = node.engine.live();
    if (session !== undefined) record(session, 'exited', end.at, end.code);
  });
}

async function attachFoundMetrics(
  node: NodeEngine,
  child: RunningChild,
  ending: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const { clock } = node.host;
  let gone = false;
  void child.exit.then(() => {
    gone = true;
  });
  const until = clock.monotonic() + metricsSearchMs;
  while (!gone && clock.monotonic() < until) {
    const urls = await findMetricsUrls(child.pid);
    if (urls === undefined) {
      say('loopscope: the metrics port cannot be found on this system; give it with --metrics URL.');
      return;
    }
    const [url] = urls;
    if (url !== undefined) {
      attachMetrics(node, url);
      say(`loopscope: metrics found at ${url}.`);
      return;
    }
    if (!(await sleep(clock, 1_000, ending))) return;
  }
}
