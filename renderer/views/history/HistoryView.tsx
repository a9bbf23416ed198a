import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';

export function HistoryView(): ReactNode {
  return <ViewFrame tab="history">{null}</ViewFrame>;
}
