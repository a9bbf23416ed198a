/**
 * When runs began whose start nobody tells, as well as all runs of their controller together show: not before a worker was
 * free, right after what woke them, about as long before their end as its runs last. A function of the set of spans: what
 * one key alone allows is given, and only narrowed here. Spec: docs/spec/traces.md [TR28]–[TR30]
 */
import type { Basis } from '../../shared/model/basis.ts';
import type { Span, Within } from '../../shared/model/trace.ts';
import { bounds } from './shapes.ts';

interface End {
  readonly at: number;
  readonly id: string;
  readonly key: string;
}

/** A span whose start is narrowed, by the latest it can have started. */
interface Open {
  readonly at: number;
  readonly lo: number;
  readonly id: string;
}

/** Upper ends of the steps that durations count in, ms. */
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;
const leastSamples = 5;
/** A start as narrow as this needs no estimate, and shows how long runs last, ms. */
const narrowMs = 25;

class Controller {
  readonly ends: End[] = [];
  readonly open: Open[] = [];
  /** No start of an open one lies further before the latest it can be, ms. */
  widest = 0;
  private readonly counts = new Array<number>(steps.length).fill(0);
  private total = 0;

  count(ms: number | undefined, by: 1 | -1): void {
    if (ms === undefined) return;
    const found = steps.findIndex((most) => ms <= most);
    const index = found < 0 ? steps.length - 1 : found;
    this.counts[index] = (this.counts[index] ?? 0) + by;
    this.total += by;
  }

  /** Nine of ten runs are over in this time; undefined: too few are known. */
  get usualMs(): number | undefined {
    if (this.total < leastSamples) return undefined;
    let sum = 0;
    for (const [index, count] of this.counts.entries()) {
      sum += count;
      if (sum * 10 >= this.total * 9) return Math.max(narrowMs, steps[index] ?? narrowMs);
    }
    return undefined;
  }
}

export class StartEstimates {
  private readonly controllers = new Map<string, Controller>();
  private readonly workersOf: (controller: string) => number;

  constructor(workersOf: (controller: string) => number) {
    this.workersOf = workersOf;
  }

  /** `old` goes, `now` comes; `touched` takes the ids of others whose start that may move. */
  replace(old: Span | undefined, now: Span | undefined, touched: Set<string>): void {
    const name = now?.controller ?? old?.controller;
    if (name === undefined) return;
    let controller = this.controllers.get(name);
    if (controller === undefined) {
      controller = new Controller();
      this.controllers.set(name, controller);
    }
    const usual = controller.usualMs;
    if (old !== undefined) this.put(controller, old, -1, touched);
    if (now !== undefined) this.put(controller, now, 1, touched);
    if (controller.usualMs !== usual) for (const { id } of controller.open) touched.add(id);
  }

  /** The span with its start, wait and duration as narrow as can be told. */
  narrowed(span: Span): Span {
    if (!isOpen(span)) return span;
    const controller = this.controllers.get(span.controller);
    if (controller === undefined) return span;
    const { lo, hi } = span.start;
    let from = lo;
    let basis: Basis | undefined;
    // [TR28] One worker: no two runs of the controller overlap.
    const free = this.workersOf(span.controller) === 1 ? lastBefore(controller.ends, span) : undefined;
    if (free !== undefined && free.at > from) {
      from = free.at;
      basis = { kind: 'inferred', by: 'worker', because: [] };
    }
    const [first] = span.triggerList;
    const isEvent = first?.basis.kind === 'inferred' && first.basis.by === 'event';
    const usual = controller.usualMs;
    if (isEvent) {
      // [TR29] The operator hears of an event about when we do.
      const heard = Math.min(first.at.lo - bounds.receiptSlack, hi);
      if (heard > from) {
        from = heard;
        basis = { kind: 'inferred', by: 'trigger', because: first.seq === undefined ? [] : [first.seq] };
      }
    } else if (usual !== undefined && hi - from > usual && !isDue(span)) {
      // [TR30] It lasted about as long as others did.
      from = Math.max(from, Math.min(hi, span.end?.lo ?? hi) - usual);
      basis = { kind: 'inferred', by: 'duration', because: [] };
    }
    if (basis === undefined) return span;
    return withStart(span, { lo: from, hi }, basis);
  }

  private put(controller: Controller, span: Span, by: 1 | -1, touched: Set<string>): void {
    if (span.endBasis?.kind === 'reported' && span.end !== undefined) {
      const end = { at: span.end.lo, id: span.id, key: span.key };
      if (by > 0) insert(controller.ends, end);
      else drop(controller.ends, end);
      if (this.workersOf(span.controller) === 1) this.touchOver(controller, end.at, touched);
    }
    controller.count(durationOf(span), by);
    if (!isOpen(span)) return;
    const open = { at: span.start.hi, lo: span.start.lo, id: span.id };
    if (by > 0) {
      insert(controller.open, open);
      controller.widest = Math.max(controller.widest, open.at - open.lo);
    } else drop(controller.open, open);
  }

  /** Those that can have started before `at` and after it. */
  private touchOver({ open, widest }: Controller, at: number, touched: Set<string>): void {
    for (let index = place(open, at); index < open.length; index += 1) {
      const one = open[index];
      if (one === undefined || one.at - widest > at) return;
      if (one.lo < at) touched.add(one.id);
    }
  }
}

/** Its end is told and its start is not, nor known to some ms anyway. */
function isOpen(span: Span): boolean {
  const { start, startBasis, endBasis } = span;
  return startBasis.kind === 'inferred' && endBasis?.kind === 'reported' && start.hi - start.lo > narrowMs;
}

/** Since when it was due is known, not only what it followed. What is listed waits for its turn behind all the others. */
function isDue(span: Span): boolean {
  const [first] = span.triggerList;
  if (first === undefined) return false;
  switch (first.type) {
    case 'unseen':
    case 'initial':
    case 'relist':
      return false;
    default:
      return first.at.hi < span.start.hi && span.start.hi - first.at.lo <= bounds.longestWait;
  }
}

/** How long it took, where that is known to some ms. */
function durationOf({ start, end, endBasis }: Span): number | undefined {
  if (end === undefined || endBasis?.kind !== 'reported') return undefined;
  if (start.hi - start.lo > narrowMs || end.hi - end.lo > narrowMs) return undefined;
  return Math.max(0, end.hi - start.lo);
}

/** The last end of another key's run that lies before the latest this one can have started. */
function lastBefore(ends: readonly End[], span: Span): End | undefined {
  for (let index = place(ends, span.start.hi) - 1; index >= 0; index -= 1) {
    const end = ends[index];
    if (end === undefined || end.at <= span.start.lo) return undefined;
    if (end.key !== span.key) return end;
  }
  return undefined;
}

function withStart(span: Span, start: Within, startBasis: Basis): Span {
  const { waitMs, end, triggerList, durationMs } = span;
  const due = triggerList[0]?.at;
  const unsure =
    durationMs === undefined || end === undefined ? 0 : durationMs.hi - Math.max(0, end.hi - span.start.lo);
  return {
    ...span,
    start,
    startBasis,
    ...(waitMs === undefined || due === undefined
      ? {}
      : { waitMs: { lo: Math.max(0, start.lo - due.hi), hi: Math.max(0, start.hi - due.lo) } }),
    ...(end === undefined
      ? {}
      : { durationMs: { lo: Math.max(0, end.lo - start.hi), hi: Math.max(0, end.hi - start.lo) + unsure } }),
  };
}

/** Index of the first one at `at` or later. */
function place(sorted: readonly { readonly at: number }[], at: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? Infinity) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert<T extends { readonly at: number; readonly id: string }>(sorted: T[], one: T): void {
  sorted.splice(place(sorted, one.at), 0, one);
}

function drop<T extends { readonly at: number; readonly id: string }>(sorted: T[], one: T): void {
  for (let index = place(sorted, one.at); sorted[index]?.at === one.at; index += 1)
    if (sorted[index]?.id === one.id) {
      sorted.splice(index, 1);
      return;
    }
}
