import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { KeyHint } from './controls.tsx';
import './overlays.css';

export interface TipProps {
  /** What it says; without it the child stands alone. */
  readonly text: ReactNode;
  readonly keys?: string;
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Tooltip after 400 ms, also on focus. The child is the trigger itself, so focus order does not change. */
export function Tip({ text, keys, children }: TipProps): ReactNode {
  if (text === undefined || text === '') return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger delay={400} data-tip="" render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="tipLayer">
          <Tooltip.Popup className="tip">
            {text}
            {keys !== undefined && keys !== '' && <KeyHint keys={keys} />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
