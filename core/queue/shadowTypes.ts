import type { Basis } from '../../shared/model/basis.ts';
import type { ObjectKey } from '../../shared/model/ids.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type {
  Prediction,
  PredictionOutcome,
  RunEvidence,
  WaitReason,
  Wake,
} from '../../shared/model/queue.ts';

/*
 * What goes into a shadow queue and what comes out besides snapshots. All times are ms since the epoch (fractions
 * allowed) by the clock that also dates the followed log lines. Calls come in time order; an earlier time counts as now.
 */

/** What woke a key, as the caller knows it. */
export interface Cause {
  readonly subject: ObjectKey | undefined;
  /** `StatefulSet MODIFIED` */
  readonly text: string;
  readonly kind: 'event' | 'resync' | 'initial';
}

/** An event handler put `key` into the queue. Handlers and predicates were applied by the caller. */
export interface Enqueue {
  readonly key: string;
  readonly at: number;
  readonly cause: Cause;
  /** Of AddWithOpts; default: none, and −100 for resync and initial. Ignored by a classic queue. */
  readonly priority?: number;
  /** The object was created after we began to look, so the limiter knows nothing of its key. */
  readonly fresh?: boolean;
  /** The object of the key was deleted: its run finds nothing and succeeds. */
  readonly gone?: boolean;
}

interface Fact {
  readonly key: string;
  readonly at: number;
  readonly seq?: number;
  readonly basis: Basis;
  /** How far off `at` may be, ms. Default 0: a receipt time. 1,000 for the `ts` of a line that was there before us. */
  readonly precisionMs?: number;
}

export interface ReconcileStarted extends Fact {
  /** Of the line, where it has one: tells the runs of a key apart. */
  readonly reconcileId?: string;
}

/** A line from somewhere inside a reconcile: it takes place, and began before. */
export type ReconcileSeen = Omit<ReconcileStarted, 'basis'>;

/** A reconcile ended. From a followed log: the line's receipt time. `afterMs` only with requeueAfter. */
export interface ReconcileEnded extends Fact {
  readonly result: 'success' | 'error' | 'terminal' | 'requeue' | 'requeueAfter';
  readonly afterMs?: number;
  readonly reconcileId?: string;
}

/** The operator's process started: its queue and all failures are gone. */
export interface ProcessStarted {
  readonly at: number;
  /** As for a fact. */
  readonly precisionMs?: number;
  /** Keys of its initial list, if known: they are queued before the workers start. */
  readonly initialKeys?: readonly string[];
}

/** One thing that happened in the model, for traces. `at` in ms. */
export type QueueOp =
  | {
      readonly op: 'enqueued';
      readonly at: number;
      readonly key: string;
      readonly wake: Wake;
      readonly collapsed: boolean;
    }
  | {
      readonly op: 'started';
      readonly at: number;
      readonly key: string;
      readonly wake: Wake;
      readonly basis: Basis;
    }
  | {
      readonly op: 'ended';
      readonly at: number;
      readonly key: string;
      readonly result: ReconcileEnded['result'];
      readonly basis: Basis;
    }
  | {
      readonly op: 'waits';
      readonly at: number;
      readonly key: string;
      readonly why: WaitReason;
      readonly delayMs: number;
      readonly readyAt: number;
      readonly failures: number;
    }
  /** The model was wrong and was put right. */
  | { readonly op: 'corrected'; readonly at: number; readonly key: string; readonly because: string }
  | { readonly op: 'reset'; readonly at: number; readonly because: string };

export interface ShadowQueueOptions {
  readonly profile: ControllerProfile;
  /** When the model begins, ms. */
  readonly at: number;
  /** What the log can tell; default `none`. Rises by itself when reported facts come in. */
  readonly evidence?: RunEvidence;
  /** Prefix of prediction ids; default the controller's name and the time of the start. */
  readonly idPrefix?: string;
  /** Called the moment a prediction is made, before its outcome can be known: store it. */
  readonly onPrediction?: (prediction: Prediction) => void;
  /** Called once per prediction. */
  readonly onOutcome?: (outcome: PredictionOutcome) => void;
  readonly onOp?: (op: QueueOp) => void;
  /** Depth samples kept, default 4,000. */
  readonly historySize?: number;
}
