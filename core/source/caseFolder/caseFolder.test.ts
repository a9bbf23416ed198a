import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/model/kube.ts';
import {
  auditLine,
  cluster,
  database,
  kindRules,
  refusalText,
  refusedLine,
  statusRule,
  statusWriter,
} from '../../findings/testInput.ts';
import { type CaseFile, checkCase, readCase } from './caseFolder.ts';

/** YAML holds JSON: the library is not needed to test what a folder means. */
function parseYaml(text: string): unknown {
  const content = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .trim();
  return content === '' ? null : JSON.parse(content);
}

function yaml(objects: readonly unknown[]): CaseFile {
  return { name: 'cluster.yaml', text: objects.map((one) => JSON.stringify(one)).join('\n---\n') };
}

function lines(name: string, texts: readonly string[]): CaseFile {
  return { name, text: `${texts.join('\n')}\n` };
}

const asOf: CaseFile = { name: 'asof.txt', text: '2026-03-10T14:30:00Z\n' };
const log = lines('operator.log', [refusedLine(3), refusedLine(9)]);
const audit = lines('audit.jsonl', [auditLine(403, 3)]);
const refusedFolder = [yaml(cluster(kindRules)), asOf, log, audit];

function fired(files: readonly CaseFile[]): readonly string[] {
  return checkCase(files, parseYaml).findings.map(({ severity, basis }) => `${severity} ${basis.kind}`);
}

describe('case folder', () => {
  it('judges all files together, evidence with file and line', () => {
    const check = checkCase(refusedFolder, parseYaml);
    expect(check).toMatchObject({ asOf: '2026-03-10T14:30:00Z', notEvaluated: [], problems: [] });
    expect(check.findings).toHaveLength(1);
    expect(check.findings[0]?.evidence.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'audit.jsonl:1',
      'operator.log:1',
      'operator.log:2',
      'cluster.yaml:7',
      'cluster.yaml:9',
    ]);
  });

  it('finds the same with any one file left out', () => {
    expect(fired(refusedFolder.filter(({ name }) => name !== 'audit.jsonl'))).toEqual(['error reported']);
    expect(fired(refusedFolder.filter(({ name }) => name !== 'operator.log'))).toEqual(['error observed']);
    expect(fired(refusedFolder.filter(({ name }) => name !== 'cluster.yaml'))).toEqual(['error observed']);
    expect(fired(refusedFolder.filter(({ name }) => name !== 'asof.txt'))).toEqual(['error observed']);
  });

  it('says nothing about an empty folder, at a defined time', () => {
    expect(checkCase([], parseYaml)).toEqual({
      asOf: '1970-01-01T00:00:00Z',
      findings: [],
      notEvaluated: [],
      problems: [],
    });
  });

  it('sees the grant of the snapshot, not the older refusals', () => {
    expect(fired([yaml(cluster([...kindRules, statusRule])), asOf, log, audit])).toEqual([]);
  });

  it('takes the newest time found for its clock', () => {
    const watch = lines('watch.jsonl', ['{"at":"2026-03-10T14:12:00.500Z","type":"BOOKMARK","object":{}}']);
    const files = refusedFolder.filter(({ name }) => name !== 'asof.txt');
    expect(checkCase(files, parseYaml).asOf).toBe('2026-03-10T14:20:00Z');
    expect(checkCase([log], parseYaml).asOf).toBe('2026-03-10T14:09:52Z');
    expect(checkCase([watch], parseYaml).asOf).toBe('1970-01-01T00:00:00Z');
    expect(checkCase([{ name: 'metrics-20260310T141300Z.txt', text: '' }], parseYaml).asOf).toBe(
      '2026-03-10T14:13:00Z',
    );
  });

  it('reads klog lines in the year of the folder', () => {
    const text = `E0310 14:03:52.000000       1 x.go:1] "failed" err=${JSON.stringify(refusalText())}`;
    const { findings } = checkCase(
      [yaml(cluster(kindRules)), asOf, lines('operator.log', [text])],
      parseYaml,
    );
    expect(findings[0]?.openedAt).toBe('2026-03-10T14:03:52.000Z');
  });

  it('ignores what happened after the moment of judgement', () => {
    const early: CaseFile = { name: 'asof.txt', text: '2026-03-10T14:01:00Z' };
    expect(fired([yaml(cluster([...kindRules.slice(0, 1)])), early, log, audit])).toEqual([]);
  });

  it('reports malformed parts with their place and goes on', () => {
    const files: readonly CaseFile[] = [
      {
        name: 'cluster.yaml',
        text: `# a comment\n{broken\n---\n{"kind":"Nameless"}\n---\n${cluster(kindRules)
          .map((one) => JSON.stringify(one))
          .join('\n---\n')}`,
      },
      lines('audit.jsonl', ['{"kind":"Pod"}', auditLine(403, 3), 'no json']),
      lines('watch.jsonl', ['nonsense', '{"type":"ADDED"}', '{"type":"ERROR","object":{"kind":"Status"}}']),
      { name: 'asof.txt', text: 'yesterday' },
    ];
    const { findings, problems } = checkCase(files, parseYaml);
    expect(findings).toHaveLength(1);
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'cluster.yaml:2',
      'cluster.yaml:4',
      'watch.jsonl:1',
      'watch.jsonl:2',
      'audit.jsonl:1',
      'audit.jsonl:3',
      'asof.txt:1',
    ]);
  });

  it('skips an object that is nested without end', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"deep"},"data":${deep}}`;
    const files = [
      yaml(cluster(kindRules)),
      { name: 'watch.jsonl', text: `{"type":"ADDED","object":${object}}` },
    ];
    const { problems } = checkCase([...files, asOf, log], parseYaml);
    expect(problems).toEqual([
      { file: 'watch.jsonl', line: 1, text: 'no watch event: type or object is missing, or nested too deep' },
    ]);
  });

  it('unfolds lists, and folds watch events where there is no snapshot', () => {
    const list = { apiVersion: 'v1', kind: 'List', items: cluster(kindRules) };
    expect(fired([yaml([list]), asOf, log])).toEqual(['error reported']);
    const event = (type: string, object: KubeObject) =>
      JSON.stringify({ at: '2026-03-10T14:00:00Z', type, object });
    const granting = cluster([...kindRules, statusRule]);
    const watched = [
      ...granting.map((object) => event('ADDED', object)),
      ...cluster(kindRules).map((object) => event('MODIFIED', object)),
    ];
    expect(fired([asOf, log, lines('watch.jsonl', watched)])).toEqual(['error reported']);
    const gone = granting.map((object) => event('DELETED', object));
    expect(
      readCase([lines('watch.jsonl', [...watched, ...gone])], parseYaml).input.policy.clusterRoles,
    ).toEqual([]);
  });

  it('does not let a cut watch object replace the listed one', () => {
    const cut = {
      at: '2026-03-10T14:29:00Z',
      type: 'MODIFIED',
      object: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'manager' },
      },
    };
    const files = [
      yaml(cluster([...kindRules, statusRule])),
      asOf,
      log,
      lines('watch.jsonl', [JSON.stringify(cut)]),
    ];
    expect(fired(files)).toEqual([]);
  });

  it('reads refusals from Events, each version once', () => {
    const event: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'shop', resourceVersion: '5' },
      message: refusalText(),
      lastTimestamp: '2026-03-10T14:05:00Z',
    };
    const watch = lines('watch.jsonl', [
      JSON.stringify({ at: '2026-03-10T14:05:00Z', type: 'ADDED', object: event }),
    ]);
    const { findings } = checkCase([yaml(cluster(kindRules, [event])), asOf, watch], parseYaml);
    expect(findings[0]?.title).toContain('refused once');
    expect(findings[0]?.evidence[0]).toMatchObject({
      file: 'watch.jsonl',
      line: 1,
      at: '2026-03-10T14:05:00Z',
    });
  });

  it('reads files with the line ends of Windows', () => {
    const files = refusedFolder.map(({ name, text }) => ({ name, text: text.replaceAll('\n', '\r\n') }));
    const strict = (text: string) => {
      if (text.includes('\r')) throw new Error('a lone carriage return is no line end in YAML');
      return parseYaml(text);
    };
    expect(checkCase(files, strict)).toEqual(checkCase(refusedFolder, parseYaml));
  });

  it('knows the items of a typed list, which do not name their kind', () => {
    const objects = cluster(kindRules);
    const roles = objects.filter(({ kind }) => kind === 'ClusterRole');
    const list = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleList',
      items: roles.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest),
    };
    const rest = objects.filter(({ kind }) => kind !== 'ClusterRole');
    expect(readCase([yaml([list, ...rest])], parseYaml)).toMatchObject({
      problems: [],
      input: { policy: { clusterRoles: roles.map(({ metadata }) => ({ ref: { name: metadata.name } })) } },
    });
  });

  it('knows the status writer of an operator that lost its grant, by name or by audit', () => {
    const writtenBy = (manager: string, more: readonly KubeObject[] = []) => [
      yaml(cluster(kindRules, [database('billing', { managedFields: [statusWriter(manager)] }), ...more])),
      asOf,
    ];
    expect(fired(writtenBy('database-operator'))).toEqual(['warning inferred']);
    expect(fired(writtenBy('another-operator'))).toEqual([]);
    const wrote = lines('audit.jsonl', [auditLine(200, 3)]);
    expect(fired([...writtenBy('dbctl'), wrote])).toEqual(['warning inferred']);
    const another = auditLine(200, 4).replace('database-operator', 'another-operator');
    expect(fired([...writtenBy('dbctl'), lines('audit.jsonl', [auditLine(200, 3), another])])).toEqual([]);
    const child: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: {
        name: 'billing',
        namespace: 'shop',
        managedFields: [{ manager: 'dbctl', operation: 'Apply' }],
        ownerReferences: [
          { apiVersion: 'db.example.com/v1', kind: 'Database', name: 'billing', uid: 'u', controller: true },
        ],
      },
    };
    expect(fired(writtenBy('dbctl'))).toEqual([]);
    expect(fired(writtenBy('dbctl', [child]))).toEqual(['warning inferred']);
  });

  it('takes only RFC 3339 for the moment of judgement', () => {
    for (const text of ['5', '2026-03', 'March 7'])
      expect(readCase([log, { name: 'asof.txt', text }], parseYaml).problems).toHaveLength(1);
  });

  it('judges whatever stands in the fields of objects', () => {
    const junk = [null, 7, 'x', true, [], [null], [7], {}, { a: 1 }, [{}], [[]], [{ a: null }]];
    const event: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'shop', resourceVersion: '5' },
      message: refusalText(),
      series: { lastObservedTime: '2026-03-10T14:05:00Z' },
    };
    const meta = { labels: {}, annotations: {}, ownerReferences: [{}], managedFields: [{}], uid: '' };
    const objects = [...cluster(kindRules), event].map((object) => ({
      ...object,
      metadata: { ...meta, ...object.metadata },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: {}, matchExpressions: [{}] }] },
    }));
    for (const [at, object] of objects.entries())
      for (const path of pathsOf(object))
        for (const value of junk) {
          const changed = objects.with(at, replaceAt(object, path, value) as (typeof objects)[number]);
          const files = [yaml(changed), asOf, log];
          expect(() => checkCase(files, parseYaml), JSON.stringify({ path, value })).not.toThrow();
        }
  });
});

/** Every place in a value, outermost first. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function replaceAt(value: unknown, path: readonly string[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === key ? replaceAt(one, rest, by) : one));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [key]: replaceAt(fields[key], rest, by) };
}
