/**
 * FactTracker: folds log lines, audit entries and Events into what finding rules read, as they come. Its size follows
 * the number of different refusals and controllers, not the length of the recording.
 */
import type { Evidence } from '../../shared/model/finding.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import {
  type Access,
  type AccessRecord,
  accessFromAudit,
  accessFromForbidden,
  createAccessTracker,
} from '../rbac/access.ts';
import { createReportedUse, type ResolveKind } from '../rbac/reportedUse.ts';
import type { AuditEntry } from '../source/audit/auditEntry.ts';
import { parseForbidden } from '../source/log/forbidden.ts';
import type { LogEntry } from '../source/log/logEntry.ts';
import type { ReportedController } from './findingInput.ts';

/** Where a line stands: in a file, or as a record of the session. `receivedAt` (ms) dates what states no time. */
export interface FactPlace {
  readonly file?: string;
  readonly line?: number;
  readonly seq?: number;
  readonly receivedAt?: number;
}

export interface FactTracker {
  /** `user`: whose log it is, when that is known. */
  addLog(entry: LogEntry, place: FactPlace, user?: string): void;
  addAudit(entry: AuditEntry, place: FactPlace): void;
  /** A core/v1 or events.k8s.io/v1 Event; other objects are ignored. */
  addEvent(event: KubeObject, place: FactPlace): void;
  /** Any other sign of a right, e.g. a write that managedFields show (core/rbac/writes.ts). */
  addAccess(one: Access): void;
  access(): readonly AccessRecord[];
  controllers(): readonly ReportedController[];
}

const textLimit = 400;

/** `resolveKind` finds served resources: with it, and a known `user`, log lines show rights in use too. */
export function createFactTracker(options: { readonly resolveKind?: ResolveKind } = {}): FactTracker {
  const access = createAccessTracker();
  const use = options.resolveKind && createReportedUse(options.resolveKind);
  const controllers = new Map<string, ReportedController>();
  /** Last reconcile in which a refusal was logged: operators log one error and controller-runtime logs it again. */
  const lastReconcile = new Map<string, string>();

  return {
    addLog(entry, place, user) {
      addController(entry, place, user);
      if (use !== undefined && user !== undefined) {
        const where = { ...timeOf(entry.at, place.receivedAt), ...positionOf(place) };
        for (const one of use.add(entry, where, user)) access.add(one);
      }
      for (const text of textsOf(entry)) {
        const forbidden = parseForbidden(text);
        if (forbidden === undefined) continue;
        const found = accessFromForbidden(forbidden, {
          text: cut(text),
          basis: { kind: 'reported', from: 'log' },
          ...timeOf(entry.at, place.receivedAt),
          ...positionOf(place),
        });
        if (found === undefined) return;
        if (entry.reconcileId !== undefined) {
          const key = [found.user, found.verb, found.apiGroup, found.resource, found.subresource].join('\0');
          if (lastReconcile.get(key) === entry.reconcileId) return;
          lastReconcile.set(key, entry.reconcileId);
        }
        access.add(found);
        return;
      }
    },
    addAudit(entry, place) {
      const found = accessFromAudit(entry, positionOf(place));
      if (found !== undefined) access.add(found);
    },
    addEvent(event, place) {
      if (event.kind !== 'Event') return;
      const text = typeof event.note === 'string' ? event.note : event.message;
      if (typeof text !== 'string') return;
      const forbidden = parseForbidden(text);
      if (forbidden === undefined) return;
      const at = eventTime(event);
      const found = accessFromForbidden(forbidden, {
        text: cut(text),
        basis: { kind: 'reported', from: 'event' },
        ...(at === undefined ? timeOf(undefined, place.receivedAt) : { at }),
        ...positionOf(place),
      });
      if (found !== undefined) access.add(found);
    },
    addAccess: (one) => access.add(one),
    access: () => access.records(),
    controllers: () => [...controllers.values()],
  };

  function addController(entry: LogEntry, place: FactPlace, user: string | undefined): void {
    const { controllerGroup: group, controllerKind: kind, controller } = entry;
    if (group === undefined || kind === undefined || kind === '') return;
    const key = `${user ?? ''}\0${group}\0${kind}`;
    if (controllers.has(key)) return;
    controllers.set(key, {
      ...(user === undefined ? {} : { user }),
      controller: controller ?? kind.toLowerCase(),
      group,
      kind,
      evidence: {
        text: `"${cut(entry.msg)}" of controller ${controller ?? kind} (${kind})`,
        basis: { kind: 'reported', from: 'log' },
        ...timeOf(entry.at, place.receivedAt),
        ...positionOf(place),
      },
    });
  }
}

function textsOf(entry: LogEntry): readonly string[] {
  const others = Object.values(entry.fields).filter((value) => typeof value === 'string');
  return [entry.error ?? '', entry.msg, ...others].filter((text) => text.includes(' cannot '));
}

/** Times of whole seconds stay whole: no decimals that were not there. */
function timeOf(at: LogEntry['at'], receivedAt: number | undefined): Pick<Evidence, 'at'> {
  const ms = at?.lo ?? receivedAt;
  if (ms === undefined) return {};
  const text = new Date(ms).toISOString();
  return { at: at !== undefined && at.hi - at.lo >= 999 ? text.replace('.000Z', 'Z') : text };
}

function positionOf(place: FactPlace): Pick<Evidence, 'file' | 'line' | 'seq'> {
  return {
    ...(place.file === undefined ? {} : { file: place.file }),
    ...(place.line === undefined ? {} : { line: place.line }),
    ...(place.seq === undefined ? {} : { seq: place.seq }),
  };
}

function eventTime(event: KubeObject): string | undefined {
  const series = event.series;
  const observed =
    typeof series === 'object' && series !== null && 'lastObservedTime' in series
      ? series.lastObservedTime
      : undefined;
  const candidates = [
    observed,
    event.lastTimestamp,
    event.deprecatedLastTimestamp,
    event.eventTime,
    event.metadata.creationTimestamp,
  ];
  return candidates.find((one) => typeof one === 'string' && one !== '') as string | undefined;
}

function cut(text: string): string {
  return text.length <= textLimit ? text : `${text.slice(0, textLimit)}…`;
}
