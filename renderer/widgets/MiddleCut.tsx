import type { ReactNode } from 'react';
import './middleCut.css';

/** Characters at the end that stay: replicas, files and addresses differ there. */
const tail = 16;

/** One line of text that loses its middle where it does not fit; the whole is in the tooltip. */
export function MiddleCut(props: {
  readonly text: string;
  /** Says more than the whole text, and holds it. */
  readonly title?: string | undefined;
}): ReactNode {
  const { text } = props;
  const long = text.length > tail * 1.5;
  return (
    <span className="middleCut" title={props.title ?? text}>
      <span className="middleHead">{long ? text.slice(0, -tail) : text}</span>
      {long && (
        <span className="middleTail">
          <bdi>{text.slice(-tail)}</bdi>
        </span>
      )}
    </span>
  );
}
