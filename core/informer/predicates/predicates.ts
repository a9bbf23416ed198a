/**
 * Predicates: the filter before an event handler. ALL predicates of a source must pass, global ones first.
 * Mirrors controller-runtime pkg/predicate. Spec: docs/spec/handlers.md
 */
import type { HandlerEvent, HasMeta } from '../handlers/event.ts';
import type { LabelMatcher } from './labelSelector.ts';

/** True when the event reaches the handler. */
export type Predicate = (event: HandlerEvent) => boolean;

/** Every object whose resourceVersion moved: drops resyncs and unchanged objects of a relist. Filters updates only. */
export const resourceVersionChanged: Predicate = onUpdate(
  (old, object) => (old.metadata.resourceVersion ?? '') !== (object.metadata.resourceVersion ?? ''),
);

/** Spec changes and the start of a deletion; drops status-only and metadata-only updates. Filters updates only. */
export const generationChanged: Predicate = onUpdate(
  (old, object) => (old.metadata.generation ?? 0) !== (object.metadata.generation ?? 0),
);

/** Filters updates only; nil and empty maps are equal. */
export const annotationChanged: Predicate = onUpdate(
  (old, object) => !sameMap(old.metadata.annotations, object.metadata.annotations),
);

/** Filters updates only; nil and empty maps are equal. */
export const labelChanged: Predicate = onUpdate(
  (old, object) => !sameMap(old.metadata.labels, object.metadata.labels),
);

/** Filters every event by one object: the new one on update, so what leaves the filter is not reconciled for that. */
export function newPredicateFuncs(filter: (object: HasMeta) => boolean): Predicate {
  return (event) => filter(event.object);
}

/** Objects whose (new) labels match. Source: predicate.LabelSelectorPredicate. */
export function labelSelectorPredicate(matcher: LabelMatcher): Predicate {
  return newPredicateFuncs((object) => matcher(object.metadata.labels));
}

/** All pass; true without any. */
export function and(...predicates: readonly Predicate[]): Predicate {
  return (event) => predicates.every((predicate) => predicate(event));
}

/** One passes; false without any. */
export function or(...predicates: readonly Predicate[]): Predicate {
  return (event) => predicates.some((predicate) => predicate(event));
}

/** The opposite, for every event type: `not(generationChanged)` drops creates, deletes and generic events too. */
export function not(predicate: Predicate): Predicate {
  return (event) => !predicate(event);
}

function onUpdate(changed: (old: HasMeta, object: HasMeta) => boolean): Predicate {
  return (event) => event.kind !== 'update' || changed(event.old, event.object);
}

type StringMap = Readonly<Record<string, string>> | null | undefined;

function sameMap(a: StringMap, b: StringMap): boolean {
  const left = Object.entries(a ?? {});
  const right = b ?? {};
  if (left.length !== Object.keys(right).length) return false;
  return left.every(([key, value]) => Object.hasOwn(right, key) && right[key] === value);
}
