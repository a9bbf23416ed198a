/** Sources, revisions and history of the invented incident. */
import type {
  ControllerHistory,
  ModelCheck,
  RevisionState,
  SourceOffers,
  SourceRow,
} from '../../../shared/contract/views/traces.ts';

export const sourceRows: readonly SourceRow[] = [];
export const offers: SourceOffers = { offers: [] };
export const revision: RevisionState = {
  revision: 0,
  state: 'idle',
  done: 0,
  total: 0,
  added: 0,
  changed: 0,
  removed: 0,
  cancelled: false,
};

export function historyOf(controller: string): ControllerHistory {
  return { controller, slotMs: 10_000, from: 0, to: 0, series: [], marks: [], reason: 'no-controller' };
}

export function modelCheckOf(controller: string): ModelCheck {
  return { controller, rows: [], reason: 'no-controller' };
}
