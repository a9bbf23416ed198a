/**
 * What the steps of the assembler hand to each other: evidence with its time on our clock, and runs in the making.
 * Times are ms since the epoch, skew taken off. Spec: docs/spec/traces.md
 */
import type { RecordSeq } from '../../shared/model/ids.ts';
import type { SpanResult, TriggerType, Within } from '../../shared/model/trace.ts';
import type { Lives } from './lives.ts';
import type {
  ControllerKnobs,
  EventEvidence,
  LineEvidence,
  PredictionEvidence,
  ReadEvidence,
  WokenEvidence,
  WriteEvidence,
} from './traceTypes.ts';

/** Evidence about one key of one controller. */
export type KeyPiece =
  | WokenEvidence
  | LineEvidence
  | WriteEvidence
  | ReadEvidence
  | EventEvidence
  | PredictionEvidence;

/** A piece with its time by our clock. */
export interface Item<E extends KeyPiece = KeyPiece> {
  readonly piece: E;
  readonly lo: number;
  readonly hi: number;
}

/** Assumed bounds, in ms; each is a rule of the spec. */
export const bounds = {
  /** [TR12] A watch event reaches us at most this long after the write. */
  longestLag: 5_000,
  /** [TR13] A write is answered so long after its run started, or later. */
  roundTrip: 2.5,
  /** [TR13] No run shorter than this has written: the API server stores nothing sooner. */
  shortestWrite: 0.8,
  /** [TR13] A write after another takes at least about so long. */
  usualWrite: 2,
  /** [TR14] An event may reach us so much later than the operator. */
  heldUp: 100,
  /** [TR14] A key whose event came is taken up within this long, where no worker is busy. */
  soon: 100,
  /** [TR13] What the operator's informer and ours may differ by. */
  receiptSlack: 25,
  /** [TR9] Writes further apart than this are of one run only while nothing can have woken another between them. */
  sameRun: 1_000,
  /** [TR9] No run writes one status more often than this. */
  mostTold: 3,
  /** [TR9] Writes further apart than this are of two runs. */
  twoRuns: 10_000,
  /** [TR10] A key that is due waits no longer than this for a worker, as far as inferred runs go. */
  longestWait: 2_000,
  /** [TR7] How long a run whose end nobody tells may go on after its last sign. */
  quietEnd: 1_000,
  /** [TR6] A run whose start nobody tells began at most this long before its first sign. */
  quietStart: 10_000,
  /** [TR16] An Event is sent by a recorder of its own, this long after its run at most. */
  eventLag: 2_000,
} as const;

/** What holds for a controller as a whole, and is a function of all the evidence of a book. */
export interface ControllerFacts {
  readonly knobs: ControllerKnobs | undefined;
  /** Every run shows in the log by a line of its own (starts, or ends without an error): none is inferred from triggers. */
  readonly tellsRuns: boolean;
  /** Runs without an error show in the log too, if not each of them: none is inferred from what should have woken it. */
  readonly tellsSome: boolean;
  /** It was seen to do anything at all: what its events should wake is more than a guess. */
  readonly acts: boolean;
  /** Ends without an error are logged: a run without an end goes on. */
  readonly tellsEnds: boolean;
  /** Any line of this controller was seen: what logged no error had none. */
  readonly hasLog: boolean;
}

export interface KeyContext {
  readonly controller: string;
  readonly key: string;
  readonly facts: ControllerFacts;
  readonly lives: Lives;
  /** Median time from a write to its event here, ms. */
  readonly lagMs: number;
  readonly watermark: number;
  readonly readsObservable: boolean;
  readonly gaps: readonly (Within & { readonly text: string })[];
}

export interface PlacedWrite {
  readonly item: Item<WriteEvidence>;
  /** The same write as another record tells it. */
  readonly also: readonly Item<WriteEvidence>[];
  /** Why it stands in this run. */
  why: string;
}

export interface RunTrigger {
  readonly at: Within;
  readonly type: TriggerType;
  readonly item: Item<WokenEvidence> | undefined;
  readonly seq: RecordSeq | undefined;
  readonly text: string;
  readonly because: readonly number[];
}

/** How one end of a run is known. */
export type EndKnown = 'line' | 'inferred';

/** A run in the making. Never shared between two assemblies. */
export interface Run {
  id: string;
  reconcileId: string | undefined;
  /** What says that it ran at all. */
  readonly known: 'line' | 'write' | 'event' | 'trigger' | 'timer';
  readonly because: number[];
  readonly lines: Item<LineEvidence>[];
  startLine: Item<LineEvidence> | undefined;
  endLine: Item<LineEvidence> | undefined;
  start: { lo: number; hi: number };
  /** hi is Infinity while nothing bounds it. */
  end: { lo: number; hi: number };
  startKnown: EndKnown;
  endKnown: EndKnown;
  result: SpanResult | undefined;
  error: string | undefined;
  afterMs: number | undefined;
  readonly writes: PlacedWrite[];
  readonly reads: Item<ReadEvidence>[];
  readonly events: Item<EventEvidence>[];
  triggers: RunTrigger[];
  prediction: Item<PredictionEvidence> | undefined;
  failures: number;
  waitMs: Within | undefined;
  life: number;
  leader: string | undefined;
  readonly notes: string[];
}

export function newRun(known: Run['known'], id: string, because: readonly number[]): Run {
  return {
    id,
    reconcileId: undefined,
    known,
    because: [...because],
    lines: [],
    startLine: undefined,
    endLine: undefined,
    start: { lo: -Infinity, hi: Infinity },
    end: { lo: -Infinity, hi: Infinity },
    startKnown: 'inferred',
    endKnown: 'inferred',
    result: undefined,
    error: undefined,
    afterMs: undefined,
    writes: [],
    reads: [],
    events: [],
    triggers: [],
    prediction: undefined,
    failures: 0,
    waitMs: undefined,
    life: 1,
    leader: undefined,
    notes: [],
  };
}

/** Id of a run without a reconcileID: the record it was first known by. */
export function inferredId(context: Pick<KeyContext, 'controller' | 'key'>, seq: number): string {
  return `${context.controller}|${context.key}|${seq}`;
}

/** Total order of a key's evidence, the same for any order of arrival: by time, then by record. */
export function compareItems(a: Item, b: Item): number {
  return (
    a.lo - b.lo ||
    a.piece.seq - b.piece.seq ||
    (a.piece.evidence < b.piece.evidence ? -1 : a.piece.evidence > b.piece.evidence ? 1 : 0)
  );
}

/** Order of lines: a source keeps its own; between sources by time. */
export function compareLines(a: Item<LineEvidence>, b: Item<LineEvidence>): number {
  return a.lo - b.lo || a.piece.seq - b.piece.seq;
}

/** Makes `of` lie inside [lo, hi] as far as that leaves something of it. */
export function clip(of: { lo: number; hi: number }, lo: number, hi: number): void {
  if (lo > of.lo) of.lo = Math.min(lo, of.hi);
  if (hi < of.hi) of.hi = Math.max(hi, of.lo);
}

export function midOf(of: Within): number {
  return (of.lo + of.hi) / 2;
}

/** The version of an object, where a piece tells which. */
export function versionName(object: string | undefined, version: string | undefined): string | undefined {
  return object === undefined || version === undefined ? undefined : `${object}@${version}`;
}

/** Names under which a write can be the one that an event tells of: its record, its version. */
export function namesOfWrite(piece: WriteEvidence): readonly (string | number)[] {
  const version =
    piece.write.outcome === 'stored'
      ? versionName(piece.write.object, piece.write.resourceVersion)
      : undefined;
  return version === undefined ? [piece.seq] : [piece.seq, version];
}

export function namesOfWoken(piece: WokenEvidence): readonly (string | number)[] {
  const version = versionName(piece.trigger.object, piece.resourceVersion);
  return version === undefined ? [piece.seq] : [piece.seq, version];
}

/** All names of what a run wrote. */
export function namesOfRun(run: Run): ReadonlySet<string | number> {
  const out = new Set<string | number>();
  for (const write of run.writes)
    for (const item of [write.item, ...write.also])
      for (const name of namesOfWrite(item.piece)) out.add(name);
  return out;
}

/** [TR10] Runs may be inferred from what should have woken them. */
export function mayForce(facts: ControllerFacts): boolean {
  return facts.acts && !facts.tellsRuns && !facts.tellsSome;
}
