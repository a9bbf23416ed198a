/**
 * PredictionLedger: the predictions of a session as rows, one table a controller. While records are told again, rows come
 * from what is on record alone: a prediction is never made anew. Spec: docs/spec/playback.md (PB20–PB22).
 */
import { parseJson } from '../../shared/base/json.ts';
import type { PredictionRow } from '../../shared/contract/api.ts';
import { RowTable } from '../../shared/contract/rowTable.ts';
import type { Prediction, PredictionOutcome } from '../../shared/model/queue.ts';
import type { Recorder } from '../session/recorder.ts';
import { self } from './watchRecords.ts';

export interface PredictionLedger {
  table(controller: string): RowTable<PredictionRow>;
  /** Puts it on record, then shows it. */
  predicted(prediction: Prediction, now: number): void;
  /** Of a prediction that is on record; those of a replayed past are not. */
  resolved(outcome: PredictionOutcome, now: number): void;
  /** A record that is told again. */
  retold(kind: 'prediction' | 'outcome', payload: string): void;
  has(prediction: Prediction): boolean;
  /** Those without an outcome that are `moot`: nobody was there to see it. */
  supersedeOpen(now: number, because: string, isMoot: (prediction: Prediction) => boolean): void;
}

/** Rows kept for the window; the session has them all. */
const shown = 2000;

export function createPredictionLedger(recorder: Recorder, replaying: () => boolean): PredictionLedger {
  const tables = new Map<string, RowTable<PredictionRow>>();

  function table(controller: string): RowTable<PredictionRow> {
    let found = tables.get(controller);
    if (found === undefined) {
      found = new RowTable<PredictionRow>((row) => row.prediction.id);
      tables.set(controller, found);
    }
    return found;
  }

  function show(prediction: Prediction): void {
    const rows = table(prediction.controller);
    rows.set({ prediction });
    if (rows.size <= shown) return;
    const oldest = rows.first();
    if (oldest !== undefined) rows.delete(oldest.prediction.id);
  }

  function record(kind: 'prediction' | 'outcome', at: number, now: number, value: unknown): void {
    recorder.record({
      kind,
      source: self,
      at: { lo: at, hi: at },
      receivedAt: now,
      payload: JSON.stringify(value),
    });
  }

  function resolved(outcome: PredictionOutcome, now: number): void {
    if (replaying()) return;
    const rows = table(outcome.controller);
    const row = rows.get(outcome.predictionId);
    if (row === undefined || row.outcome !== undefined) return;
    record('outcome', outcome.at, now, outcome);
    rows.set({ ...row, outcome });
  }

  return {
    table,
    resolved,
    predicted(prediction, now) {
      if (replaying()) return;
      record('prediction', prediction.madeAt, now, prediction);
      show(prediction);
    },
    retold(kind, payload) {
      const value = parseJson(payload);
      if (typeof value !== 'object' || value === null) return;
      if (kind === 'prediction') {
        show(value as Prediction);
        return;
      }
      const outcome = value as PredictionOutcome;
      const rows = table(outcome.controller);
      const row = rows.get(outcome.predictionId);
      if (row !== undefined) rows.set({ ...row, outcome });
    },
    has: ({ controller, id }) => table(controller).get(id) !== undefined,
    supersedeOpen(now, because, isMoot) {
      for (const rows of tables.values())
        for (const { prediction, outcome } of rows.rows) {
          if (outcome !== undefined || !isMoot(prediction)) continue;
          const { id, controller, key } = prediction;
          resolved({ kind: 'superseded', predictionId: id, controller, key, at: now, because }, now);
        }
    },
  };
}
