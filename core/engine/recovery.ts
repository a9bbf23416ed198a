/**
 * Recovery: what a new engine needs to go on where one was whose process died: plain JSON, kept by whoever started the
 * process, never written to disk. Nothing of it is a credential. Spec: docs/spec/playback.md (PB40–PB46).
 */
import type { FeedRow } from '../../shared/contract/views/sources.ts';

export interface Recovery {
  /** The live recording. */
  readonly live?: {
    readonly context: string;
    readonly namespaces: readonly string[];
    /** What the context led to, to be shown until it can be reached again. */
    readonly server: string;
    readonly namespace: string;
    /** The user let the context's credential plugin run. */
    readonly consented: boolean;
    /** Its session file; absent where nothing is kept. */
    readonly session?: string;
  };
  /** Attached before the process died; those that cannot be attached again (standard input, a child) are left out. */
  readonly feeds: readonly {
    readonly id: string;
    readonly kind: Extract<FeedRow['kind'], 'log' | 'metrics' | 'audit'>;
    readonly label: string;
  }[];
  /** Of the operator's pods: workloads whose logs are followed, and each feed with its `namespace/pod/container` or target. */
  readonly pods?: {
    readonly workloads: readonly string[];
    readonly logs: readonly { readonly id: string; readonly label: string; readonly workload: string }[];
    readonly metrics: readonly { readonly id: string; readonly label: string }[];
  };
  /** loopscope.yaml. */
  readonly profile?: string;
  /** What is shown instead of the live recording. */
  readonly shown?: {
    readonly origin: 'file' | 'demo';
    /** Path of the file, or id of the demo. */
    readonly id: string;
    readonly at: number;
    readonly playing: boolean;
    readonly speed: number;
  };
}
