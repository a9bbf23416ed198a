/** The conditions of one object over time, read from its versions in the session log. */
import type { ConditionsView } from '../../shared/contract/views/structure.ts';
import type { ObjectKey } from '../../shared/model/ids.ts';
import type { EngineSession } from './engineSession.ts';
import { objectRefView } from './objectViews.ts';

export function conditionsView(session: EngineSession | undefined, key: ObjectKey): ConditionsView {
  return {
    object: objectRefView(key),
    detail: session?.watching.detailOf(key).detail ?? 'metadata',
    tracks: [],
  };
}
