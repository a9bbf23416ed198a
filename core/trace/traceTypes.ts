/**
 * What the assembler of reconcile traces takes and gives. Facts of every source become small pieces of evidence about one
 * controller; evidence of one key, in the order in which it happened, becomes spans. Pure; spec: docs/spec/traces.md.
 *
 * One law holds it together: the spans are a function of the *set* of evidence and of the knobs, never of the order in
 * which it arrived. Adding evidence derives again only what it can touch (a key, from the last quiet place before it on).
 */
import type { Basis } from '../../shared/model/basis.ts';
import type { ObjectKey, RecordSeq, SourceId } from '../../shared/model/ids.ts';
import type {
  Span,
  SpanResult,
  TraceEvent,
  TraceRead,
  TraceWrite,
  Trigger,
  Within,
} from '../../shared/model/trace.ts';

interface EvidenceBase {
  /** Record it was read from. A record gives at most one piece of a kind about a key of a controller. */
  readonly seq: RecordSeq;
  readonly source: SourceId;
  /** As the source states it, or our receipt for what states none; skew is taken off when spans are assembled. */
  readonly at: Within;
  /** Our clock when it came, ms. */
  readonly receivedAt: number;
  /** True where `at` is a time stamp of the source's own clock, false where it is our receipt. */
  readonly ownClock: boolean;
}

/** About one key of one controller. */
interface KeyEvidence extends EvidenceBase {
  readonly controller: string;
  readonly key: string;
}

/** An event handler would have put the key into the queue (handlers and predicates applied). */
export interface WokenEvidence extends KeyEvidence {
  readonly evidence: 'woken';
  readonly trigger: Omit<Trigger, 'at' | 'collapsed' | 'basis' | 'seq'>;
  readonly initial: boolean;
  /** The key's own object was deleted by it. */
  readonly gone: boolean;
  /** Version the event brought: finds the write that made it, where that is known by another record (audit). */
  readonly resourceVersion?: string;
}

/** A line of the operator that names the key, or its reconcileID. */
export interface LineEvidence extends KeyEvidence {
  readonly evidence: 'line';
  readonly reconcileId: string | undefined;
  /** What the line says of the run: started, ended with a result, or only that it was going on. */
  readonly says: 'started' | 'ended' | 'within';
  readonly result: SpanResult | undefined;
  /** With requeue-after. */
  readonly afterMs: number | undefined;
  readonly error: string | undefined;
  readonly level: 'error' | 'warning' | 'info' | 'debug' | undefined;
  readonly text: string;
  /** Names of objects that stand in the line, `Kind/namespace/name` or bare names, to tell writes of one second apart. */
  readonly names: readonly string[];
  /** Written by the probe around the Reconciler (probe/): exact. */
  readonly probe: boolean;
  /** Why it may be another controller's, or another key's, in a sentence; absent: the line names both. */
  readonly doubt?: string;
}

/**
 * The operator's identity or one of its managers wrote an object of the key (stored, tried, or seen by audit alone).
 * `controller` and `key` are empty for a write that nothing places: it belongs to outside().
 */
export interface WriteEvidence extends KeyEvidence {
  readonly evidence: 'write';
  readonly write: Omit<TraceWrite, 'at' | 'basis' | 'seq'>;
  /** How the write is known, and why it is of this key: by the object itself, its owner, a label, a line. */
  readonly basis: Basis;
  readonly by: 'self' | 'owner' | 'label' | 'line' | 'audit' | 'reconcileID';
}

/** A request of the operator's identity that reached the API server and wrote nothing. */
export interface ReadEvidence extends KeyEvidence {
  readonly evidence: 'read';
  readonly read: Omit<TraceRead, 'at' | 'basis' | 'seq'>;
}

/** A Kubernetes Event of the operator about an object of the key. */
export interface EventEvidence extends KeyEvidence {
  readonly evidence: 'event';
  readonly event: Omit<TraceEvent, 'at' | 'basis' | 'seq'>;
  /** Version of the object it is about that the operator had: that version was there when the Event was recorded. */
  readonly aboutVersion?: string;
}

/** A prediction that was stored, and how it came out. Never changed by revisions. */
export interface PredictionEvidence extends KeyEvidence {
  readonly evidence: 'prediction';
  readonly predictionId: string;
  readonly why: 'backoff' | 'atCap' | 'rateLimited' | 'after';
  readonly delayMs: number;
  readonly runsAt: number;
  /** Record of the line that caused it. */
  readonly becauseSeq: number | undefined;
}

/** About the operator as a whole. */
export interface ProcessEvidence extends EvidenceBase {
  readonly evidence: 'process';
  /** `workers`: "Starting workers" of `controller`. `leading`, `lost`: the Lease's holder, by its identity. */
  readonly event: 'started' | 'exited' | 'workers' | 'leading' | 'lost';
  readonly controller: string | undefined;
  readonly holder: string | undefined;
  readonly workers: number | undefined;
}

/** Nothing was seen of a source for a while: what lies inside may be incomplete. */
export interface GapEvidence extends EvidenceBase {
  readonly evidence: 'gap';
  readonly text: string;
}

export type Evidence =
  | WokenEvidence
  | LineEvidence
  | WriteEvidence
  | ReadEvidence
  | EventEvidence
  | PredictionEvidence
  | ProcessEvidence
  | GapEvidence;

/** What the assembler knows of a controller from the profile. */
export interface ControllerKnobs {
  readonly controller: string;
  readonly kind: { readonly group: string; readonly kind: string };
  readonly namespaced: boolean;
  /** 0: nothing tells how many. */
  readonly workers: number;
  /**
   * Delay after failure number `failures` of a row (from 1: the first failure of the default limiter gives 5), ms;
   * undefined where the limiter is not known.
   */
  delayAfter(failures: number): number | undefined;
}

export interface TraceKnobs {
  readonly controllers: readonly ControllerKnobs[];
  /** Clock of the source minus ours, ms, and how far off that may be. */
  skewOf(source: SourceId): { readonly ms: number; readonly errorMs: number };
}

/** What changed in a book since it was asked last. */
export interface SpansChange {
  readonly upserts: readonly Span[];
  readonly removed: readonly string[];
}

/**
 * The spans of one operator. add() is cheap; spans are assembled when they are asked for, or in slices by some().
 * The same evidence in any order, and the same in one go, give the same spans.
 */
export interface TraceBook {
  add(evidence: Evidence): void;
  /**
   * Takes back a piece that was added (the same object): another source told the same more exactly, or what it rested on
   * changed. As if it had never been added.
   */
  remove(evidence: Evidence): void;
  /** Other knobs: everything is assembled anew. */
  setKnobs(knobs: TraceKnobs): void;
  /**
   * What lies later than `watermark` is provisional. `revision` and `source` mark what is assembled from here on in a place
   * that was settled before.
   */
  settle(watermark: number): void;
  revise(revision: number, source: string): void;
  /** Assembles a little; false: nothing is left to do. */
  some(): boolean;
  /** Keys that are still to be assembled. */
  readonly waiting: number;
  /** Assembles what is left and gives what changed since the last call. */
  changes(): SpansChange;
  /** What changed since the last call of it or of changes(), as far as it is assembled: of a key, whole stretches. */
  changesSoFar(): SpansChange;
  /** Newest first. */
  spans(query?: { readonly controller?: string; readonly key?: string }): readonly Span[];
  span(id: string): Span | undefined;
  /** Writes of the operator that belong to no key: Leases, reviews, and those nothing explains. */
  outside(): readonly { readonly write: TraceWrite; readonly why: string }[];
}

/** The object of a key, for a controller. */
export type ObjectOfKey = (controller: string, key: string) => ObjectKey;
