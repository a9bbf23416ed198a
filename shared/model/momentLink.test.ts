import { describe, expect, test } from 'vitest';
import { type MomentLink, parseMomentLink, printMomentLink } from './momentLink.ts';

describe('links to a moment', () => {
  test.each<MomentLink>([
    {},
    { session: '20261130T083702Z-kind-dev.loopscope', object: 'db.example.com/Database/shop/orders-db' },
    { tab: 'timeline', seq: 160418, at: 1757600000000 },
    {
      object: 'db.example.com/Database/shop/orders-db',
      tab: 'timeline',
      span: 'database shop/orders-db 171902',
    },
    { object: '/ConfigMap/a b/c&d=é' },
  ])('%o comes back as it went', (link) => {
    expect(parseMomentLink(printMomentLink(link))).toEqual(link);
  });

  test('anything else is no link', () => {
    for (const text of ['', 'https://open?seq=1', 'loopscope://delete?session=a', 'loopscope:open?seq=1'])
      expect(parseMomentLink(text)).toBeUndefined();
  });

  test('a session is a name, never a path; wrong fields are left out', () => {
    expect(parseMomentLink('loopscope://open?session=../../etc/passwd&seq=-1&at=x&tab=queue')).toEqual({
      tab: 'queue',
    });
    expect(parseMomentLink(`loopscope://open?session=..&object=${'a'.repeat(501)}`)).toEqual({});
  });
});
