import type { ReactNode } from 'react';

export function ProfileDialog(): ReactNode {
  return null;
}
