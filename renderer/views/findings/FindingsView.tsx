import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';

export function FindingsView(): ReactNode {
  return <ViewFrame tab="findings">{null}</ViewFrame>;
}
