/**
 * Which of several controllers that reconcile one key made a write: the one whose run was going on. From lines with a
 * reconcileID, as far as they are there. Pure; spec: docs/spec/revisions.md, EV8
 */
import type { LineEvidence } from './traceTypes.ts';

interface GoingOn {
  readonly id: string;
  from: number;
  to: number;
  /** Error that it ended with. */
  error: string;
}

/** Costs in ms: how much later than its run a write may be heard of before another run is as likely. */
const cost = {
  /** Nothing is answered so soon after a run began. */
  early: 5,
  earlyMs: 2.5,
  /** It ended in a conflict on the object: what was heard of in its second half was another's. */
  conflict: 20,
  /** Further from a run than this a write is none of it. */
  most: 100,
  /** Less than this apart two are alike. */
  alike: 2,
} as const;
/** Runs of one key that began this long before are not looked at. */
const longestMs = 60_000;

export class RunsGoingOn {
  private readonly runs = new Map<string, GoingOn[]>();
  private readonly byId = new Map<string, GoingOn>();

  /** True where it tells of a beginning or an end. */
  add(line: LineEvidence): boolean {
    const { reconcileId, says, at } = line;
    if (reconcileId === undefined || says === 'within' || at.hi - at.lo > 10) return false;
    let run = this.byId.get(reconcileId);
    if (run === undefined) {
      run = { id: reconcileId, from: at.lo, to: Infinity, error: '' };
      this.byId.set(reconcileId, run);
      const name = `${line.controller}\n${line.key}`;
      const list = this.runs.get(name) ?? [];
      this.runs.set(name, list);
      let index = list.length;
      while (index > 0 && isAfter(list[index - 1], run)) index -= 1;
      list.splice(index, 0, run);
    }
    if (says === 'started') run.from = Math.min(run.from, at.lo);
    else {
      run.to = run.to === Infinity ? at.hi : Math.max(run.to, at.hi);
      run.error = line.error ?? run.error;
    }
    return true;
  }

  /** The one of `controllers` that clearly made a write of `object` (its name), heard of at `at`. */
  writerOf(controllers: readonly string[], key: string, object: string, at: number): string | undefined {
    const ranked = controllers
      .map((controller) => ({ controller, cost: this.costOf(`${controller}\n${key}`, object, at) }))
      .sort((a, b) => a.cost - b.cost);
    const [best, second] = ranked;
    if (best === undefined || best.cost > cost.most) return undefined;
    return second !== undefined && second.cost - best.cost < cost.alike ? undefined : best.controller;
  }

  private costOf(name: string, object: string, at: number): number {
    const list = this.runs.get(name) ?? [];
    let least = Infinity;
    for (let index = list.length - 1; index >= 0; index -= 1) {
      const run = list[index];
      if (run === undefined || run.from < at - longestMs) break;
      if (run.from > at) continue;
      const late = Math.max(0, at - run.to);
      const early = at - run.from < cost.earlyMs ? cost.early : 0;
      const conflict =
        at > (run.from + run.to) / 2 &&
        run.error.includes('the object has been modified') &&
        run.error.includes(`"${object}"`)
          ? cost.conflict
          : 0;
      least = Math.min(least, late + early + conflict);
    }
    return least;
  }
}

function isAfter(a: GoingOn | undefined, b: GoingOn): boolean {
  return a !== undefined && (a.from > b.from || (a.from === b.from && a.id > b.id));
}
