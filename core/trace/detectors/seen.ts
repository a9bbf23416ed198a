/**
 * What detectors look at: the last versions of objects that change again and again, conflicts, and audited writes. Small and
 * folded: a detector never walks a log. Spec: docs/spec/detectors.md
 */
import type { ObjectOp, Writer } from '../../../shared/contract/views/objects.ts';
import type { Change } from '../../objects/changes.ts';
import type { TimeInterval } from '../../session/record.ts';
import type { SaidWrite } from './saidWrite.ts';

/** Where a record can be looked up: a line of a file, or a record of the session. */
export interface SeenPlace {
  readonly file?: string;
  readonly line?: number;
  readonly seq?: number;
}

/** One version against the one before it. */
export interface SeenVersion {
  readonly place: SeenPlace;
  /** Our clock, or the time the file states, ms. */
  readonly at: number;
  readonly op: ObjectOp;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  /** Most certain first; empty where managedFields do not say. */
  readonly writers: readonly Writer[];
  /** Without bookkeeping (resourceVersion, managedFields, generation). */
  readonly changes: readonly Change[];
}

export interface SeenObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The last versions of an object, oldest first; the first of them has no version before it and no changes. */
export interface SeenHistory extends SeenObject {
  /** `Kind/namespace/name`, `-` without a namespace. */
  readonly subject: string;
  readonly versions: readonly SeenVersion[];
  /** Managers of the newest version, one per managedFields entry. */
  readonly managers: readonly Writer[];
  readonly ownerKinds: readonly string[];
}

interface SeenRequestBase {
  readonly place: SeenPlace;
  readonly at: TimeInterval;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty where the line does not tell. */
  readonly namespace: string;
  readonly name: string;
}

/** A write that was answered 409 because it was based on an older version. */
export interface SeenConflict extends SeenRequestBase {
  readonly from: 'log' | 'audit';
  /** Audit: whose request it was. */
  readonly user: string | undefined;
  /** Version the write was based on. */
  readonly basedOn: string | undefined;
}

/** An audited update, patch or apply that was answered with success. */
export interface SeenWrite extends SeenRequestBase {
  readonly user: string;
  readonly verb: string;
  readonly basedOn: string | undefined;
  /** With response bodies only. */
  readonly answered: string | undefined;
}

/** A line of the operator's log that says it updates an object. */
export interface SeenSaid extends SaidWrite {
  readonly place: SeenPlace;
  readonly at: TimeInterval;
}

/** How often a controller's reconciles ended in which way, by its metrics. */
export interface ReportedRuns {
  readonly controller: string;
  readonly success: number;
  readonly error: number;
  readonly requeue: number;
  readonly requeueAfter: number;
}

/** Everything detectors read besides spans. */
export interface SeenChanges {
  readonly histories: readonly SeenHistory[];
  readonly conflicts: readonly SeenConflict[];
  readonly writes: readonly SeenWrite[];
  readonly said: readonly SeenSaid[];
  readonly runs: readonly ReportedRuns[];
}
