import type { ObjectMeta } from '../../../shared/model/kube.ts';

/**
 * What an informer hands to predicates and event handlers: the second step of the control loop, between the cache and
 * the workqueue. Only metadata is looked at, so a PartialObjectMetadata will do.
 * Source: controller-runtime pkg/event, pkg/internal/source/event_handler.go.
 */
export interface HasMeta {
  readonly metadata: Partial<ObjectMeta>;
}

export type HandlerEvent<T extends HasMeta = HasMeta> =
  /** `isInInitialList`: part of the list with which the informer started. */
  | { readonly kind: 'create'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly kind: 'update'; readonly old: T; readonly object: T }
  /** `stateUnknown`: found missing by a relist; `object` is the last state known. */
  | { readonly kind: 'delete'; readonly object: T; readonly stateUnknown?: boolean }
  | { readonly kind: 'generic'; readonly object: T };
