import { expect, test } from 'vitest';
import type { FeedRow } from '../../shared/contract/views/sources.ts';
import { endedChild } from './ChildEnded.tsx';

function feed(kind: FeedRow['kind'], state: FeedRow['state'], detail = ''): FeedRow {
  return { id: `${kind}:${detail}`, kind, label: kind, state, records: 0, unparsed: 0, detail };
}

test('the child of run, once it ended; other feeds that end do not count', () => {
  const ended = feed('child', 'ended', 'ended with code 1');
  expect(endedChild([feed('metrics', 'failed'), ended])).toBe(ended);
  expect(endedChild([feed('child', 'live')])).toBeUndefined();
  expect(endedChild([feed('log', 'ended'), feed('stdin', 'ended')])).toBeUndefined();
  expect(endedChild([])).toBeUndefined();
});
