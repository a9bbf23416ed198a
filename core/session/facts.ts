/**
 * Facts: what a record says, decoded once, small and typed. Derivations read facts only; payloads are parsed on demand
 * for what is on screen. A fact never outlives its record's meaning: it names the record by seq.
 */
import type { Writer } from '../../shared/contract/views/objects.ts';
import type { ObjectKey, RecordSeq, ResourceVersion, SourceId } from '../../shared/model/ids.ts';
import type { ObjectMeta } from '../../shared/model/kube.ts';
import type { AuditEntry } from '../source/audit/auditEntry.ts';
import type { LogEntry } from '../source/log/logEntry.ts';
import type { ObjectOp, RecordHead, TimeInterval } from './record.ts';

export type Fact = ObjectFact | LogFact | AuditFact | MetricsFact | ProcessFact | OtherFact;

interface FactBase {
  readonly seq: RecordSeq;
  readonly at: TimeInterval;
  /** Our clock when it came, ms. */
  readonly receivedAt: number;
  readonly source: SourceId;
}

/** The head of one condition; times stay text (second resolution). */
export interface ConditionHead {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly lastTransitionTime: string;
}

/** One version of one object. `meta` is the object's metadata without managedFields. */
export interface ObjectFact extends FactBase {
  readonly fact: 'object';
  readonly op: ObjectOp;
  readonly key: ObjectKey;
  readonly group: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: ResourceVersion;
  readonly meta: ObjectMeta;
  readonly writers: readonly Writer[];
  readonly conditions: readonly ConditionHead[];
  readonly observedGeneration: number | undefined;
  readonly metadataOnly: boolean;
  readonly initial: boolean;
}

export interface LogFact extends FactBase {
  readonly fact: 'log';
  readonly entry: LogEntry;
  /** Of a pod: it stood there before we looked. Lines of other sources tell that by their time alone. */
  readonly initial?: boolean;
}

export interface AuditFact extends FactBase {
  readonly fact: 'audit';
  readonly entry: AuditEntry;
}

/** A scrape; the text stays in the record. */
export interface MetricsFact extends FactBase {
  readonly fact: 'metrics';
}

/** The operator's process started or ended (child of `loopscope run`, or told by its log). */
export interface ProcessFact extends FactBase {
  readonly fact: 'process';
  readonly event: 'started' | 'exited';
  readonly pid: number | undefined;
  readonly exitCode: number | undefined;
}

/** A record that has nothing to derive from: our own predictions, requests, connection states, gaps. */
export interface OtherFact extends FactBase {
  readonly fact: 'other';
  readonly kind: RecordHead['kind'];
}
