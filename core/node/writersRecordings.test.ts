/** Writers of recorded versions against the API server's audit of the same run. Skipped where the recordings are not. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import { compareVersions } from '../objects/diff.ts';

const root =
  process.env.LOOPSCOPE_RECORDINGS ?? fileURLToPath(new URL('../../../shared/recordings', import.meta.url));

interface Write {
  readonly verb: string;
  readonly subresource: string;
  readonly resourceVersion: string;
  readonly noChange?: boolean;
}
interface Ground {
  readonly writes: Readonly<Record<string, readonly Write[]>>;
}
interface WatchLine {
  readonly type: string;
  readonly object: KubeObject;
}

const managers: readonly (readonly [run: RegExp, manager: RegExp])[] = [
  [/jobset/, /^jobset$/],
  [/rabbitmq/, /^rabbitmq$/],
  [/certmanager/, /^cert-manager/],
];

function judge(run: string) {
  const folder = `${root}/${run}`;
  const ground = JSON.parse(readFileSync(`${folder}/ground.json`, 'utf8')) as Ground;
  const writes = new Map(
    Object.values(ground.writes)
      .flat()
      .filter((write) => !write.noChange && write.verb !== 'delete')
      .map((write) => [write.resourceVersion, write]),
  );
  const manager = managers.find(([name]) => name.test(run))?.[1] ?? /^$/;
  const last = new Map<string, KubeObject>();
  const wrong: string[] = [];
  let right = 0;
  for (const line of readFileSync(`${folder}/watch.jsonl`, 'utf8').split('\n')) {
    if (line === '') continue;
    const { type, object } = JSON.parse(line) as WatchLine;
    if (type === 'BOOKMARK') continue;
    const key = `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    const op = type === 'DELETED' ? 'deleted' : type === 'ADDED' ? 'added' : 'modified';
    const { writers, summary } = compareVersions(last.get(key), object, op);
    last.set(key, object);
    const [writer] = writers;
    const write = writes.get(object.metadata.resourceVersion ?? '');
    const byOperator = writer !== undefined && manager.test(writer.manager);
    const fits =
      write === undefined ? !byOperator : byOperator && (writer.subresource ?? '') === write.subresource;
    // Before the audit begins, the operator may have written what the first list shows.
    if (fits) right += write === undefined ? 0 : 1;
    else if (write !== undefined || op === 'modified')
      wrong.push(`${key}: ${JSON.stringify(writer)} for ${summary}`);
  }
  return { right, wrong };
}

const runs = existsSync(root)
  ? readdirSync(root).filter((name) => existsSync(`${root}/${name}/ground.json`))
  : [];

describe.skipIf(runs.length === 0)('recorded writes (skipped where the recordings are not)', () => {
  test.each(runs)('[OBJ10] %s: the writer of each version is the one the audit names', (run) => {
    expect(judge(run).wrong).toEqual([]);
  });

  test('[OBJ10] over all runs some hundred writes were judged', () => {
    expect(runs.reduce((sum, run) => sum + judge(run).right, 0)).toBeGreaterThan(700);
  });
});
