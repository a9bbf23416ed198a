import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { nextStop, type StepItem, StepList } from './StepList.tsx';

const step = (id: string, at: string, opens: boolean): StepItem => ({
  id,
  at,
  icon: null,
  text: id,
  ...(opens ? { more: () => id } : {}),
});

describe('a list of steps', () => {
  it('is one stop of the Tab key, however many lines open', () => {
    const steps = ['a', 'b', 'c', 'd'].map((id) => step(id, '+1 ms', id !== 'a'));
    const html = renderToStaticMarkup(<StepList label="Steps" steps={steps} />);
    expect(html.match(/tabindex="0"/g)).toHaveLength(1);
    expect(html.match(/tabindex="-1"/g)).toHaveLength(2);
  });
  it('keeps arrows inside', () => {
    expect([nextStop(0, 3, 'ArrowUp'), nextStop(1, 3, 'ArrowDown'), nextStop(2, 3, 'ArrowDown')]).toEqual([
      0, 2, 2,
    ]);
    expect([nextStop(1, 3, 'Home'), nextStop(1, 3, 'End'), nextStop(1, 3, 'Enter')]).toEqual([
      0,
      2,
      undefined,
    ]);
  });
  it('gives times the room of the longest one', () => {
    const width = (at: string) =>
      /--step-at:(\d+)px/.exec(
        renderToStaticMarkup(<StepList label="Steps" steps={[step('a', at, false)]} />),
      );
    expect(width('+1.1 ms')?.[1]).toBe('58');
    expect(width('15:54:34–35')?.[1]).toBe('77');
  });
});
