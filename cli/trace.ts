/** `loopscope trace`: what the operator did: its reconciles, why they ran and what they wrote; and why one did not run. */

import { cacheAtStart } from '../core/engine/spanCache.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import { recordSeq } from '../shared/model/ids.ts';
import type { Span, Walk } from '../shared/model/trace.ts';
import type { ParsedArgs } from './args.ts';
import { fail } from './check.ts';
import { exitCode } from './exitCodes.ts';
import type { Io } from './io.ts';
import { clean } from './output.ts';
import { reasonText } from './reasons.ts';
import { chosenControllers, type Target, withTarget } from './target.ts';
import { detailText, momentOfDay, walkText } from './traceDetail.ts';
import { inOrder, traceJson } from './traceJson.ts';
import { findObject, type NamedObject, touches } from './traceObject.ts';
import { traceText } from './traceText.ts';

export async function runTrace(args: ParsedArgs, io: Io): Promise<number> {
  if (args.has('why') && args.has('why-not'))
    return usage('--why asks why something ran, --why-not why it did not: choose one.', io);
  if (args.has('why-not') && !args.has('object'))
    return usage(
      '--why-not needs the object that should have been reconciled: --object Kind/namespace/name.',
      io,
    );
  return withTarget(args, io, (target) => {
    const shown = chosenSpans(target, args);
    if (!shown.ok) return fail(shown.error, io);
    if (!args.has('json')) head(target, shown.value, io);
    if (args.has('why') || args.has('why-not')) {
      const walks = walksOf(target, shown.value, args);
      return walks.ok ? printWalks(walks.value, args, io) : fail(walks.error, io);
    }
    print(target, shown.value, args, io);
    return exitCode.clean;
  });
}

interface Shown {
  readonly spans: readonly Span[];
  readonly controllers: readonly string[];
  readonly object: NamedObject | undefined;
}

/** The runs that --controller and --object leave. */
function chosenSpans(target: Target, args: ParsedArgs): Result<Shown, Problem> {
  const controllers = chosenControllers(target, args.text('controller'));
  if (!controllers.ok) return controllers;
  const names = new Set(controllers.value);
  const all = target.session.traces.spans({}).filter(({ controller }) => names.has(controller));
  const text = args.text('object');
  if (text === undefined) return ok({ spans: all, controllers: controllers.value, object: undefined });
  const object = findObject(target, text, all);
  if (!object.ok) return object;
  const spans = all.filter((span) => touches(span, object.value.key));
  return ok({ spans, controllers: controllers.value, object: object.value });
}

/** Feeds that bring lines of the operator. */
const logKinds: ReadonlySet<string> = new Set(['log', 'stdin', 'child', 'podLog']);

/** Which operator this is about, as of when, and what is missing: beside the result. */
function head(target: Target, { object }: Shown, io: Io): void {
  io.note(`${clean(target.operator.name)}, as of ${momentOfDay(target.asOf)}.`);
  for (const note of target.notes) io.note(`note: ${clean(note)}`);
  const hasLog = target.session.feeds().some(({ kind }) => logKinds.has(kind));
  if (!hasLog)
    io.note('note: without the log of the operator only its writes tell that it ran, and no error is seen.');
  const own = object?.reconciled[0];
  if (object !== undefined && own !== undefined && !object.subject.endsWith(`/${own.key}`))
    io.note(
      `note: ${clean(object.subject)} belongs to the key ${clean(own.key)}; shown are the runs that concern it.`,
    );
}

function print(target: Target, { spans, controllers, object }: Shown, args: ParsedArgs, io: Io): void {
  if (args.has('json')) {
    const { log } = target.session.recorder;
    io.out(traceJson(spans, (seq) => log.head(recordSeq(seq))));
  } else if (object !== undefined && spans.length > 0) {
    const { traces, recorder } = target.session;
    const whole = inOrder(spans).map((span) => ({ ...span, cache: cacheAtStart(span, recorder.log) }));
    io.out(detailText(whole, (write) => traces.changesOf(write.seq)));
  } else io.out(traceText(spans, { width: io.columns, controllers: controllers.length > 1 }));
}

/** Of --why the run that is named, or the newest; of --why-not every controller that would reconcile the object. */
function walksOf(target: Target, shown: Shown, args: ParsedArgs): Result<readonly Walk[], Problem> {
  const { traces } = target.session;
  if (args.has('why-not')) {
    const keys = (shown.object?.reconciled ?? []).filter(({ controller }) =>
      shown.controllers.includes(controller),
    );
    if (keys.length === 0)
      return wrongSpan(
        `${shown.object?.subject ?? ''} is no object that ${target.operator.name} reconciles, and none of those controls it.`,
      );
    return walked(keys.map((key) => traces.walk(key)));
  }
  const span = spanCalled(shown.spans, args.text('why') ?? '');
  if (!span.ok) return span;
  const { id, controller, key } = span.value;
  return walked([traces.walk({ controller, key, span: id })]);
}

function walked(
  views: readonly { readonly walk?: Walk | undefined; readonly reason?: string | undefined }[],
): Result<readonly Walk[], Problem> {
  const walks = views.flatMap(({ walk }) => (walk === undefined ? [] : [walk]));
  if (walks.length > 0) return ok(walks);
  const reason = views[0]?.reason;
  return err({
    code: 'no-walk',
    message: `This cannot be told${reason === undefined ? '' : `: ${reasonText(reason)}`}.`,
  });
}

/** By its id, its reconcileID or the beginning of either, as long as one run is meant; '' is the newest. */
function spanCalled(spans: readonly Span[], id: string): Result<Span, Problem> {
  if (id === '') {
    const newest = inOrder(spans).at(-1);
    return newest === undefined
      ? wrongSpan('No reconcile was seen, so there is none to explain.')
      : ok(newest);
  }
  const exact = spans.find((span) => span.id === id || span.reconcileId === id);
  if (exact !== undefined) return ok(exact);
  const found = spans.filter((span) => span.id.startsWith(id) || span.reconcileId?.startsWith(id) === true);
  const [only] = found;
  if (only !== undefined && found.length === 1) return ok(only);
  return wrongSpan(
    only === undefined
      ? `There is no reconcile ${id} here. loopscope trace --json lists their ids.`
      : `${id} could be ${found.length} reconciles. Give more of it.`,
  );
}

function wrongSpan(message: string): Result<never, Problem> {
  return err({ code: 'target-span', message });
}

function printWalks(walks: readonly Walk[], args: ParsedArgs, io: Io): number {
  if (args.has('json')) io.out(`${JSON.stringify({ format: 1, walks }, undefined, 2)}\n`);
  else io.out(walks.map(walkText).join('\n'));
  return exitCode.clean;
}

function usage(message: string, io: Io): number {
  io.note(`loopscope: ${message}`);
  return exitCode.usage;
}
