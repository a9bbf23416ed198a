import { describe, expect, it } from 'vitest';
import type { PredictionRow } from '../../shared/contract/api.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import { cluster, kindRules, operatorUser, statusRule, workload } from '../findings/testInput.ts';
import { bind } from '../rbac/testObjects.ts';
import type { CaseFile } from '../source/caseFolder/caseFiles.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import {
  at,
  fileOf,
  folderLogLines,
  folderObjects,
  folderOperator,
  jsonYaml,
  parseJsonYaml,
  smallFolder,
  timeOf,
} from '../testing/smallFolder.ts';
import { type FolderSession, type FolderSessionOptions, openFolderSession } from './folderSession.ts';

async function open(
  files: readonly CaseFile[],
  more: Partial<FolderSessionOptions> = {},
): Promise<FolderSession> {
  const clock = new FakeClock(0);
  const opening = openFolderSession(files, {
    clock,
    parseYaml: parseJsonYaml,
    digest: (text) => `digest-${text.length}`,
    name: 'small',
    onBug: (where, error) => {
      throw new Error(where, { cause: error });
    },
    ...more,
  });
  await clock.advance(100);
  const opened = await opening;
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

describe('a folder as a session', () => {
  it('[FOLD20] stands at the moment of judgement with operator, queue and verdicts', async () => {
    const { session, asOf } = await open(smallFolder());
    expect(session.clock.now()).toBe(asOf);
    expect(session.connection().phase).toBe('live');
    expect(session.operators.profile()).toMatchObject({
      name: folderOperator,
      controllers: [{ name: 'database' }],
    });
    const { snapshot } = session.shadows.view('database');
    expect(snapshot).toMatchObject({ evidence: 'all', depth: 0, workers: 1 });
    expect(snapshot?.totals).toMatchObject({ runs: 6, success: 4, error: 2, retries: 2 });
    expect(session.verdicts.rbac().lens).toMatchObject({ gaps: 0 });
    expect(session.feeds().map(({ id, state, records }) => [id, state, records])).toEqual([
      ['log:1', 'ended', 14],
      ['audit:1', 'ended', 3],
      ['metrics:1', 'ended', 1],
    ]);
    session.dispose();
  });

  it('[FOLD21] has the predictions of the model, each made of what came before it', async () => {
    const whole = await open(smallFolder());
    const rows = whole.session.shadows.predictions('database').rows;
    expect(
      rows.map(({ prediction, outcome }) => [
        prediction.delayMs,
        prediction.madeAt - timeOf(5),
        outcome?.kind,
      ]),
    ).toEqual([
      [5, 20, 'hit'],
      [10, 40, 'hit'],
    ]);
    whole.session.dispose();
    // A folder that ends between the two says the same of the first.
    const early = smallFolder().map((file) =>
      file.name === 'asof.txt'
        ? { ...file, text: at(5.03) }
        : file.name === 'operator.log'
          ? fileOf(file.name, folderLogLines.slice(0, 9))
          : file,
    );
    const cut = await open(
      early.filter(({ name }) => name !== 'cluster.yaml' && name !== 'metrics.txt'),
      {
        profile: { file: profileFile, path: 'loopscope.yaml' },
      },
    );
    const said = (row: PredictionRow) => {
      const { key, delayMs, madeAt, runsAt, predictedAt, attempt } = row.prediction;
      return { key, delayMs, madeAt, runsAt, predictedAt, attempt };
    };
    expect(cut.session.shadows.predictions('database').rows.map(said)).toEqual(rows.slice(0, 1).map(said));
    cut.session.dispose();
  });

  it('[FOLD22] takes a loopscope.yaml for what the cluster does not show', async () => {
    const bare = smallFolder().filter(({ name }) => name !== 'cluster.yaml' && name !== 'audit.jsonl');
    const without = await open(bare);
    expect(without.session.operators.profile()).toBeUndefined();
    without.session.dispose();
    const { session } = await open(bare, { profile: { file: profileFile, path: 'loopscope.yaml' } });
    expect(session.operators.view().profileFile).toBe('loopscope.yaml');
    expect(session.shadows.view('database').snapshot?.totals).toMatchObject({ runs: 6, error: 2 });
    session.dispose();
  });

  it('[FOLD23] is about the operator that the log or the audit file is of, where there are several', async () => {
    const second: readonly KubeObject[] = [
      {
        ...workload,
        metadata: { ...workload.metadata, name: 'second' },
        spec: { template: { spec: { serviceAccountName: 'second' } } },
      },
      bind('second', 'manager', 'dbops-system', 'second'),
    ];
    const files = smallFolder().filter(({ name }) => name !== 'cluster.yaml');
    const both = jsonYaml([...folderObjects(), ...second]);
    const audited = await open([both, ...files]);
    expect(audited.session.operators.all()).toHaveLength(2);
    expect(audited.session.operators.profile()?.identity.value.user).toBe(operatorUser);
    audited.session.dispose();
    const unknown = await open([both, ...files.filter(({ name }) => name !== 'audit.jsonl')]);
    expect(unknown.session.operators.profile()).toBeUndefined();
    unknown.session.dispose();
    const named = await open([both, ...files.filter(({ name }) => name !== 'audit.jsonl')], {
      choose: (operators) => operators.find(({ name }) => name === 'second')?.id,
    });
    expect(named.session.operators.profile()?.name).toBe('second');
    expect(named.session.shadows.predictions('database').rows).toHaveLength(2);
    named.session.dispose();
  });

  it('[FOLD24] knows no rights where there is no binding, and judges none', async () => {
    const objects = cluster([...kindRules, statusRule]).filter(({ kind }) => kind !== 'ClusterRoleBinding');
    const { session } = await open([jsonYaml(objects), fileOf('operator.log', folderLogLines)]);
    expect(session.verdicts.findings().findings).toEqual([]);
    expect(session.watching.unreadable()).toContain('clusterrolebindings.rbac.authorization.k8s.io');
    session.dispose();
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('opens whatever was cut off its files (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    for (let round = 0; round < 6; round++) {
      const files = smallFolder()
        .filter(() => random() > 0.15)
        .map(({ name, text }) => {
          const cut = random() < 0.5 ? text.slice(0, Math.floor(text.length * random())) : text;
          const kept = cut.split('\n').filter(() => random() > 0.2);
          return { name, text: kept.join(random() < 0.1 ? '' : '\n') };
        });
      const { session } = await open(files);
      for (const { name } of session.operators.profile()?.controllers ?? []) {
        session.shadows.view(name);
        for (const { key, id } of session.traces.spans({ controller: name }))
          session.traces.walk({ controller: name, key, span: id });
      }
      session.dispose();
    }
  });

  it('is given up when it is aborted', async () => {
    const aborted = new AbortController();
    aborted.abort();
    const clock = new FakeClock(0);
    const opening = openFolderSession(smallFolder(), {
      clock,
      parseYaml: parseJsonYaml,
      digest: () => '',
      name: 'small',
      onBug: () => undefined,
      signal: aborted.signal,
    });
    await clock.advance(100);
    expect(await opening).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(clock.pendingTimers).toBe(0);
  });

  it('leaves no timer behind', async () => {
    const clock = new FakeClock(0);
    const { session } = await open(smallFolder(), { clock });
    session.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});

const profileFile: ProfileFile = {
  format: 1,
  operator: {
    namespace: 'dbops-system',
    serviceAccount: 'database-operator',
    fieldManagers: [folderOperator],
  },
  controllers: [
    { name: 'database', for: 'databases.db.example.com', owns: ['statefulsets.apps'], queue: 'priority' },
  ],
} as ProfileFile;
