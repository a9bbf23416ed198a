import type { ReactNode } from 'react';

/** One line of text that may be cut at its end: the whole is in the tooltip. */
export function Cut(props: { readonly text: string | undefined; readonly className?: string }): ReactNode {
  return (
    <span className={`cut ${props.className ?? ''}`} title={props.text}>
      {props.text}
    </span>
  );
}
