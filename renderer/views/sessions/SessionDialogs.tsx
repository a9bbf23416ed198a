import type { ReactNode } from 'react';

export function SessionDialogs(): ReactNode {
  return null;
}
