/** The Events filter of the engine: the grammar of every list (shared/model/filter.ts) over the fields of an event. */
import { eventSchema } from '../../shared/contract/views/eventFilter.ts';
import type { EventRow } from '../../shared/contract/views/objects.ts';
import { compileFilter } from '../../shared/model/filter.ts';

/** Never fails: what is not understood narrows nothing, and the window says so. */
export function compileEventFilter(text: string): (row: EventRow) => boolean {
  return compileFilter(text, eventSchema).test;
}
