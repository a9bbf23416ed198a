import type { ReactNode } from 'react';

/** A loop that is looked into: three quarters of a ring with its arrow, and the eye. */
export function Logo({ size = 18 }: { readonly size?: number }): ReactNode {
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 18 18" fill="none" aria-hidden="true">
      <path d="M14.7 5.2A7 7 0 1 0 16 9.6" stroke="var(--accent)" strokeWidth="2" strokeLinecap="round" />
      <path
        d="M15.6 1.6v4.2h-4.2"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="9" cy="9" r="2.4" fill="var(--accent)" />
    </svg>
  );
}
