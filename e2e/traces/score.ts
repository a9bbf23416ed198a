/**
 * Scores the spans that the product tells of a run, as `loopscope trace --json` prints them, against what truly happened
 * (docs/spec/scoring.md). Pure: the truth and the spans come from elsewhere, and neither knows of the other.
 */
import type { JsonSpan } from '../../shared/model/traceJson.ts';
import type { TrueError, TrueSpan, TrueWrite, Truth } from './truth.ts';

/** Part of a whole; `of` 0 says nothing was there to be right or wrong about. */
export interface Ratio {
  readonly right: number;
  readonly of: number;
}

export interface Score {
  /** In exactly one span, of the right controller and key and (where the truth knows it) the right reconcile. */
  readonly writes: Ratio;
  /** The same without asking which reconcile of the key it was. */
  readonly writesByKey: Ratio;
  /** Writes that stand in spans and are none of the operator's; told, not barred. */
  readonly notItsOwn: Ratio;
  /** Spans of the product that no reconcile was behind. `of` counts its spans. */
  readonly notHappened: Ratio;
  /** Reconcile errors of the log that are spans with that result. */
  readonly errors: Ratio;
  /** True reconciles that have a span; absent where the run does not tell them. */
  readonly found?: Ratio;
  /** reconcileIDs of the reconciles whose span has a write too many or too few. */
  readonly inDoubt: ReadonlySet<string>;
  /** What is wrong, a sentence each. */
  readonly faults: readonly string[];
}

/** How far a span's stated times may be off for an error of the log to be its, ms: skew is estimated, not known. */
const slackMs = 50;
/** An object that is made again and deleted again so soon is not told apart. */
const deletionSlackMs = 2_000;

export function scoreSpans(truth: Truth, printed: readonly JsonSpan[]): Score {
  const spans = printed.map(toldSpan);
  const faults: string[] = [];
  const matched = matchSpans(truth.spans ?? [], spans);
  const told = indexOf(spans);

  const inDoubt = new Set<string>();
  let byKey = 0;
  let exact = 0;
  for (const write of truth.writes) {
    const holders = told.holdersOf(write);
    const why = wrongPlace(write, holders);
    if (why === undefined) byKey += 1;
    const [holder] = holders;
    const wrong = why ?? (holder === undefined ? undefined : wrongReconcile(write, holder, matched));
    if (wrong === undefined) {
      exact += 1;
      continue;
    }
    faults.push(`${describe(write)}: ${wrong}`);
    for (const id of [write.reconcileId, ...holders.map(({ reconcileId }) => reconcileId)])
      if (typeof id === 'string') inDoubt.add(id);
  }
  const of = truth.writes.length;
  const found =
    truth.spans === undefined ? {} : { found: ratio(new Set(matched.values()).size, truth.spans.length) };
  return {
    writes: ratio(exact, of),
    writesByKey: ratio(byKey, of),
    notItsOwn: notItsOwn(truth.writes, spans, faults),
    notHappened: notHappened(truth, spans, matched, faults),
    errors: errorsFound(truth.errors, spans, faults),
    ...found,
    inDoubt,
    faults,
  };
}

/** A printed span with its times as numbers. */
interface ToldSpan extends Omit<JsonSpan, 'start' | 'end'> {
  readonly start: number;
  /** Infinite while it runs. */
  readonly end: number;
}

function toldSpan(span: JsonSpan): ToldSpan {
  return {
    ...span,
    start: Date.parse(span.start),
    // Printed to the millisecond: it ended within it.
    end: span.end === null ? Number.POSITIVE_INFINITY : Date.parse(span.end) + 1,
  };
}

interface ToldWrites {
  /** Spans that say they did it. */
  holdersOf(write: TrueWrite): readonly ToldSpan[];
}

/** An object has a version once. A deletion is answered with the version that went, and seen with its own: there the time tells. */
function indexOf(spans: readonly ToldSpan[]): ToldWrites {
  const byVersion = new Map<string, ToldSpan[]>();
  const deletions = new Map<string, { readonly span: ToldSpan; readonly at: number }[]>();
  for (const span of spans)
    for (const { subject, verb, resourceVersion, at } of span.writes) {
      if (verb === 'delete') push(deletions, subject, { span, at: Date.parse(at) });
      else push(byVersion, `${subject} ${resourceVersion}`, span);
    }
  return {
    holdersOf({ subject, verb, resourceVersion, at }) {
      if (verb !== 'delete') return byVersion.get(`${subject} ${resourceVersion}`) ?? [];
      const near = (deletions.get(subject) ?? []).filter((one) => Math.abs(one.at - at) <= deletionSlackMs);
      return near.map(({ span }) => span);
    },
  };
}

function notItsOwn(writes: readonly TrueWrite[], spans: readonly ToldSpan[], faults: string[]): Ratio {
  const nameOf = (subject: string, verb: string, version: string | null) =>
    verb === 'delete' ? `delete ${subject}` : `${subject} ${version ?? ''}`;
  const own = new Set(writes.map((one) => nameOf(one.subject, one.verb, one.resourceVersion)));
  let wrong = 0;
  let of = 0;
  for (const { writes: told, controller, key } of spans)
    for (const { subject, verb, resourceVersion, at } of told) {
      of += 1;
      if (own.has(nameOf(subject, verb, resourceVersion))) continue;
      wrong += 1;
      faults.push(
        `not the operator's: ${verb} ${subject} ${resourceVersion ?? ''} at ${at.slice(11, 23)}, told of ${controller} ${key}`,
      );
    }
  return ratio(wrong, of);
}

function wrongPlace(write: TrueWrite, holders: readonly ToldSpan[]): string | undefined {
  const [holder] = holders;
  if (holder === undefined) return 'in no span';
  if (holders.length > 1) return `in ${holders.length} spans`;
  if (holder.key !== write.key) return `in a span of ${holder.controller} ${holder.key}`;
  if (write.controller !== undefined && holder.controller !== write.controller)
    return `in a span of the controller ${holder.controller}`;
  if (write.kind !== undefined && !isOfKind(holder.controller, write.kind))
    return `in a span of the controller ${holder.controller}, which is not on ${write.kind}`;
  return undefined;
}

/** Controllers of a framework that has several on one kind: `issuers`, `certificates-trigger`; by the kind where no name is known. */
function isOfKind(controller: string, kind: string): boolean {
  return controller === kind || controller === `${kind}s` || controller.startsWith(`${kind}s-`);
}

function wrongReconcile(
  write: TrueWrite,
  holder: ToldSpan,
  matched: ReadonlyMap<ToldSpan, TrueSpan>,
): string | undefined {
  if (write.reconcileId === undefined) return undefined;
  if (holder.reconcileId !== null)
    return holder.reconcileId === write.reconcileId ? undefined : `in the reconcile ${holder.reconcileId}`;
  const reconcile = matched.get(holder);
  if (reconcile?.reconcileId === write.reconcileId) return undefined;
  return `in a span of ${clock(holder.start)}, which is ${reconcile === undefined ? 'no reconcile' : `the reconcile of ${clock(reconcile.start)}`}`;
}

/**
 * Which reconcile each span is: by reconcileID, else the one of its controller and key of whose time it covers most, at least
 * half. A reconcile is matched once: by the span that covers most of it.
 */
function matchSpans(truth: readonly TrueSpan[], spans: readonly ToldSpan[]): ReadonlyMap<ToldSpan, TrueSpan> {
  const matched = new Map<ToldSpan, TrueSpan>();
  const byId = new Map(truth.map((span) => [span.reconcileId, span]));
  const taken = new Set<TrueSpan>();
  for (const span of spans) {
    const one = span.reconcileId === null ? undefined : byId.get(span.reconcileId);
    if (one === undefined || one.key !== span.key || one.controller !== span.controller || taken.has(one))
      continue;
    matched.set(span, one);
    taken.add(one);
  }
  const byPlace = new Map<string, TrueSpan[]>();
  for (const one of truth) push(byPlace, `${one.controller} ${one.key}`, one);
  const pairs = spans
    .filter((span) => span.reconcileId === null)
    .flatMap((span) =>
      (byPlace.get(`${span.controller} ${span.key}`) ?? []).map((one) => ({
        span,
        one,
        share: coverage(span, one),
      })),
    )
    .filter(({ share }) => share >= 0.5)
    .sort((a, b) => b.share - a.share || distance(a) - distance(b));
  for (const { span, one } of pairs) {
    if (matched.has(span) || taken.has(one)) continue;
    matched.set(span, one);
    taken.add(one);
  }
  matchRest(matched, pairs);
  return matched;
}

/**
 * Wide spans cover several reconciles wholly, and which of them a span is follows from all of them: a span whose reconcile another
 * one took is matched where the other can be matched elsewhere. Without that it would be said not to have happened.
 */
function matchRest(
  matched: Map<ToldSpan, TrueSpan>,
  pairs: readonly { readonly span: ToldSpan; readonly one: TrueSpan }[],
): void {
  const covered = new Map<ToldSpan, TrueSpan[]>();
  for (const { span, one } of pairs) push(covered, span, one);
  const holder = new Map([...matched].map(([span, one]) => [one, span]));
  const place = (span: ToldSpan, tried: Set<TrueSpan>): boolean => {
    for (const one of covered.get(span) ?? []) {
      if (tried.has(one)) continue;
      tried.add(one);
      const other = holder.get(one);
      if (other !== undefined && !place(other, tried)) continue;
      holder.set(one, span);
      matched.set(span, one);
      return true;
    }
    return false;
  };
  for (const span of covered.keys()) if (!matched.has(span)) place(span, new Set());
}

/** Share of a reconcile that a span covers. */
function coverage(span: ToldSpan, one: TrueSpan): number {
  const lo = Math.max(span.start, one.start);
  const hi = Math.min(span.end, one.end);
  const length = one.end - one.start;
  if (hi < lo) return 0;
  return length === 0 ? 1 : (hi - lo) / length;
}

function distance({ span, one }: { readonly span: ToldSpan; readonly one: TrueSpan }): number {
  return Math.abs(span.start - one.start) + Math.abs(span.end - one.end);
}

function notHappened(
  truth: Truth,
  spans: readonly ToldSpan[],
  matched: ReadonlyMap<ToldSpan, TrueSpan>,
  faults: string[],
): Ratio {
  if (truth.spans !== undefined) {
    const unmatched = spans.filter((span) => !matched.has(span));
    for (const span of unmatched)
      faults.push(
        `no reconcile: ${span.controller} ${span.key} ${clock(span.start)} to ${clock(span.end)} (${span.id})`,
      );
    return ratio(unmatched.length, spans.length);
  }
  // Without the truth of each: more spans than the operator counted reconciles cannot all have happened.
  let extra = 0;
  // Where it is not told which of the controllers on a kind it was, they are counted together.
  const byKind = truth.writes.some(({ kind }) => kind !== undefined);
  const groupOf = (controller: string) => (byKind ? (controller.split('-')[0] ?? '') : controller);
  const totals = new Map<string, number>();
  for (const [controller, total] of truth.reconciles)
    totals.set(groupOf(controller), (totals.get(groupOf(controller)) ?? 0) + total);
  const counts = new Map<string, number>();
  for (const { controller } of spans)
    counts.set(groupOf(controller), (counts.get(groupOf(controller)) ?? 0) + 1);
  for (const [controller, count] of counts) {
    const total = totals.get(controller);
    if (total === undefined || count <= total) continue;
    faults.push(`${count} spans of ${controller}, which reconciled ${total} times`);
    extra += count - total;
  }
  return ratio(extra, spans.length);
}

/** Each error of the log is one span of its key that ended so at that time; each span is one error's. */
function errorsFound(errors: readonly TrueError[], spans: readonly ToldSpan[], faults: string[]): Ratio {
  const failed = spans
    .filter(({ result }) => result === 'error' || result === 'terminal' || result === 'panic')
    .sort((a, b) => a.end - b.end);
  const taken = new Set<ToldSpan>();
  let right = 0;
  for (const error of errors) {
    const one = failed.find((span) => !taken.has(span) && isSpanOf(error, span));
    if (one === undefined) {
      faults.push(
        `the error of ${error.controller ?? 'some controller'} ${error.key ?? ''} at ${clock(error.lo)} is no span`,
      );
      continue;
    }
    taken.add(one);
    right += 1;
  }
  return ratio(right, errors.length);
}

function isSpanOf(error: TrueError, span: ToldSpan): boolean {
  if (error.reconcileId !== undefined && span.reconcileId !== null)
    return error.reconcileId === span.reconcileId;
  if (error.key !== undefined && error.key !== span.key) return false;
  if (error.controller !== undefined && error.controller !== span.controller) return false;
  return span.start - slackMs <= error.hi && error.lo <= span.end + slackMs;
}

function ratio(right: number, of: number): Ratio {
  return { right, of };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function describe({ subject, verb, subresource, resourceVersion, at, key }: TrueWrite): string {
  return `${verb} ${subject}${subresource === '' ? '' : `/${subresource}`} ${resourceVersion} at ${clock(at)} for ${key}`;
}

function clock(ms: number): string {
  return !Number.isFinite(ms) ? '…' : new Date(ms).toISOString().slice(11, 23);
}
