import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';

export function InformersView(): ReactNode {
  return <ViewFrame tab="informers">{null}</ViewFrame>;
}
