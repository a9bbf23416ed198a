import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CodePatch, toLines } from './CodePatch.tsx';

const textOf = (html: string) => html.replace(/<[^>]+>/g, '').replaceAll('&#x27;', "'");

it('keeps words whole where a line wraps, and changes no character', () => {
  const command =
    "kubectl -n shop scale deployment a-b --replicas 1 \\\n  --type=json -p '[]' -\n- verbs: [get]";
  const html = renderToStaticMarkup(<CodePatch label="Command" lines={toLines(command, true)} />);
  expect(textOf(html)).toBe(`${command}\n`);
  const whole = [...html.matchAll(/class="patchWord">([^<]*)</g)].map(([, word]) => word);
  expect(whole).toEqual(['-n', 'a-b', '--replicas', '--type=json', '-p']);
});
