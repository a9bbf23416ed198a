import { expect, test } from 'vitest';
import type { FeedSink } from '../core/engine/host.ts';
import { createChildFeed } from './childFeed.ts';
import { browserCommand } from './openBrowser.ts';

function recordingSink() {
  const said: string[] = [];
  const sink: FeedSink = {
    lines: (lines) => said.push(...lines.map((line) => `${line.receivedAt} ${line.text}`)),
    gap: (text) => said.push(`gap ${text}`),
    state: (state) => said.push(state),
  };
  return { sink, said };
}
const line = (text: string, receivedAt: number) => ({ text, receivedAt, backlog: false });

test('what was said before a session reaches it with its own time, and each later session again', () => {
  const feed = createChildFeed('make run');
  feed.lines([line('a', 1)]);
  const first = recordingSink();
  const running = feed.start(first.sink);
  feed.lines([line('b', 2)]);
  running.dispose();
  feed.lines([line('c', 3)]);
  feed.end('ended with code 0');
  expect(first.said).toEqual(['live', '1 a', '2 b']);
  const second = recordingSink();
  feed.start(second.sink);
  expect(second.said).toEqual(['live', '1 a', '2 b', '3 c', 'ended']);
});

test('a chatty child does not grow the memory; what a later session misses is told', () => {
  const feed = createChildFeed('x');
  for (let round = 0; round < 20; round++) feed.lines([line('y'.repeat(1024 * 1024), round)]);
  const late = recordingSink();
  feed.start(late.sink);
  expect(late.said.length).toBeLessThan(12);
  expect(late.said[1]).toMatch(/^gap the first \d+ lines/);
  expect(late.said.at(-1)).toMatch(/^19 y/);
});

test('a browser is opened only where there is a desktop', () => {
  expect(browserCommand('u', 'linux', {})).toBeUndefined();
  expect(browserCommand('u', 'linux', { DISPLAY: ':0' })).toEqual(['xdg-open', 'u']);
  expect(browserCommand('u', 'linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open', 'u']);
  expect(browserCommand('u', 'darwin', {})).toEqual(['open', 'u']);
  expect(browserCommand('u', 'win32', {})?.[0]).toBe('rundll32');
});
