/** What the command line gives the desktop program is what that reads: the two ends of one agreement. */
import { describe, expect, test } from 'vitest';
import { parseArgs } from '../../cli/args.ts';
import { start } from '../../cli/commands.ts';
import { electronArguments } from '../../cli/desktop.ts';
import { readArguments } from '../../electron/openRequests.ts';

function read(argv: readonly string[], open: Parameters<typeof electronArguments>[1] = {}) {
  const parsed = parseArgs(start, argv);
  if (!parsed.ok) throw new Error(parsed.error);
  // Another folder on the other side: paths must not depend on it.
  return readArguments(
    electronArguments(parsed.value, open, (path) => `/here/${path}`),
    '/elsewhere',
  );
}

describe('[ST4] what start was given reaches the engine of the desktop program', () => {
  test('every connection and feed flag', () => {
    const { open, engine } = read([
      ...['--kubeconfig', 'kube', '--context', 'admin@kind dev', '-n', 'team-a', '--namespace=team-b'],
      ...['--log', 'op.log', '--audit', 'audit.jsonl', '--profile', 'loopscope.yaml'],
      ...['--metrics', 'http://127.0.0.1:8080/metrics?a=b'],
    ]);
    expect(open).toEqual([]);
    expect(engine).toEqual({
      kubeconfig: '/here/kube',
      context: 'admin@kind dev',
      namespaces: ['team-a', 'team-b'],
      log: '/here/op.log',
      audit: '/here/audit.jsonl',
      profile: '/here/loopscope.yaml',
      metrics: 'http://127.0.0.1:8080/metrics?a=b',
    });
  });

  test('an incident, a session, nothing', () => {
    expect(read([], { demo: 'hot-loop' }).engine).toEqual({ namespaces: [], demo: 'hot-loop' });
    expect(read([], { session: 'a b.loopscope' }).open).toEqual([
      { type: 'open', path: '/here/a b.loopscope' },
    ]);
    expect(read([])).toEqual({ open: [], engine: { namespaces: [] } });
  });

  test('no flag of start is forgotten: each is given on or belongs to the place', () => {
    const ofThePlace = ['demo', 'browser', 'electron', 'port', 'no-open'];
    const values = start.flags.filter(({ name }) => !ofThePlace.includes(name));
    for (const { name } of values) {
      const { engine } = read([`--${name}=x`]);
      expect(Object.keys(engine).length, `--${name}`).toBe(name === 'namespace' ? 1 : 2);
    }
  });
});
