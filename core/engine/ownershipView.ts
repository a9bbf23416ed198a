/** Owners and owned objects around one object, and what its deletion waits for. */
import type { OwnershipView } from '../../shared/contract/views/structure.ts';
import type { ObjectKey } from '../../shared/model/ids.ts';
import type { LiveSession } from './liveSession.ts';
import { objectRefView } from './objectViews.ts';

export function ownershipView(_session: LiveSession | undefined, key: ObjectKey): OwnershipView {
  return { object: objectRefView(key), nodes: [], edges: [], folded: [], holds: [], unreadable: [] };
}
