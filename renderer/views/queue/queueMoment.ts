import { createContext, useContext } from 'react';
import { useMoment } from '../../state/useConnection.ts';

/** When the snapshot on screen was made, ms. */
export const SnapshotAtContext = createContext(0);

/**
 * The moment of the queue: now, and while the cluster is lost the last contact, but never before the snapshot itself:
 * a log that is still followed moves the model on.
 */
export function useQueueMoment(stepMs: 250 | 1000): number {
  return Math.max(useMoment(stepMs), useContext(SnapshotAtContext));
}
