/**
 * The spans as they are shown: which run made what woke them, what is settled, which revision changed them. Spec:
 * docs/spec/traces.md [TR17], [TR26]
 */
import type { Span, Trigger } from '../../shared/model/trace.ts';
import { observedStart } from './finish.ts';
import type { MadeSpan, TriggerLink } from './keyBook.ts';
import { sameSpan } from './sameSpan.ts';
import { StartEstimates } from './startEstimates.ts';
import type { SpansChange } from './traceTypes.ts';

interface Entry {
  span: Span;
  readonly made: MadeSpan;
}

export class PublishedSpans {
  private readonly entries = new Map<string, Entry>();
  /** Run that made a write, by the write's names. */
  private readonly writers = new Map<string | number, string>();
  /** Spans with a trigger of that name. */
  private readonly waiting = new Map<string | number, Set<string>>();
  private readonly unsettled = new Set<string>();
  private changed = new Set<string>();
  private sorted: readonly Span[] | undefined;
  private watermark = -Infinity;
  private revision = 0;
  private source: string | undefined;
  /** What lies before this was settled when the revision began. */
  private settledBefore = -Infinity;
  private readonly starts: StartEstimates;
  /** Span before, by the one that followed it. */
  private readonly before = new Map<string, string>();

  constructor(workersOf: (controller: string) => number) {
    this.starts = new StartEstimates(workersOf);
  }

  revise(revision: number, source: string): void {
    this.revision = revision;
    this.source = source;
    this.settledBefore = this.watermark;
  }

  settle(watermark: number): void {
    this.watermark = watermark;
    for (const id of this.unsettled) {
      const entry = this.entries.get(id);
      if (entry === undefined || settledAt(entry.span) > watermark) continue;
      entry.span = { ...entry.span, provisional: false };
      this.unsettled.delete(id);
      this.touch(id);
    }
  }

  get(id: string): Span | undefined {
    return this.entries.get(id)?.span;
  }

  newestFirst(): readonly Span[] {
    this.sorted ??= [...this.entries.values()].map((entry) => entry.span).sort(compareNewest);
    return this.sorted;
  }

  /** What changed since the last call. */
  changes(): SpansChange {
    const upserts: Span[] = [];
    const removed: string[] = [];
    for (const id of this.changed) {
      const entry = this.entries.get(id);
      if (entry === undefined) removed.push(id);
      else upserts.push(entry.span);
    }
    this.changed = new Set();
    return { upserts, removed };
  }

  update(upserts: readonly MadeSpan[], removed: readonly Span[]): void {
    const moved = new Set<string | number>();
    const others = new Set<string>();
    for (const span of removed) {
      this.starts.replace(this.entries.get(span.id)?.made.span, undefined, others);
      this.take(span.id, moved);
    }
    for (const made of upserts) this.take(made.span.id, moved, false);
    for (const made of upserts) {
      this.starts.replace(this.entries.get(made.span.id)?.made.span, made.span, others);
      const following = made.span.next?.span;
      if (following !== undefined) this.before.set(following, made.span.id);
      for (const name of made.wrote) {
        this.writers.set(name, made.span.id);
        moved.add(name);
      }
      for (const link of made.links)
        for (const name of link.names) {
          const spans = this.waiting.get(name) ?? new Set<string>();
          spans.add(made.span.id);
          this.waiting.set(name, spans);
        }
    }
    const fresh = new Set<string>();
    for (const made of upserts) {
      fresh.add(made.span.id);
      this.publish(made);
    }
    for (const name of moved)
      for (const id of this.waiting.get(name) ?? []) if (!fresh.has(id)) others.add(id);
    for (const id of others) {
      if (fresh.has(id)) continue;
      const entry = this.entries.get(id);
      if (entry !== undefined) this.publish(entry.made);
    }
  }

  /** Takes a span's names away, and the span itself if it is gone. */
  private take(id: string, moved: Set<string | number>, gone = true): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    for (const name of entry.made.wrote)
      if (this.writers.get(name) === id) {
        this.writers.delete(name);
        moved.add(name);
      }
    for (const link of entry.made.links)
      for (const name of link.names) {
        const spans = this.waiting.get(name);
        spans?.delete(id);
        if (spans?.size === 0) this.waiting.delete(name);
      }
    if (!gone) return;
    this.entries.delete(id);
    this.before.delete(id);
    this.unsettled.delete(id);
    this.touch(id);
  }

  private publish(made: MadeSpan): void {
    const { id } = made.span;
    const old = this.entries.get(id)?.span;
    let span = this.followed(this.starts.narrowed(this.linked(made)));
    const provisional = settledAt(span) > this.watermark;
    if (span.provisional !== provisional) span = { ...span, provisional };
    if (old !== undefined && sameSpan(old, span)) {
      this.entries.set(id, { span: old, made });
      return;
    }
    const settledAlready = old === undefined ? settledAt(span) <= this.settledBefore : !old.provisional;
    const revisedBy = this.source !== undefined && settledAlready ? this.source : undefined;
    span = { ...span, revision: this.revision, ...(revisedBy === undefined ? {} : { revisedBy }) };
    this.entries.set(id, { span, made });
    if (provisional) this.unsettled.add(id);
    else this.unsettled.delete(id);
    this.touch(id);
    if (old === undefined || old.start.lo !== span.start.lo || old.start.hi !== span.start.hi) {
      const earlier = this.entries.get(this.before.get(id) ?? '');
      if (earlier?.made.span.next?.span === id) this.publish(earlier.made);
    }
  }

  /** What followed, as it is shown. */
  private followed(span: Span): Span {
    const { next } = span;
    const start = next?.span === undefined ? undefined : this.entries.get(next.span)?.span.start;
    if (next === undefined || start === undefined) return span;
    return { ...span, next: { ...next, ...observedStart(start) } };
  }

  private linked({ span, links }: MadeSpan): Span {
    let list: Trigger[] | undefined;
    for (const { index, names } of links as readonly TriggerLink[]) {
      const writer = names.map((name) => this.writers.get(name)).find((id) => id !== undefined);
      const trigger = span.triggerList[index];
      if (writer === undefined || trigger === undefined || trigger.writer?.span === writer) continue;
      list ??= [...span.triggerList];
      const { manager = '', subresource = '' } = trigger.writer ?? {};
      list[index] = { ...trigger, writer: { manager, subresource, own: true, span: writer } };
    }
    if (list === undefined) return span;
    const writer = list[0]?.writer;
    const named = span.trigger !== undefined && writer !== undefined;
    return {
      ...span,
      ...(named ? { trigger: { ...span.trigger, writer } } : {}),
      triggerList: list,
    };
  }

  private touch(id: string): void {
    this.changed.add(id);
    this.sorted = undefined;
  }
}

function settledAt(span: Span): number {
  return span.end === undefined ? Infinity : Math.max(span.end.hi, span.start.hi);
}

function compareNewest(a: Span, b: Span): number {
  return b.start.hi - a.start.hi || b.start.lo - a.start.lo || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
