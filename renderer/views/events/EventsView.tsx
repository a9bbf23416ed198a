import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';

export function EventsView(): ReactNode {
  return <ViewFrame tab="events">{null}</ViewFrame>;
}
