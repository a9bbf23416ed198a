import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { RecordHead } from '../session/record.ts';
import type { CaseFile } from '../source/caseFolder/caseFiles.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { at, fileOf, jsonYaml, orders, parseJsonYaml, smallFolder, timeOf } from '../testing/smallFolder.ts';
import { type FolderInput, type FolderLog, folderLog } from './folderLog.ts';

function open(files: readonly CaseFile[], without: readonly FolderInput[] = []): FolderLog {
  return folderLog(files, {
    clock: new FakeClock(0),
    parseYaml: parseJsonYaml,
    digest: (text) => `digest-${text.length}`,
    name: 'small',
    without,
  });
}

function heads({ log }: FolderLog): readonly RecordHead[] {
  return [...log.heads({})];
}

/** `watch:v1/pods modified 12.5`: source, op and seconds. */
function told(folder: FolderLog, kinds: readonly RecordHead['kind'][] = ['object']): readonly string[] {
  return [...folder.log.heads({ kinds })].map(
    ({ source, op, kind, at: { hi }, initial }) =>
      `${source} ${op ?? kind}${initial ? ' initial' : ''} ${(hi - timeOf(0)) / 1000}`,
  );
}

describe('the files of a folder as records', () => {
  it('[FOLD1] come by time, each source in its own order', () => {
    const folder = open(smallFolder());
    const times = heads(folder).map(({ receivedAt }) => receivedAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(folder).toMatchObject({ from: timeOf(0), asOf: timeOf(10), problems: [] });
    const lines = told(folder, ['object', 'log', 'audit', 'metrics']);
    expect(lines.filter((line) => line.includes('databases'))).toEqual([
      'watch:db.example.com/v1/databases listed initial 0',
      'watch:db.example.com/v1/databases modified 1.06',
      'watch:db.example.com/v1/databases modified 4.999',
      'watch:db.example.com/v1/databases modified 5.08',
    ]);
    expect(lines.slice(-9)).toEqual([
      'log:1 log 5.026',
      'log:1 log 5.04',
      'log:1 log 5.051',
      'audit:1 audit 5.079',
      'watch:db.example.com/v1/databases modified 5.08',
      'log:1 log 5.09',
      'log:1 log 5.091',
      'log:1 log 5.1',
      'metrics:1 metrics 10',
    ]);
  });

  it('[FOLD2] have what did not change since the beginning there, and the rest of the list at the end', () => {
    const late: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'late', namespace: 'shop', creationTimestamp: at(7) },
    };
    const [cluster, ...rest] = smallFolder();
    const folder = open([
      { name: 'cluster.yaml', text: `${cluster?.text}---\n${JSON.stringify(late)}` },
      ...rest,
    ]);
    const lines = told(folder);
    expect(lines).toContain('watch:apps/v1/deployments listed initial 0');
    expect(lines).toContain('watch:rbac.authorization.k8s.io/v1/clusterroles listed initial 0');
    expect(lines.at(-1)).toBe('watch:v1/configmaps listed initial 10');
    // What the events left is not told again.
    expect(lines.filter((line) => line.includes('statefulsets'))).toEqual([
      'watch:apps/v1/statefulsets added 1.05',
    ]);
  });

  it('[FOLD3] tell what a later list shows of a watched object, and whole objects of cut events', () => {
    const files = (listed: KubeObject) => [
      jsonYaml([listed]),
      fileOf('watch.jsonl', [{ at: at(1), type: 'MODIFIED', object: orders('111') }]),
      { name: 'asof.txt', text: at(9) },
    ];
    expect(told(open(files(orders('131'))))).toEqual([
      'watch:db.example.com/v1/databases modified 1',
      'watch:db.example.com/v1/databases relisted 9',
    ]);
    expect(told(open(files({ ...orders('111'), spec: { whole: true } })))).toEqual([
      'watch:db.example.com/v1/databases modified 1',
      'watch:db.example.com/v1/databases listed initial 9',
    ]);
    expect(told(open(files(orders('111'))))).toEqual(['watch:db.example.com/v1/databases modified 1']);
  });

  it('[FOLD4] know what a stream began with, by bookmarks, else by the age of the object', () => {
    const watch = (lines: readonly object[]) => told(open([fileOf('watch.jsonl', lines)]));
    const added = (seconds: number) => ({ at: at(seconds), type: 'ADDED', object: orders('100') });
    expect(watch([added(0)])).toEqual(['watch:db.example.com/v1/databases listed initial 0']);
    const fresh = { ...orders('100'), metadata: { ...orders('100').metadata, creationTimestamp: at(3) } };
    expect(watch([{ at: at(3.4), type: 'ADDED', object: fresh }])).toEqual([
      'watch:db.example.com/v1/databases added 3.4',
    ]);
    const deleted = { at: at(4), type: 'DELETED', object: fresh };
    expect(watch([{ at: at(3.4), type: 'ADDED', object: fresh }, deleted, added(5)])[1]).toBe(
      'watch:db.example.com/v1/databases deleted 4',
    );
  });

  it('[FOLD5] give lines without a time that of the line before, and blank lines their number', () => {
    const log = fileOf('operator.log', [
      'no time yet',
      { level: 'error', ts: at(2), msg: 'Observed a panic' },
      'goroutine 1 [running]:',
      '',
      { level: 'info', ts: '2026-03-10T14:00:03Z', msg: 'whole seconds' },
    ]);
    const lines = [...open([log, { name: 'asof.txt', text: at(10) }]).log.heads({ kinds: ['log'] })];
    expect(lines.map(({ at: { lo, hi } }) => [lo - timeOf(0), hi - timeOf(0)])).toEqual([
      [2000, 2000],
      [2000, 2000],
      [2000, 2000],
      [2000, 2000],
      [3000, 3999],
    ]);
  });

  it('[FOLD5] put together what a container runtime cut, and a value over several lines', () => {
    const log = fileOf('operator.log', [
      '2026-03-10T14:00:01.000000000Z stderr P {"level":"error","ts":"2026-03-10T14:00:01Z",',
      '2026-03-10T14:00:01.000000001Z stderr F "msg":"Reconciler error","controller":"database"}',
    ]);
    const { log: records } = open([log, { name: 'asof.txt', text: at(10) }]);
    const facts = [...records.heads({ kinds: ['log'] })].flatMap(({ seq }) => records.facts(seq) ?? []);
    expect(facts).toMatchObject([{ entry: { msg: 'Reconciler error', controller: 'database' } }]);
  });

  it('[FOLD6] leave out what is asked to be left out, and what is later than the moment of judgement', () => {
    const kinds = (folder: FolderLog) => new Set(heads(folder).map(({ source }) => source.split(':')[0]));
    expect(kinds(open(smallFolder(), ['audit', 'metrics']))).toEqual(new Set(['self', 'watch', 'log']));
    expect(kinds(open(smallFolder(), ['log', 'audit', 'metrics', 'cluster', 'watch']))).toEqual(
      new Set(['self']),
    );
    expect(open(smallFolder(), ['audit']).inputs).toEqual(['cluster', 'watch', 'log', 'metrics']);
    const early = smallFolder().map((file) => (file.name === 'asof.txt' ? { ...file, text: at(3) } : file));
    const folder = open(early, ['cluster', 'metrics']);
    expect(Math.max(...heads(folder).map(({ receivedAt }) => receivedAt))).toBe(timeOf(3));
    expect([...folder.log.heads({ kinds: ['log'] })]).toHaveLength(6);
  });

  it('[FOLD7] place scrapes by their names, the one without at the end', () => {
    const folder = open([
      { name: 'metrics.txt', text: 'a 3\n' },
      { name: 'metrics-20260310T140010Z.txt', text: 'a 2\n' },
      { name: 'metrics-20260310T140000Z.txt', text: 'a 1\n' },
      { name: 'asof.txt', text: at(15) },
    ]);
    const scrapes = [...folder.log.heads({ kinds: ['metrics'] })];
    expect(scrapes.map(({ seq }) => folder.log.payload(seq))).toEqual(['a 1\n', 'a 2\n', 'a 3\n']);
    expect(scrapes.map(({ at: { lo, hi } }) => [lo - timeOf(0), hi - timeOf(0)])).toEqual([
      [0, 999],
      [10_000, 10_999],
      [10_000, 15_000],
    ]);
  });

  it('[FOLD8] hold no Secret data and no last-applied configuration', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 's',
        namespace: 'shop',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'CANARY' },
      },
      data: { password: 'CANARY' },
    };
    const folder = open([
      jsonYaml([secret]),
      fileOf('watch.jsonl', [{ at: at(1), type: 'ADDED', object: secret }]),
    ]);
    const texts = heads(folder).map(({ seq }) => folder.log.payload(seq) ?? '');
    expect(texts.some((text) => text.includes('"Secret"'))).toBe(true);
    expect(texts.join('\n')).not.toContain('CANARY');
  });

  it('[FOLD9] say of a folder without bindings or CRDs that they are not known', () => {
    const undiscovered = (files: readonly CaseFile[]) => {
      const { log } = open(files);
      const [head] = log.heads({ kinds: ['discovery'] });
      return (JSON.parse(log.payload(head?.seq ?? (0 as never)) ?? '{}') as { undiscovered: unknown })
        .undiscovered;
    };
    expect(undiscovered(smallFolder())).toEqual([]);
    expect(undiscovered([fileOf('operator.log', ['x'])])).toEqual([
      'rbac.authorization.k8s.io/v1',
      'apiextensions.k8s.io/v1',
    ]);
  });

  it('are there whatever the files hold', () => {
    const odd: readonly CaseFile[] = [
      { name: 'cluster.yaml', text: '{broken\n---\n{"kind":"Nameless"}' },
      fileOf('watch.jsonl', ['nonsense', '{"type":"ADDED"}', '{"at":5,"type":"MODIFIED","object":{}}']),
      fileOf('audit.jsonl', ['{}', '']),
      { name: 'operator.log', text: '\u0000\n\n' },
      { name: 'metrics-00000000T000000Z.txt', text: '' },
      { name: 'asof.txt', text: 'yesterday' },
    ];
    const folder = open(odd);
    expect(folder.problems.map(({ file }) => file)).toEqual([
      'cluster.yaml',
      'cluster.yaml',
      'watch.jsonl',
      'watch.jsonl',
      'watch.jsonl',
      'audit.jsonl',
      'asof.txt',
    ]);
    expect(open([])).toMatchObject({ asOf: 0, from: 0, inputs: [] });
  });
});
