/**
 * What an operator itself says of its controllers: start-up lines of its log and its metrics. Folded as it comes; small.
 * Source: controller-runtime pkg/internal/controller (Starting EventSource, Controller, workers). Spec: docs/spec/profile.md
 */

import type { LogEntry } from '../source/log/logEntry.ts';
import type { OperatorMetrics } from '../source/metrics/controllerMetrics.ts';

/** One controller as reported. Absent fields were not reported. */
export interface ReportedController {
  readonly name: string;
  readonly group?: string;
  readonly kind?: string;
  /** Kinds it has an event source for, as Go names them; complete once `started`. */
  readonly sources: readonly { readonly version: string; readonly kind: string }[];
  readonly started: boolean;
  readonly workers?: number;
  readonly workersFrom?: 'log' | 'metrics';
  readonly queue?: 'priority' | 'classic';
  /** Where the queue kind is known from. */
  readonly queueFrom?: 'log' | 'metrics';
}

/** By controller name. */
export type ReportedControllers = ReadonlyMap<string, ReportedController>;

export interface EvidenceFold {
  /** True when the line told something new. */
  addLog(entry: LogEntry): boolean;
  addMetrics(metrics: OperatorMetrics): boolean;
  controllers(): ReportedControllers;
}

export function createEvidenceFold(): EvidenceFold {
  const known = new Map<string, ReportedController>();

  function change(name: string, fields: Partial<ReportedController>): boolean {
    const before = known.get(name) ?? { name, sources: [], started: false };
    const after = { ...before, ...fields };
    if (known.has(name) && JSON.stringify(before) === JSON.stringify(after)) return false;
    known.set(name, after);
    return true;
  }

  return {
    controllers: () => known,
    addLog(entry) {
      const name = entry.controller;
      if (name === undefined) return false;
      const before = known.get(name);
      // A controller without builder has no kind; an empty group is the core group.
      const identity =
        entry.controllerKind === undefined
          ? {}
          : { group: entry.controllerGroup ?? '', kind: entry.controllerKind };
      const event = entry.event;
      switch (event?.kind) {
        case 'startingEventSource': {
          // After a start this is another life of the process: its sources are told anew.
          const sources = before === undefined || before.started ? [] : before.sources;
          const { sourceKind: kind, sourceVersion: version = '' } = event;
          const has = sources.some((source) => source.kind === kind && source.version === version);
          const next = kind === undefined || has ? sources : [...sources, { version, kind }];
          return change(name, { ...identity, sources: next, started: false });
        }
        case 'startingController':
          return change(name, { ...identity, started: true });
        case 'startingWorkers': {
          const { workers = 0 } = event;
          const counted = workers < 1 ? {} : { workers, workersFrom: 'log' as const };
          return change(name, { ...identity, started: true, ...counted });
        }
        default:
          // client-go style controllers announce themselves in lower case and name no kind.
          if (/^starting controller$/.test(entry.msg) && entry.controllerKind === undefined)
            return change(name, { started: true, queue: 'classic', queueFrom: 'log' });
          return Object.keys(identity).length > 0 && before?.kind === undefined
            ? change(name, identity)
            : false;
      }
    },
    addMetrics(metrics) {
      let changed = false;
      for (const one of metrics.controllers) {
        // A queue without a controller of that name in controller_runtime_* may be any queue of the process.
        const isController = one.maxConcurrentReconciles !== undefined || known.has(one.controller);
        if (!isController) continue;
        const workers = one.maxConcurrentReconciles;
        changed =
          change(one.controller, {
            ...(workers === undefined || workers < 1 ? {} : { workers, workersFrom: 'metrics' }),
            ...(one.queueKind === undefined ? {} : { queue: one.queueKind, queueFrom: 'metrics' }),
          }) || changed;
      }
      return changed;
    },
  };
}
