/**
 * `loopscope queue --json`: the model of each controller's queue. As in `trace`: times are RFC 3339, a basis is one word,
 * objects are `Kind/namespace/name`, what is not known is null. Shape: docs/spec/cli.md
 */
import type { PredictionRow } from '../shared/contract/api.ts';
import type { ModelCheck } from '../shared/contract/views/traces.ts';
import type { ObjectKey } from '../shared/model/ids.ts';
import type { QueueSnapshot, Wake } from '../shared/model/queue.ts';
import type { ControllerQueue } from './queue.ts';
import { isoTime, subjectOf } from './traceJson.ts';

/** One JSON document with a newline at its end. */
export function queueJson(queues: readonly ControllerQueue[], asOf: number): string {
  const document = { format: 1, asOf: isoTime(asOf), controllers: queues.map(controllerJson) };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function controllerJson({ name, view, predictions, check }: ControllerQueue) {
  const { snapshot, doubt, reason } = view;
  return {
    name,
    reason: reason ?? null,
    queue: snapshot === undefined ? null : snapshotJson(snapshot),
    doubt: doubt ?? null,
    predictions: predictions.map(predictionJson),
    check: checkJson(check),
  };
}

function snapshotJson(snapshot: QueueSnapshot) {
  return {
    at: isoTime(snapshot.at),
    kind: snapshot.kind,
    workers: snapshot.workers,
    startedAt: timeOrNull(snapshot.startedAt),
    evidence: snapshot.evidence,
    depth: snapshot.depth,
    waitingTotal: snapshot.waitingTotal ?? snapshot.waiting.length,
    ready: snapshot.ready.map((row) => ({
      key: row.key,
      priority: row.priority,
      since: isoTime(row.since),
      inQueueMs: row.inQueueMs,
      wokenBy: wakeJson(row.wokenBy),
      events: row.events,
      locked: row.locked,
      raisedFrom: row.raisedFrom ?? null,
    })),
    processing: snapshot.processing.map((row) => ({
      key: row.key,
      priority: row.priority,
      since: isoTime(row.since),
      runningMs: row.runningMs,
      usualMs: row.usualMs ?? null,
      wokenBy: wakeJson(row.wokenBy),
      events: row.events,
      basis: row.basis.kind,
    })),
    waiting: snapshot.waiting.map((row) => ({
      key: row.key,
      priority: row.priority,
      readyAt: isoTime(row.readyAt),
      delayMs: row.delayMs,
      since: isoTime(row.since),
      why: row.why,
      failures: row.failures,
      nextDelayMs: row.nextDelayMs,
      basis: row.basis.kind,
    })),
    failures: snapshot.failures.map((row) => ({
      key: row.key,
      failures: row.failures,
      certain: row.certain,
      lastErrorAt: timeOrNull(row.lastErrorAt),
      lastError: row.lastError ?? null,
      nextDelayMs: row.nextDelayMs,
      nextRunAt: timeOrNull(row.nextRunAt),
    })),
    totals: snapshot.totals,
    limiterStepsMs: snapshot.limiterStepsMs,
    backoff: snapshot.backoff.map((sample) => ({ ...sample, at: isoTime(sample.at) })),
  };
}

function wakeJson({ kind, text, subject }: Wake) {
  return { kind, text, subject: subject === undefined ? null : subjectOf(subject as ObjectKey) };
}

function predictionJson({ prediction, outcome }: PredictionRow) {
  const { id, key, why, attempt, delayMs, madeAt, runsAt, predictedAt, basis } = prediction;
  return {
    id,
    key,
    why,
    attempt,
    delayMs,
    madeAt: isoTime(madeAt),
    runsAt: isoTime(runsAt),
    predictedAt: isoTime(predictedAt),
    basis: basis.kind,
    outcome:
      outcome === undefined
        ? null
        : {
            kind: outcome.kind,
            at: isoTime(outcome.at),
            observedAt: 'observedAt' in outcome ? isoTime(outcome.observedAt) : null,
            errorMs: 'errorMs' in outcome ? outcome.errorMs : null,
            because: 'because' in outcome ? outcome.because : null,
          },
  };
}

function checkJson({ from, to, rows, reason }: ModelCheck) {
  return {
    from: timeOrNull(from),
    to: timeOrNull(to),
    reason: reason ?? null,
    rows: rows.map(({ name, model, reported, inside }) => ({
      name,
      model,
      reported: reported ?? null,
      inside: inside ?? null,
    })),
  };
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : isoTime(ms);
}
