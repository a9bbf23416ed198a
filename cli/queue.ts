/** `loopscope queue`: the shadow workqueue of each controller, what it predicted, and how it compares with the metrics. */
import type { PredictionRow, QueueView } from '../shared/contract/api.ts';
import type { ModelCheck } from '../shared/contract/views/traces.ts';
import type { ParsedArgs } from './args.ts';
import { fail } from './check.ts';
import { exitCode } from './exitCodes.ts';
import type { Io } from './io.ts';
import { clean } from './output.ts';
import { queueJson } from './queueJson.ts';
import { queueText } from './queueText.ts';
import { chosenControllers, type Target, withTarget } from './target.ts';
import { momentOfDay } from './traceDetail.ts';

/** All that is known of the queue of one controller. */
export interface ControllerQueue {
  readonly name: string;
  readonly view: QueueView;
  /** Oldest first. */
  readonly predictions: readonly PredictionRow[];
  readonly check: ModelCheck;
}

export async function runQueue(args: ParsedArgs, io: Io): Promise<number> {
  return withTarget(args, io, (target) => {
    const names = chosenControllers(target, args.text('controller'));
    if (!names.ok) return fail(names.error, io);
    const queues = names.value.map((name) => queueOf(target, name));
    if (args.has('json')) {
      io.out(queueJson(queues, target.asOf));
      return exitCode.clean;
    }
    io.note(`${clean(target.operator.name)}, as of ${momentOfDay(target.asOf)}.`);
    for (const note of target.notes) io.note(`note: ${clean(note)}`);
    io.out(queueText(queues, io.columns));
    return exitCode.clean;
  });
}

function queueOf({ session }: Target, name: string): ControllerQueue {
  const predictions = [...session.shadows.predictions(name).rows];
  predictions.sort((a, b) => a.prediction.madeAt - b.prediction.madeAt);
  return {
    name,
    view: session.shadows.view(name),
    predictions,
    check: session.traces.modelCheck(name),
  };
}
