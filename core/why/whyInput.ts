/**
 * What the causes read of one object. The engine fills it; tests make it by hand. Times are ms since the epoch. What may
 * not be read is said so (`unreadable`), never left empty as if there were nothing.
 */
import type { ObjectRefView } from '../../shared/contract/views/objects.ts';
import type { Health } from '../../shared/contract/views/operators.ts';
import type { DeletionHold } from '../../shared/contract/views/structure.ts';
import type { Basis } from '../../shared/model/basis.ts';
import type { WaitReason } from '../../shared/model/queue.ts';
import type { RbacGap, RbacRef } from '../../shared/model/rbac.ts';
import type { RefusalList, SaidList } from './keyNotes.ts';
import type { VersionNote } from './versions.ts';

/** Who reconciles the object. */
export interface OperatorNote {
  readonly name: string;
  readonly managers: readonly string[];
  readonly workload: string | undefined;
  readonly controller: string;
  /** How it is known that it reconciles this kind. */
  readonly basis: Basis;
  /** A status-only change of the object wakes the key: no predicate holds it back. */
  readonly wokenByStatus: boolean;
  /** Kinds whose changes wake the owner. */
  readonly ownedKinds: readonly string[];
  readonly runs: 'running' | 'notRunning' | 'unknown';
  /** What shows it, best first: the Lease was renewed, a line was logged, a status was written, the workload is ready. */
  readonly signs: readonly Sign[];
}

export type Sign =
  | { readonly kind: 'lease' | 'log' | 'write'; readonly at: number }
  | { readonly kind: 'workload' | 'process'; readonly detail: string };

/** The key in the shadow queue. */
export interface KeyQueueNote {
  readonly controller: string;
  readonly key: string;
  readonly state: 'idle' | 'ready' | 'running' | 'waiting';
  readonly failures: number;
  /** False while the number of failures or the limiter behind it is a guess. */
  readonly certain: boolean;
  readonly why: WaitReason | undefined;
  readonly since: number | undefined;
  readonly runsAt: number | undefined;
  readonly delayMs: number | undefined;
  /** What the limiter would give after one more failure. */
  readonly nextDelayMs: number;
  /** Its delays, failure by failure, up to the cap. */
  readonly stepsMs: readonly number[];
  /** The limiter's base when it doubles: `5 ms × 2¹⁶`. */
  readonly baseMs: number | undefined;
  readonly factor: number | undefined;
  readonly basis: Basis;
  /** Judged predictions of this key. */
  readonly predictions: { readonly hit: number; readonly judged: number; readonly largestMs: number };
}

/** A grant that was there and went. */
export interface RoleLoss {
  readonly role: RbacRef;
  readonly key: string;
  readonly at: number;
  readonly seq: number;
  readonly resourceVersion: string;
  readonly manager: string | undefined;
  /** Helm's name and version of the release, when the role says it. */
  readonly release: string | undefined;
  /** `binding`: the role is no longer bound. */
  readonly what: 'rule' | 'binding';
}

/** What the lens says of the status of this kind. */
export interface StatusRights {
  /** Granted now. */
  readonly granted: boolean;
  readonly gap: RbacGap | undefined;
  readonly row: string | undefined;
  readonly loss: RoleLoss | undefined;
  /** Roles may not be read: then nothing is said of grants. */
  readonly unreadable: readonly string[];
  readonly finding:
    | { readonly id: string; readonly patch: string | undefined; readonly marker: string | undefined }
    | undefined;
  /** When the grant came back, if it did: from the finding that closed. */
  readonly grantedAt: number | undefined;
}

export interface OwnedNote {
  readonly kind: string;
  readonly name: string;
  readonly state: 'ready' | 'notReady' | 'exists';
  /** `3/3`; empty when the kind says none. */
  readonly text: string;
}

/** Something the last error says is missing, and whether it is there now. */
export interface Mended {
  readonly what: string;
  readonly by: 'object' | 'right';
  /** When it appeared. */
  readonly at: number;
  readonly precise: boolean;
  readonly key: string | undefined;
  readonly seq: number | undefined;
}

export interface WhyInput {
  readonly now: number;
  readonly object: ObjectRefView;
  readonly known: boolean;
  readonly gone: boolean;
  readonly detail: 'full' | 'metadata';
  readonly upgrading: boolean;
  /** `list databases.db.example.com`; set when the kind may not be listed. */
  readonly forbidden: string | undefined;
  /** Plural, for sentences and commands; empty when discovery does not tell. */
  readonly resource: string;
  readonly health: Health;
  readonly versions: readonly VersionNote[];
  readonly polarity: Readonly<Record<string, 'positive' | 'negative'>>;
  readonly operator: OperatorNote | undefined;
  readonly queue: KeyQueueNote | undefined;
  readonly holds: readonly DeletionHold[];
  /** Since the last accepted status write. */
  readonly refusals: readonly RefusalList[];
  readonly rights: StatusRights | undefined;
  readonly errors: SaidList | undefined;
  readonly successes: SaidList | undefined;
  readonly mended: Mended | undefined;
  readonly owned: readonly OwnedNote[];
  /** Owned kinds that may not be read. */
  readonly ownedUnreadable: readonly string[];
  /** Times at which an owned object changed, newest last, within the last minutes. */
  readonly ownedChangedAt: readonly number[];
  /** Stretches in which this kind was not seen. */
  readonly gaps: readonly { readonly from: number; readonly to: number | undefined }[];
  readonly crd:
    | { readonly kind: 'crd'; readonly servesStatus: boolean; readonly versions: readonly string[] }
    | { readonly kind: 'builtIn' }
    | { readonly kind: 'unreadable'; readonly permission: string }
    | { readonly kind: 'unknown' };
  /** Gaps of the operator's rights apart from the status of this kind; undefined: not evaluated. */
  readonly otherGaps: readonly string[] | undefined;
  readonly neededRights: number;
  readonly rightsPermission: string | undefined;
  readonly hasLog: boolean;
  readonly hasAudit: boolean;
}

export function latestOf(input: WhyInput): VersionNote | undefined {
  return input.versions.at(-1);
}
