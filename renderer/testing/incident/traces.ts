/** Reconciles of the invented incident. */
import type { SpanView, WalkView } from '../../../shared/contract/views/traces.ts';
import type { SpanRow } from '../../../shared/model/trace.ts';

export const spans: readonly SpanRow[] = [];

export function spanOf(id: string): SpanView {
  return { id, state: 'unknown' };
}

export const walk: WalkView = { reason: 'no-controller' };
