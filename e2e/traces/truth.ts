/**
 * What truly happened in a run, for scoring traces: never an input of the product. Read from `ground.json`, of a handed
 * recording or of a run of the test bed (recordRun.ts), which knows more: key, controller and reconcileID of each write, and
 * every reconcile. Definitions: docs/spec/scoring.md
 */

/** A successful write of the operator that made a version. */
export interface TrueWrite {
  /** ms since the epoch, as the API server says (or the probe, where a run has one). */
  readonly at: number;
  /** `Kind/namespace/name`, `-` for the namespace of a cluster-scoped object. */
  readonly subject: string;
  readonly verb: string;
  readonly subresource: string;
  readonly resourceVersion: string;
  /** `namespace/name` or `name`. */
  readonly key: string;
  /** Absent where the run does not tell which controller it was: then any on `kind` is right that has this key. */
  readonly controller?: string;
  /** Kind of the key's object in lower case, where the controller is not told. */
  readonly kind?: string;
  readonly reconcileId?: string;
}

export interface TrueSpan {
  readonly controller: string;
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly result: string;
  readonly reconcileId: string;
}

/** A reconcile error of the log. `hi` − `lo` is the resolution of its time. */
export interface TrueError {
  readonly lo: number;
  readonly hi: number;
  readonly controller?: string;
  /** Absent where the log names no key. */
  readonly key?: string;
  readonly reconcileId?: string;
}

export interface QueueTotals {
  readonly adds: number;
  readonly retries: number;
  readonly depth: number;
}

export interface Truth {
  readonly run: string;
  readonly writes: readonly TrueWrite[];
  /** Writes that changed nothing and so caused no watch event. */
  readonly unseen: number;
  /** Successful writes of no key: Leases, reviews, Events about the Lease. */
  readonly keyless: number;
  /** Every reconcile; absent where the run has no such log. */
  readonly spans?: readonly TrueSpan[];
  readonly errors: readonly TrueError[];
  /** Reconciles by controller, of the last scrape of the process that ran last; absent without metrics. */
  readonly reconciles: ReadonlyMap<string, number>;
  /** By queue name, of the same scrape. */
  readonly queues: ReadonlyMap<string, QueueTotals>;
  /** When that scrape was taken, ms. */
  readonly scraped?: { readonly lo: number; readonly hi: number };
  /** From the first to the last moment of the run. */
  readonly window: { readonly from: number; readonly to: number };
}
