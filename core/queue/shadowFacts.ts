/** What facts about reconciles mean to the parts of a shadow queue. Pure. */
import type { Prediction, RunEvidence } from '../../shared/model/queue.ts';
import type { ReconcileOutcome } from './controller.ts';
import { nsFromMs } from './duration.ts';
import type { RunLine } from './runCounts.ts';
import type { ReconcileEnded, ReconcileSeen } from './shadowTypes.ts';

/** The fact as a line about a run, for the counts. */
export function runLine(
  fact: ReconcileSeen,
  says: RunLine['says'],
  result?: ReconcileEnded['result'],
): RunLine {
  const { key, at, reconcileId, precisionMs = 0 } = fact;
  return { key, reconcileId, at, precisionMs, says, result };
}

/** What the controller's result rules take of it. */
export function outcomeOf(fact: ReconcileEnded): ReconcileOutcome {
  const durationNs = 0n;
  switch (fact.result) {
    case 'error':
    case 'terminal':
      return { durationNs, failure: { kind: fact.result, message: '' } };
    case 'requeue':
      return { durationNs, requeue: true };
    case 'requeueAfter':
      return { durationNs, requeueAfterNs: nsFromMs(fact.afterMs ?? 0) };
    case 'success':
      return { durationNs };
  }
}

/** What silence means: a success, if errors are logged and the failures of the key were counted rightly. */
export function whyUnobserved(prediction: Prediction, evidence: RunEvidence): string {
  if (evidence !== 'errors') return 'no line came';
  const sure = prediction.basis.kind !== 'inferred' || prediction.basis.by === 'queue/backoff';
  return sure
    ? 'no error line came: it succeeded'
    : 'no error line came: it succeeded, or its failures were counted wrongly';
}
