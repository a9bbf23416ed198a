import { Fragment, type ReactNode } from 'react';
import './codePatch.css';

export interface CodeLine {
  readonly text: string;
  readonly added: boolean;
}

/** YAML or a marker: what exists as context, what to add in green with a bar (not by hue alone: a + is read out). */
export function CodePatch(props: { readonly lines: readonly CodeLine[]; readonly label: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
    // biome-ignore lint/a11y/useSemanticElements: preformatted text that is also a region
    <pre className="patch" aria-label={props.label} tabIndex={0} role="region">
      {props.lines.map((line, index) => {
        const id = `${index} ${line.text}`;
        return (
          <code key={id} className={line.added ? 'patchLine patchAdded' : 'patchLine'}>
            {line.added ? <ins>{words(line.text)}</ins> : words(line.text)}
            {'\n'}
          </code>
        );
      })}
    </pre>
  );
}

/** A word longer than this may break inside. */
const wholeWord = 28;

/** Where lines wrap they do so between words: a browser breaks `--namespace` and `orders-db` after their dashes. */
function words(text: string): ReactNode {
  return text.split(/(\s+)/).map((word, index) => {
    const id = `${index} ${word}`;
    const whole = word.includes('-') && word.length > 1 && word.length <= wholeWord;
    if (!whole) return <Fragment key={id}>{word}</Fragment>;
    return (
      <span key={id} className="patchWord">
        {word}
      </span>
    );
  });
}

export function toLines(text: string, added: boolean): readonly CodeLine[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ text: line, added }));
}
