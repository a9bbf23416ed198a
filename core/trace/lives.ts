/**
 * Lives of the operator's process and who leads, from process evidence: when a run can have been at all. Spec:
 * docs/spec/traces.md [TR20]–[TR22]
 */
import type { ProcessEvidence } from './traceTypes.ts';

export interface ProcessMark {
  readonly piece: ProcessEvidence;
  readonly lo: number;
  readonly hi: number;
}

interface Boundary {
  readonly at: number;
  readonly seq: number;
}

export interface Lives {
  /** Number of the life that a moment lies in, from 1. */
  lifeAt(at: number): number;
  /** When that life began, if that was seen, and the record of it. */
  startOf(life: number): Boundary | undefined;
  /** When that life ended, if it did. */
  endOf(life: number): Boundary | undefined;
  /** False where the process was known to be down, or another replica to lead. */
  canRun(at: number): boolean;
  leaderAt(at: number): string | undefined;
  /** "Starting workers" of the controller in that life. */
  workersAt(life: number, controller: string): Boundary | undefined;
  /** When that life was first seen to be up: its start, its workers, or the first it did. */
  upAt(life: number, controller: string): number | undefined;
}

/** A line of the same start that another file tells with a coarser time stamp is no further start, ms. */
const restartMs = 1_000;

/** `firstSign`: the earliest line or write of the operator; a start after it began another life. */
export function livesFrom(marks: readonly ProcessMark[], firstSign: number): Lives {
  const sorted = marks.toSorted(
    (a, b) => a.lo - b.lo || a.piece.seq - b.piece.seq || (a.piece.event < b.piece.event ? -1 : 1),
  );
  /** From each on the next life counts; the process may be down for the first part of it. */
  const begins: { at: number; life: number; up: Boundary | undefined; down: Boundary | undefined }[] = [
    { at: -Infinity, life: 1, up: undefined, down: undefined },
  ];
  const leaders: { at: number; holder: string | undefined; leading: boolean }[] = [];
  const workers: { at: number; seq: number; controller: string | undefined }[] = [];
  const startedAgain = (controller: string | undefined, from: number, now: number): boolean => {
    const before = workers.findLast((mark) => mark.controller === controller)?.at;
    return before !== undefined && before >= from && before < now - restartMs;
  };
  let down = false;
  for (const { piece, lo, hi } of sorted) {
    const life = begins[begins.length - 1];
    if (life === undefined) break;
    switch (piece.event) {
      case 'exited':
        if (down) break;
        life.down = { at: hi, seq: piece.seq };
        begins.push({ at: hi, life: life.life + 1, up: undefined, down: undefined });
        down = true;
        break;
      case 'started':
        if (down) {
          life.up = { at: lo, seq: piece.seq };
          down = false;
        } else if (life.up !== undefined || firstSign < lo) {
          life.down = { at: hi, seq: piece.seq };
          begins.push({ at: lo, life: life.life + 1, up: { at: lo, seq: piece.seq }, down: undefined });
        } else life.up = { at: lo, seq: piece.seq };
        break;
      case 'leading':
      case 'lost':
        leaders.push({ at: lo, holder: piece.holder, leading: piece.event === 'leading' });
        break;
      case 'workers':
        // Where nothing tells of the start of the process itself, its workers do.
        if (down) {
          life.up = { at: lo, seq: piece.seq };
          down = false;
        } else if (startedAgain(piece.controller, life.at, lo)) {
          // It was killed and had no time to say so, or another replica took over.
          life.down = { at: lo, seq: piece.seq };
          begins.push({ at: lo, life: life.life + 1, up: { at: lo, seq: piece.seq }, down: undefined });
        }
        workers.push({ at: lo, seq: piece.seq, controller: piece.controller });
        break;
    }
  }
  const lastDown = down;
  const at = <T extends { readonly at: number }>(list: readonly T[], moment: number): T | undefined => {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.at ?? Infinity) <= moment) low = middle + 1;
      else high = middle;
    }
    return list[low - 1];
  };
  const workersAt = (life: number, controller: string) => {
    const from = begins[life - 1]?.at ?? -Infinity;
    const to = begins[life]?.at ?? Infinity;
    return workers.find((mark) => mark.controller === controller && mark.at >= from && mark.at < to);
  };
  return {
    lifeAt: (moment) => at(begins, moment)?.life ?? 1,
    startOf: (life) => begins[life - 1]?.up,
    endOf: (life) => begins[life - 1]?.down,
    canRun(moment) {
      const life = at(begins, moment);
      if (life !== undefined && life.life > 1) {
        if (life.up === undefined && lastDown) return false;
        if (life.up !== undefined && moment < life.up.at) return false;
      }
      return at(leaders, moment)?.leading ?? true;
    },
    leaderAt(moment) {
      const last = at(leaders, moment);
      return last?.leading === true ? last.holder : undefined;
    },
    workersAt,
    upAt(life, controller) {
      const begin = begins[life - 1]?.up ?? workersAt(life, controller);
      if (begin !== undefined) return begin.at;
      return life === 1 && firstSign < Infinity ? firstSign : undefined;
    },
  };
}
