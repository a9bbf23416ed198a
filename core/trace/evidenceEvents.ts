/**
 * Kubernetes Events of an operator: what they are about, and what they say. Pure. Sources: client-go tools/record (core/v1:
 * count, lastTimestamp) and tools/events (events.k8s.io/v1: series).
 */
import { asRecord, asText } from '../../shared/base/json.ts';
import { groupOf, objectKey } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { TraceEvent, Within } from '../../shared/model/trace.ts';
import { type ObjectPlace, statedTime } from './evidenceScope.ts';

export interface ToldEvent {
  readonly about: ObjectPlace;
  /** Who reports it: reportingController, or source.component. */
  readonly reporter: string;
  readonly event: Omit<TraceEvent, 'at' | 'basis' | 'seq'>;
  /** The version of the object that the operator had when it recorded the Event. */
  readonly aboutVersion: string | undefined;
  /** When it happened last, by the clock of the operator; undefined where it does not say. */
  readonly at: Within | undefined;
}

/** Undefined for an Event that names no object. */
export function readEvent(object: KubeObject): ToldEvent | undefined {
  const regarding = asRecord(object.regarding) ?? asRecord(object.involvedObject);
  const kind = asText(regarding?.kind);
  const name = asText(regarding?.name);
  if (kind === '' || name === '') return undefined;
  const about = {
    group: groupOf(asText(regarding?.apiVersion)),
    kind,
    namespace: asText(regarding?.namespace),
    name,
  };
  const series = asRecord(object.series);
  const count = [series?.count, object.count, object.deprecatedCount].find(
    (one): one is number => typeof one === 'number' && one > 0,
  );
  const times = [
    series?.lastObservedTime,
    object.lastTimestamp ?? object.deprecatedLastTimestamp,
    object.eventTime,
    object.metadata.creationTimestamp,
  ];
  const reporter =
    asText(object.reportingController) ||
    asText(object.reportingComponent) ||
    asText(asRecord(object.source)?.component) ||
    asText(asRecord(object.deprecatedSource)?.component);
  return {
    about,
    aboutVersion: asText(regarding?.resourceVersion) || undefined,
    reporter,
    at: times.map((time) => statedTime(asText(time))).find((time) => time !== undefined),
    event: {
      object: objectKey(about),
      type: asText(object.type),
      reason: asText(object.reason),
      message: asText(object.message) || asText(object.note),
      count: count ?? 1,
    },
  };
}
