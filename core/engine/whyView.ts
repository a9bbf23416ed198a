/** The landing page of one object: why it is not Ready, since when, and what next. */
import type { WhyView } from '../../shared/contract/views/why.ts';
import type { ObjectKey } from '../../shared/model/ids.ts';
import type { EngineSession } from './engineSession.ts';
import { objectRefView } from './objectViews.ts';

export function whyView(session: EngineSession | undefined, key: ObjectKey): WhyView {
  const state = session?.index.get(key);
  return {
    object: objectRefView(key),
    known: state !== undefined,
    health: 'unknown',
    verdict: { id: state === undefined ? 'why.unknownObject' : 'why.noCause', params: {} },
    chain: [],
    checks: [],
  };
}
