/**
 * What the model of each queue would have predicted while the files of a folder were written: its records are told to it
 * one after another, so that each prediction rests on what came before it alone. Only the profile (which controllers, which
 * limiter) is known from the whole. In a recorded session predictions are records of their time; a folder has none.
 */
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { Prediction, PredictionOutcome } from '../../shared/model/queue.ts';
import { ShadowQueue } from '../queue/shadowQueue.ts';
import type { RecordInput, SessionLog } from '../session/record.ts';
import { createControllerSources, type ResolveResource } from './controllerSources.ts';
import { collectSteps } from './shadowSteps.ts';
import { self } from './watchRecords.ts';

/** Records of predictions and outcomes, in the order in which they were known; `at` is when, receipt is `asOf`. */
export function folderPredictions(
  log: SessionLog,
  profile: OperatorProfile,
  resolve: ResolveResource,
  asOf: number,
): readonly RecordInput[] {
  const records: RecordInput[] = [];
  const add = (kind: 'prediction' | 'outcome', at: number, value: Prediction | PredictionOutcome) =>
    records.push({
      kind,
      source: self,
      at: { lo: at, hi: at },
      receivedAt: asOf,
      payload: JSON.stringify(value),
    });
  for (const controller of profile.controllers) {
    const sources = createControllerSources(controller, resolve);
    const collecting = collectSteps(log, controller, sources, profile.fieldManagers.value);
    let step = collecting.next();
    while (step.done !== true) step = collecting.next();
    const queue = new ShadowQueue({
      profile: controller,
      at: step.value[0]?.at ?? asOf,
      idPrefix: `${controller.name}/folder/`,
      onPrediction: (prediction) => add('prediction', prediction.madeAt, prediction),
      onOutcome: (outcome) => add('outcome', outcome.at, outcome),
    });
    for (const one of step.value) one.apply(queue);
    queue.advanceTo(asOf);
  }
  return records.sort((a, b) => a.at.lo - b.at.lo);
}
