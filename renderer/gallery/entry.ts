import type { ReactNode } from 'react';

/** One widget of the gallery with its states. */
export interface Entry {
  /** Anchor: `#button`. */
  readonly id: string;
  /** Exported components of renderer/widgets that it shows; a test wants each of them somewhere. */
  readonly shows: readonly string[];
  /** Props in short, as one would pass them. */
  readonly props: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly state: string;
  readonly node: ReactNode;
  /** Drawn as if the pointer, the focus or a press were on its first control or row. */
  readonly force?: 'hover' | 'focus' | 'active';
  /** Takes the whole width. */
  readonly wide?: boolean;
}

/** The same node at rest, under the pointer, with the focus and pressed. */
export function interactive(of: () => ReactNode, wide = false): readonly Sample[] {
  return [
    { state: 'rest', node: of(), wide },
    { state: 'hover', node: of(), force: 'hover', wide },
    { state: 'focus', node: of(), force: 'focus', wide },
    { state: 'pressed', node: of(), force: 'active', wide },
  ];
}
