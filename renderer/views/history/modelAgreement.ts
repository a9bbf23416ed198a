/** How well the model of a queue agrees with what its metrics report. Pure. */
import type { ModelCheck } from '../../../shared/contract/views/traces.ts';

export type ModelCheckRow = ModelCheck['rows'][number];

export interface Agreement {
  /** 0 … 1: the part of what was reported that the model allows. */
  readonly share: number;
  /** Rows whose report lies outside, farthest first. */
  readonly outside: readonly ModelCheckRow[];
  /** Of the widest interval, as a part of what it is about; 0: every figure is exact. */
  readonly width: number;
}

/** Undefined where nothing was reported that could be compared. */
export function agreementOf(rows: readonly ModelCheckRow[]): Agreement | undefined {
  const told = rows.filter((row) => row.reported !== undefined);
  if (told.length === 0) return undefined;
  let off = 0;
  let all = 0;
  let width = 0;
  for (const row of told) {
    const { lo, hi } = row.model;
    off += Math.abs(offBy(row) ?? 0);
    all += Math.max(row.reported ?? 0, hi);
    if (hi > lo) width = Math.max(width, (hi - lo) / Math.max(1, hi, row.reported ?? 0));
  }
  return {
    share: all === 0 ? 1 : Math.max(0, 1 - off / all),
    outside: told
      .filter((row) => offBy(row) !== 0)
      .sort((a, b) => Math.abs(offBy(b) ?? 0) - Math.abs(offBy(a) ?? 0)),
    width,
  };
}

/** By how much the report lies above (+) or below (−) the interval; 0 inside; undefined without a report. */
export function offBy({ model, reported }: ModelCheckRow): number | undefined {
  if (reported === undefined) return undefined;
  if (reported > model.hi) return reported - model.hi;
  return reported < model.lo ? reported - model.lo : 0;
}

/** `99.7 %`. Rounded down: only what agrees wholly is 100 %. */
export function percentText(share: number): string {
  const tenths = Math.floor(share * 1000 + 1e-9) / 10;
  return `${tenths} %`;
}
