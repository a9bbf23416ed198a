import type { ReactNode } from 'react';

/** Characters at the end that stay: replicas, files and addresses differ there. */
const tail = 16;

/** One line of text that loses its middle where it does not fit; around it somebody tells the whole as a title. */
export function MiddleCut({ text }: { readonly text: string }): ReactNode {
  if (text.length <= tail * 1.5) return <span className="middleHead">{text}</span>;
  return (
    <>
      <span className="middleHead">{text.slice(0, -tail)}</span>
      <span className="middleTail">{text.slice(-tail)}</span>
    </>
  );
}
