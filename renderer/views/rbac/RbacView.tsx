import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';

export function RbacView(): ReactNode {
  return <ViewFrame tab="rbac">{null}</ViewFrame>;
}
