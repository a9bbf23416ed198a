/**
 * The live cluster of the current context, for commands that look once: read to its first full sync, watched for a while.
 * A sync that takes too long, or Ctrl-C: what is there counts, and what is missing is named. A second Ctrl-C gives up.
 * No session is left behind.
 */
import type { LiveSession } from '../core/engine/liveSession.ts';
import type { NodeEngine } from '../core/node/createNodeEngine.ts';
import { sleep } from '../shared/base/clock.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import type { ParsedArgs } from './args.ts';
import { attachFeeds, chosenContext, connect, openEngine } from './engine.ts';
import type { Io } from './io.ts';
import { clean } from './output.ts';

const defaultForMs = 10_000;
const defaultSyncTimeoutMs = 60_000;
/** Contact that stays lost before the first sync is done is a failure, ms. */
const lostForTooLongMs = 30_000;

export interface WatchedCluster {
  readonly node: NodeEngine;
  readonly session: LiveSession;
  /** What was not read in time, a sentence each. */
  readonly unfinished: readonly string[];
}

export interface WatchLiveOptions {
  /** The session has begun: what must be set before the cluster is read. */
  readonly onSession?: (session: LiveSession) => void;
  readonly use: (watched: WatchedCluster) => number;
  readonly fail: (problem: Problem) => number;
}

/** Connects, watches as long as --for says, and hands over what is there. Gives the exit code. */
export async function watchLive(args: ParsedArgs, io: Io, options: WatchLiveOptions): Promise<number> {
  const { fail } = options;
  const node = openEngine(args, io, { record: 'memory' });
  const interrupted = new AbortController();
  const listening = io.onInterrupt(() => {
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  });
  try {
    const context = chosenContext(node, args);
    if (!context.ok) return fail(context.error);
    const attached = await attachFeeds(node, args);
    if (!attached.ok) return fail(attached.error);
    const connected = await untilInterrupted(connect(node, args), interrupted.signal);
    if (connected === undefined) return fail({ code: 'cancelled', message: 'Interrupted while connecting.' });
    if (!connected.ok) return fail(connected.error);
    const session = connected.value;
    options.onSession?.(session);
    if (!args.has('json')) io.note(connectedLine(node));
    const watched = await watch(
      node,
      session,
      {
        forMs: args.number('for') ?? defaultForMs,
        syncTimeoutMs: args.number('sync-timeout') ?? defaultSyncTimeoutMs,
      },
      interrupted.signal,
    );
    return watched.ok ? options.use({ node, session, unfinished: watched.value }) : fail(watched.error);
  } finally {
    listening.dispose();
    node.engine.dispose();
  }
}

function connectedLine({ engine }: NodeEngine): string {
  const { context = '', version = '', user = '' } = engine.connection();
  return `${clean(context)}: Kubernetes ${clean(version)} as ${clean(user)}. Reading only.`;
}

async function watch(
  node: NodeEngine,
  session: LiveSession,
  { forMs, syncTimeoutMs }: { readonly forMs: number; readonly syncTimeoutMs: number },
  interrupted: AbortSignal,
): Promise<Result<readonly string[], Problem>> {
  const { clock } = node.host;
  const reading = new AbortController();
  const outcome = await Promise.race([
    session.synced().then(() => 'synced' as const),
    whenAborted(interrupted).then(() => 'interrupted' as const),
    whenLostForLong(node, reading.signal),
    sleep(clock, syncTimeoutMs, reading.signal).then(() => 'late' as const),
  ]);
  reading.abort();
  if (typeof outcome === 'object') return err(outcome);
  if (outcome !== 'synced') return ok([missing(session, outcome, syncTimeoutMs)]);
  await sleep(clock, forMs, interrupted);
  return ok([]);
}

/** Ends the wait for first lists and names what it leaves out. */
function missing(
  session: LiveSession,
  why: 'late' | 'interrupted' | undefined,
  syncTimeoutMs: number,
): string {
  const names = session.watching.giveUp();
  const when =
    why === 'late' ? `not read within ${syncTimeoutMs / 1000} s` : 'interrupted before it was read';
  const more = names.length > 8 ? ` and ${names.length - 8} more` : '';
  const what = names.length === 0 ? 'a part of the cluster' : `${names.slice(0, 8).join(', ')}${more}`;
  const hint = why === 'late' ? ' Wait longer with --sync-timeout.' : '';
  return `${when}: ${what}; what rests on it was not judged.${hint}`;
}

/** The problem, once contact has been lost for too long. Undefined when `reading` ended before. */
async function whenLostForLong(node: NodeEngine, reading: AbortSignal): Promise<Problem | undefined> {
  const { clock } = node.host;
  while (await sleep(clock, 500, reading)) {
    const { phase, lost, problem, server = 'the cluster' } = node.engine.connection();
    if (phase === 'failed') return problem ?? { code: 'unreachable', message: `${server} cannot be read.` };
    if (phase === 'lost' && lost !== undefined && clock.now() - lost.since > lostForTooLongMs)
      return problem ?? { code: 'unreachable', message: `Contact with ${server} was lost while reading it.` };
  }
  return undefined;
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined));
  });
}

function untilInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return Promise.race([work, whenAborted(signal)]);
}
