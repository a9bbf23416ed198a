import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';

export function QueueView(): ReactNode {
  return <ViewFrame tab="queue">{null}</ViewFrame>;
}
