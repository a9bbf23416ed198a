import type { ReactNode } from 'react';
import './codePatch.css';

/** YAML with its keys set apart. Long documents stay plain text nodes: no highlighter, one element a line. */
export function Yaml(props: { readonly text: string; readonly label: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: preformatted text that is also a region
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
    <pre className="patch" aria-label={props.label} role="region" tabIndex={0}>
      {props.text
        .replace(/\n$/, '')
        .split('\n')
        .map((line, index) => {
          const id = `${index} ${line}`;
          const match = /^(\s*(?:- )*)([^\s:][^:]*)(:)(\s.*|$)/.exec(line);
          return (
            <code key={id} className="patchLine yamlLine">
              {match === null ? (
                line
              ) : (
                <>
                  {match[1]}
                  <span className="yamlKey">{match[2]}</span>
                  <span className="tertiary">:</span>
                  {match[4]}
                </>
              )}
              {'\n'}
            </code>
          );
        })}
    </pre>
  );
}
