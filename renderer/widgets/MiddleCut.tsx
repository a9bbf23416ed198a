import type { ReactNode } from 'react';
import './middleCut.css';

/** Characters at the end that stay: replicas, files and addresses differ there. */
const tail = 16;

/** One line of text that loses its middle where it does not fit; the whole is in the tooltip. */
export function MiddleCut({ text }: { readonly text: string }): ReactNode {
  const long = text.length > tail * 1.5;
  return (
    <span className="middleCut" title={text}>
      <span className="middleHead">{long ? text.slice(0, -tail) : text}</span>
      {long && <span className="middleTail">{text.slice(-tail)}</span>}
    </span>
  );
}
