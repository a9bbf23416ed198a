/**
 * What finding rules read. Live cluster, opened session and case folder fill the same interface, so that one rule judges
 * them all. Facts are folded before they come here: a rule never walks a log.
 */
import type { Evidence, Finding, NotEvaluated } from '../../shared/model/finding.ts';
import type { KubeObject, OwnerReference } from '../../shared/model/kube.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { RbacRef } from '../../shared/model/rbac.ts';
import type { Span } from '../../shared/model/trace.ts';
import type { AccessRecord } from '../rbac/access.ts';
import type { Authorizer } from '../rbac/authorizer.ts';
import type { RbacPolicy } from '../rbac/policy.ts';
import type { SeenChanges } from '../trace/detectors/seen.ts';

/** An object without its content. */
export interface ObjectHead {
  readonly namespace: string;
  readonly name: string;
  readonly ownerReferences: readonly OwnerReference[];
  /** One per managedFields entry. */
  readonly writers: readonly {
    readonly manager: string;
    readonly subresource?: string | undefined;
    /** RFC 3339, whole seconds. */
    readonly time?: string | undefined;
  }[];
}

export interface FindingObjects {
  /** Whole objects of `group/Kind` (core: `/Kind`): CRDs, workloads, ServiceAccounts. */
  list(groupKind: string): readonly KubeObject[];
  /** Heads of `group/Kind`, for custom resources that may be many. */
  heads(groupKind: string): Iterable<ObjectHead>;
}

/** A controller that an operator's log names. */
export interface ReportedController {
  /** Whose log it is, when that is known. */
  readonly user?: string;
  readonly controller: string;
  readonly group: string;
  readonly kind: string;
  readonly evidence: Evidence;
}

export interface FindingInput {
  /** RFC 3339: the moment of judgement, by the clock of the data. */
  readonly now: string;
  readonly objects: FindingObjects;
  readonly policy: RbacPolicy;
  readonly access: readonly AccessRecord[];
  readonly controllers: readonly ReportedController[];
  readonly profiles: readonly OperatorProfile[];
  /** Resources that were not listed here, as `resource.group`. Neither 403 nor 500 is "absent". */
  readonly unreadable: readonly string[];
  /** Those of `unreadable` for which no right is missing: the server fails to list them. */
  readonly failing?: readonly string[];
  /** Where objects come from, and where to look one up. */
  readonly objectBasis: 'watch' | 'file';
  /** Objects that change again and again, conflicts, audited writes. Default: none were looked for. */
  readonly changes?: SeenChanges;
  /** Reconciles of the operator under debug, newest first. Default: not known. */
  readonly spans?: readonly Span[];
  readonly locate?: (ref: RbacRef) => Pick<Evidence, 'file' | 'line' | 'seq'> | undefined;
}

/** Input plus what more than one rule needs, computed once. */
export interface FindingContext {
  readonly input: FindingInput;
  /** With what aggregation adds. */
  readonly policy: RbacPolicy;
  readonly authorizer: Authorizer;
  readonly crds: CrdIndex;
}

/** What a CRD serves. */
export interface CrdInfo {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Some served version has the status subresource. */
  readonly servesStatus: boolean;
}

export interface CrdIndex {
  byResource(group: string, plural: string): CrdInfo | undefined;
  byKind(group: string, kind: string): CrdInfo | undefined;
  readonly all: readonly CrdInfo[];
}

/** A cause that was looked for and is not there, with the reason: it closes the finding of that id. */
export interface Resolved {
  readonly id: string;
  readonly because: string;
}

export interface Evaluation {
  readonly findings: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
  readonly resolved: readonly Resolved[];
}

/** One rule of the table in docs/spec/rbac.md and its kin: a pure function. */
export interface FindingRule {
  readonly id: string;
  readonly evaluate: (context: FindingContext) => Evaluation;
}
