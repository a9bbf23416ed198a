import { describe, expect, it } from 'vitest';
import { toDisposable } from '../../../shared/base/disposable.ts';
import { ok } from '../../../shared/base/result.ts';
import { TextResponse } from '../../testing/scriptedCluster.ts';
import type { KubeTransport } from '../transport.ts';
import { reviewAccess, serverVersion, whoAmI } from './reviews.ts';

const { signal } = new AbortController();
const question = {
  user: 'bob',
  groups: [],
  verb: 'get',
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: '',
};

/** A server that gives one answer to everything. */
function answering(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): KubeTransport {
  return {
    request: async () => ok(new TextResponse(status, text, headers)),
    onRequest: () => toDisposable(() => {}),
    dispose: () => {},
  };
}

describe('questions to the API server', () => {
  it('reads version, user and answer', async () => {
    expect(await serverVersion(answering('{"gitVersion":"v1.37.2"}'), signal)).toEqual(
      ok({ version: 'v1.37.2' }),
    );
    const me = '{"status":{"userInfo":{"username":"bob","groups":["dev",7]}}}';
    expect(await whoAmI(answering(me, 201), signal)).toEqual(ok({ user: 'bob', groups: ['dev'] }));
    const answer = answering('{"status":{"allowed":true,"reason":"RBAC"}}', 201);
    expect(await reviewAccess(answer, question, signal)).toEqual(ok({ allowed: true, reason: 'RBAC' }));
  });

  it('takes the clock of the server from the Date of its answer', async () => {
    const dated = answering('{"gitVersion":"v1"}', 200, { date: 'Mon, 30 Nov 2026 09:00:00 GMT' });
    expect(await serverVersion(dated, signal)).toEqual(
      ok({ version: 'v1', date: Date.parse('2026-11-30T09:00:00Z') }),
    );
  });

  it('tells another program on the port from an API server, without repeating what it said', async () => {
    for (const text of ['null', '[]', '7', '{}', '{"gitVersion":7}', '<html>secret</html>', '']) {
      const version = await serverVersion(answering(text), signal);
      expect(version, text).toMatchObject({ ok: false, error: { code: 'unreachable' } });
      expect(JSON.stringify(version)).not.toContain('secret');
    }
  });

  it('takes junk for no answer', async () => {
    for (const text of ['null', '[]', '{"status":null}', '{"status":{"userInfo":5,"allowed":"yes"}}']) {
      expect(await whoAmI(answering(text), signal), text).toEqual(ok(undefined));
      expect(await reviewAccess(answering(text), question, signal)).toEqual(
        ok({ allowed: false, reason: '' }),
      );
    }
  });
});
