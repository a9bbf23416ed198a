/**
 * `loopscope check` without TARGET: reads the cluster to its first full sync, watches it for a while, judges, and leaves
 * no session behind. A sync that takes too long, or Ctrl-C: what is there is judged, and what is missing is named. A second
 * Ctrl-C gives up.
 */
import type { LiveSession } from '../core/engine/liveSession.ts';
import type { NodeEngine } from '../core/node/createNodeEngine.ts';
import { sleep } from '../shared/base/clock.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import type { NotEvaluated } from '../shared/model/finding.ts';
import type { ParsedArgs } from './args.ts';
import { fail, finish } from './check.ts';
import { attachFeeds, chosenContext, connect, openEngine } from './engine.ts';
import type { Io } from './io.ts';
import { clean, everyRule, type Report } from './output.ts';

const defaultForMs = 10_000;
const defaultSyncTimeoutMs = 60_000;
/** Contact that stays lost before the first sync is done is a failure, ms. */
const lostForTooLongMs = 30_000;

export async function checkLive(args: ParsedArgs, io: Io): Promise<number> {
  const node = openEngine(args, io, { record: 'memory' });
  const interrupted = new AbortController();
  const listening = io.onInterrupt(() => {
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  });
  try {
    const context = chosenContext(node, args);
    if (!context.ok) return fail(context.error, io);
    const attached = await attachFeeds(node, args);
    if (!attached.ok) return fail(attached.error, io);
    const connected = await untilInterrupted(connect(node, args), interrupted.signal);
    if (connected === undefined)
      return fail({ code: 'cancelled', message: 'Interrupted while connecting.' }, io);
    if (!connected.ok) return fail(connected.error, io);
    if (!args.has('json')) io.note(connectedLine(node));
    const report = await watchAndJudge(
      node,
      connected.value,
      {
        forMs: args.number('for') ?? defaultForMs,
        syncTimeoutMs: args.number('sync-timeout') ?? defaultSyncTimeoutMs,
      },
      interrupted.signal,
    );
    return report.ok ? finish(report.value, args, io) : fail(report.error, io);
  } finally {
    listening.dispose();
    node.engine.dispose();
  }
}

function connectedLine({ engine }: NodeEngine): string {
  const { context = '', version = '', user = '' } = engine.connection();
  return `${clean(context)}: Kubernetes ${clean(version)} as ${clean(user)}. Reading only.`;
}

async function watchAndJudge(
  node: NodeEngine,
  session: LiveSession,
  { forMs, syncTimeoutMs }: { readonly forMs: number; readonly syncTimeoutMs: number },
  interrupted: AbortSignal,
): Promise<Result<Report, Problem>> {
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
  const unfinished = outcome === 'synced' ? [] : [missing(session, outcome, syncTimeoutMs)];
  if (outcome === 'synced') await sleep(clock, forMs, interrupted);
  session.verdicts.judgeNow();
  const { findings, notEvaluated } = session.verdicts.findings();
  return ok({
    asOf: new Date(clock.now()).toISOString(),
    findings,
    notEvaluated: [...unfinished, ...notEvaluated],
  });
}

/** Ends the wait for first lists and names what it leaves out, for all rules. */
function missing(
  session: LiveSession,
  why: 'late' | 'interrupted' | undefined,
  syncTimeoutMs: number,
): NotEvaluated {
  const names = session.watching.giveUp();
  const when =
    why === 'late' ? `not read within ${syncTimeoutMs / 1000} s` : 'interrupted before it was read';
  const more = names.length > 8 ? ` and ${names.length - 8} more` : '';
  const what = names.length === 0 ? 'a part of the cluster' : `${names.slice(0, 8).join(', ')}${more}`;
  const hint = why === 'late' ? ' Wait longer with --sync-timeout.' : '';
  return { rule: everyRule, reason: `${when}: ${what}; what rests on it was not judged.${hint}` };
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
