import type { ReactNode } from 'react';

export function DropZone(): ReactNode {
  return null;
}
