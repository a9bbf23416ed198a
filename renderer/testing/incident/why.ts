/** The landing page of the invented incident. */
import type { WhyView } from '../../../shared/contract/views/why.ts';
import { objects } from './objectRefs.ts';

export function whyOf(key: string): WhyView {
  return {
    object: objects(key),
    known: true,
    health: 'unknown',
    verdict: { id: 'why.noCause', params: {} },
    chain: [],
    checks: [],
  };
}
