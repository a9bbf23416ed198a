import type { ReactNode } from 'react';

/** Counts as columns, newest right; an empty slot is nothing, one event is at least 2 px. Decoration: the number stands beside it. */
export function Sparkline(props: { readonly counts: readonly number[] }): ReactNode {
  // A few events an hour must not look like a storm: below eight a slot the scale stays.
  const max = Math.max(8, ...props.counts);
  const slots = Math.max(1, props.counts.length);
  const step = 3;
  return (
    <svg width={slots * step} height={16} viewBox={`0 0 ${slots * step} 16`} aria-hidden="true">
      {props.counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(2, (count / max) * 14);
        const id = `${index}`;
        if (height === 0) return null;
        return (
          <rect
            key={id}
            x={index * step}
            y={16 - height}
            width={2}
            height={height}
            fill="var(--ink-secondary)"
          />
        );
      })}
    </svg>
  );
}
