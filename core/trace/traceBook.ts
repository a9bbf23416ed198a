/**
 * TraceBook: evidence of one operator to its spans. Keeps what holds for a controller or the process as a whole, hands
 * evidence to the key it is about, and derives dirty keys a stretch at a time. Pure. Spec: docs/spec/traces.md
 */
import type { Span, TraceWrite } from '../../shared/model/trace.ts';
import { KeyBook } from './keyBook.ts';
import { LagMedian } from './lagMedian.ts';
import { type Lives, livesFrom, type ProcessMark } from './lives.ts';
import { outsideWrite } from './outside.ts';
import { PublishedSpans } from './published.ts';
import type { ControllerFacts, Item, KeyContext, KeyPiece } from './shapes.ts';
import type {
  Evidence,
  GapEvidence,
  ProcessEvidence,
  SpansChange,
  TraceBook,
  TraceKnobs,
  WriteEvidence,
} from './traceTypes.ts';

/** A book, and how much work it did: for proofs. */
export interface CountingTraceBook extends TraceBook {
  /** Pieces of evidence looked at by all derivations so far. */
  readonly visited: number;
}

/** Spans of `evidence` in one go, newest first. `watermark`: default the latest time in it. */
export function assembleTraces(
  evidence: readonly Evidence[],
  knobs: TraceKnobs,
  watermark?: number,
): readonly Span[] {
  const book = createTraceBook(knobs);
  let latest = -Infinity;
  for (const piece of evidence) {
    latest = Math.max(latest, piece.at.hi);
    book.add(piece);
  }
  book.settle(watermark ?? latest);
  return book.spans();
}

export function createTraceBook(knobs: TraceKnobs): CountingTraceBook {
  return new Book(knobs);
}

interface ControllerCounts {
  starts: number;
  quietEnds: number;
  lines: number;
  /** Lines of a reconcile that are no error. */
  infos: number;
  writes: number;
}

const noCounts: ControllerCounts = { starts: 0, quietEnds: 0, lines: 0, infos: 0, writes: 0 };

class Book implements CountingTraceBook {
  visited = 0;
  private knobs: TraceKnobs;
  private readonly keys = new Map<string, KeyBook>();
  private readonly dirty = new Set<KeyBook>();
  private readonly counts = new Map<string, ControllerCounts>();
  private facts = new Map<string, ControllerFacts>();
  private readonly published = new PublishedSpans(
    (name) => this.knobs.controllers.find(({ controller }) => controller === name)?.workers ?? 0,
  );
  private readonly lag = new LagMedian();
  private lagMs = this.lag.bucketMs;
  /** Medians that the present evidence was derived with: none twice, so that it comes to an end. */
  private readonly lagsTried = new Set<number>();
  private process: ProcessEvidence[] = [];
  private gaps: GapEvidence[] = [];
  private noKey: WriteEvidence[] = [];
  private lives: Lives | undefined;
  private audits = 0;
  private firstSign = Infinity;
  private firstSignGone = false;
  private watermark = -Infinity;
  /** Keys whose spans change when the watermark passes, with the time. */
  private readonly due = new Map<KeyBook, number>();

  constructor(knobs: TraceKnobs) {
    this.knobs = knobs;
  }

  get waiting(): number {
    return this.dirty.size;
  }

  add(evidence: Evidence): void {
    this.lagsTried.clear();
    this.count(evidence, 1);
    switch (evidence.evidence) {
      case 'process':
        if (this.process.some((other) => samePiece(other, evidence))) return;
        this.process.push(evidence);
        this.processChanged(evidence);
        return;
      case 'gap':
        if (this.gaps.some((other) => samePiece(other, evidence))) return;
        this.gaps.push(evidence);
        this.invalidate(evidence.at.lo);
        return;
      default:
        this.addToKey(evidence);
    }
  }

  remove(evidence: Evidence): void {
    this.lagsTried.clear();
    this.count(evidence, -1);
    switch (evidence.evidence) {
      case 'process':
        this.process = this.process.filter((other) => !samePiece(other, evidence));
        this.processChanged(evidence);
        return;
      case 'gap':
        this.gaps = this.gaps.filter((other) => !samePiece(other, evidence));
        this.invalidate(evidence.at.lo);
        return;
      default:
    }
    if (evidence.evidence === 'write' && isOutside(evidence)) {
      this.noKey = this.noKey.filter((other) => other.seq !== evidence.seq);
      return;
    }
    const item = this.itemOf(evidence);
    if (item.lo <= this.firstSign) this.firstSignGone = true;
    const book = this.keys.get(nameOf(evidence));
    book?.remove(item);
    if (book !== undefined) this.dirty.add(book);
  }

  setKnobs(knobs: TraceKnobs): void {
    this.knobs = knobs;
    this.facts = new Map();
    this.lives = undefined;
    const pieces: KeyPiece[] = [];
    for (const book of this.keys.values()) for (const item of book.pieces()) pieces.push(item.piece);
    // Skew moves every time: the keys are built anew, and what was shown goes where they do not show it again.
    for (const book of this.keys.values()) book.clear();
    this.firstSign = Infinity;
    for (const piece of pieces) this.addToKey(piece);
    for (const book of this.keys.values()) this.dirty.add(book);
  }

  settle(watermark: number): void {
    if (!(watermark > this.watermark)) return;
    this.watermark = watermark;
    for (const [book, at] of this.due) {
      if (at > watermark) continue;
      this.due.delete(book);
      book.passed(watermark);
      this.dirty.add(book);
    }
    this.published.settle(watermark);
  }

  revise(revision: number, source: string): void {
    this.published.revise(revision, source);
  }

  some(): boolean {
    if (this.firstSignGone) this.findFirstSign();
    const [book] = this.dirty;
    if (book === undefined) {
      if (!this.lagMoved()) return false;
      this.lagsTried.add(this.lagMs);
      this.lagMs = this.lag.bucketMs;
      this.invalidate();
      return this.dirty.size > 0;
    }
    const diff = book.step(this.contextOf(book));
    if (diff !== undefined) {
      this.visited += diff.visited;
      this.lag.replace(diff.oldLags, diff.lags);
      this.published.update(diff.upserts, diff.removed);
      this.due.delete(book);
      const { dueAt } = book;
      if (dueAt < Infinity) this.due.set(book, dueAt);
      if (!book.dirty) this.dirty.delete(book);
    }
    return this.dirty.size > 0 || this.lagMoved();
  }

  changes(): SpansChange {
    this.finish();
    return this.published.changes();
  }

  changesSoFar(): SpansChange {
    return this.published.changes();
  }

  spans(query: { readonly controller?: string; readonly key?: string } = {}): readonly Span[] {
    this.finish();
    const all = this.published.newestFirst();
    if (query.controller === undefined && query.key === undefined) return all;
    return all.filter(
      (span) =>
        (query.controller === undefined || span.controller === query.controller) &&
        (query.key === undefined || span.key === query.key),
    );
  }

  span(id: string): Span | undefined {
    this.finish();
    return this.published.get(id);
  }

  outside(): readonly { readonly write: TraceWrite; readonly why: string }[] {
    return this.noKey.toSorted((a, b) => a.at.lo - b.at.lo || a.seq - b.seq).map(outsideWrite);
  }

  private lagMoved(): boolean {
    return this.lag.bucketMs !== this.lagMs && !this.lagsTried.has(this.lag.bucketMs);
  }

  private finish(): void {
    while (this.some());
  }

  private addToKey(evidence: KeyPiece): void {
    if (evidence.evidence === 'write' && isOutside(evidence)) {
      if (!this.noKey.some((other) => other.seq === evidence.seq)) this.noKey.push(evidence);
      return;
    }
    const name = nameOf(evidence);
    let book = this.keys.get(name);
    if (book === undefined) {
      book = new KeyBook(evidence.controller, evidence.key);
      this.keys.set(name, book);
    }
    const item = this.itemOf(evidence);
    book.add(item);
    this.dirty.add(book);
    if ((evidence.evidence === 'line' || evidence.evidence === 'write') && item.lo < this.firstSign) {
      this.firstSign = item.lo;
      this.lives = undefined;
      this.invalidate();
    }
  }

  private itemOf(piece: KeyPiece): Item {
    return { piece, ...this.ours(piece) };
  }

  /** By our clock: a source's own stamps may be off by what is not known of its skew. */
  private ours(piece: Evidence): { readonly lo: number; readonly hi: number } {
    if (!piece.ownClock) return { lo: piece.at.lo, hi: piece.at.hi };
    const { ms, errorMs } = this.knobs.skewOf(piece.source);
    // Nothing happens after we heard of it: the reporter's clock is not the one whose skew was measured.
    if (
      piece.evidence === 'event' &&
      piece.at.lo - ms - errorMs > piece.receivedAt &&
      piece.at.lo <= piece.receivedAt
    )
      return { lo: piece.at.lo, hi: Math.min(piece.at.hi, piece.receivedAt) };
    return { lo: piece.at.lo - ms - errorMs, hi: piece.at.hi - ms + errorMs };
  }

  private count(evidence: Evidence, by: 1 | -1): void {
    if (
      evidence.evidence === 'read' ||
      (evidence.evidence === 'write' && evidence.source.startsWith('audit'))
    ) {
      const before = this.audits > 0;
      this.audits += by;
      if (before !== this.audits > 0) this.invalidate();
    }
    if (evidence.evidence !== 'line' && evidence.evidence !== 'write') return;
    const counts = this.counts.get(evidence.controller) ?? { ...noCounts };
    this.counts.set(evidence.controller, counts);
    const before = factsOf(counts);
    if (evidence.evidence === 'write') counts.writes += by;
    else {
      counts.lines += by;
      if (evidence.reconcileId !== undefined && evidence.says === 'within' && isInfo(evidence.level))
        counts.infos += by;
      if (evidence.says === 'started') counts.starts += by;
      if (evidence.says === 'ended' && isQuiet(evidence.result)) counts.quietEnds += by;
    }
    const after = factsOf(counts);
    if (
      before.tellsRuns === after.tellsRuns &&
      before.tellsSome === after.tellsSome &&
      before.tellsEnds === after.tellsEnds &&
      before.hasLog === after.hasLog &&
      before.acts === after.acts
    )
      return;
    this.facts.delete(evidence.controller);
    for (const book of this.keys.values())
      if (book.controller === evidence.controller) {
        book.invalidate();
        this.dirty.add(book);
      }
  }

  private processChanged(evidence: ProcessEvidence): void {
    this.lives = undefined;
    this.invalidate(this.ours(evidence).lo - 60_000);
  }

  private invalidate(from = -Infinity): void {
    for (const book of this.keys.values()) {
      book.invalidate(from);
      this.dirty.add(book);
    }
  }

  private findFirstSign(): void {
    this.firstSignGone = false;
    let first = Infinity;
    for (const book of this.keys.values()) first = Math.min(first, book.firstSign());
    if (first === this.firstSign) return;
    this.firstSign = first;
    this.lives = undefined;
    this.invalidate();
  }

  private contextOf(book: KeyBook): KeyContext {
    let facts = this.facts.get(book.controller);
    if (facts === undefined) {
      const knobs = this.knobs.controllers.find((controller) => controller.controller === book.controller);
      const counts = this.counts.get(book.controller) ?? noCounts;
      facts = { knobs, ...factsOf(counts) };
      this.facts.set(book.controller, facts);
    }
    this.lives ??= livesFrom(
      this.process.map((piece): ProcessMark => ({ piece, ...this.ours(piece) })),
      this.firstSign,
    );
    return {
      controller: book.controller,
      key: book.key,
      facts,
      lives: this.lives,
      lagMs: this.lagMs,
      watermark: this.watermark,
      readsObservable: this.audits > 0,
      gaps: this.gaps.map((gap) => ({ ...this.ours(gap), text: gap.text })),
    };
  }
}

function factsOf(counts: ControllerCounts): Omit<ControllerFacts, 'knobs'> {
  return {
    tellsRuns: counts.starts > 0 || counts.quietEnds > 0,
    tellsSome: counts.infos > 0,
    tellsEnds: counts.quietEnds > 0,
    hasLog: counts.lines > 0,
    acts: counts.lines > 0 || counts.writes > 0,
  };
}

function isInfo(level: string | undefined): boolean {
  return level === 'info' || level === 'debug';
}

/** An end that a log of errors alone does not show. */
function isQuiet(result: string | undefined): boolean {
  return result === 'success' || result === 'requeue' || result === 'requeue-after';
}

function isOutside(evidence: WriteEvidence): boolean {
  return evidence.key === '' || evidence.controller === '';
}

function nameOf(evidence: { readonly controller: string; readonly key: string }): string {
  return `${evidence.controller}\n${evidence.key}`;
}

function samePiece(a: Evidence, b: Evidence): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
