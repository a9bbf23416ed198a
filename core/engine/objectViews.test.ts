import { describe, expect, it } from 'vitest';
import { objectKey, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { ObjectOp } from '../session/record.ts';
import { createRecorder, type Recorder } from '../session/recorder.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { objectDiff, objectDocument, objectHistory } from './objectViews.ts';

const key = objectKey({ group: 'db.example.com', kind: 'Database', namespace: 'shop', name: 'orders' });
const full = { detail: 'full', upgrading: false } as const;

interface Version {
  readonly rv: string;
  readonly op?: ObjectOp;
  readonly uid?: string;
  readonly metadataOnly?: boolean;
  readonly spec?: unknown;
  readonly manager?: string;
}

function recordVersion(recorder: Recorder, version: Version) {
  const { rv, op = 'modified', uid = 'u1', metadataOnly = false, spec, manager = 'kubectl' } = version;
  return recorder.record({
    kind: 'object',
    source: sourceId('watch:db.example.com/v1/databases'),
    at: { lo: Number(rv), hi: Number(rv) },
    receivedAt: Number(rv),
    object: key,
    uid,
    resourceVersion: resourceVersion(rv),
    op,
    metadataOnly,
    payload: JSON.stringify({
      apiVersion: 'db.example.com/v1',
      kind: 'Database',
      metadata: {
        name: 'orders',
        namespace: 'shop',
        uid,
        resourceVersion: rv,
        managedFields: [
          {
            manager,
            operation: 'Update',
            apiVersion: 'db.example.com/v1',
            time: `2026-11-30T09:00:0${rv}Z`,
            fieldsV1: { 'f:spec': { 'f:replicas': {} } },
          },
        ],
      },
      ...(metadataOnly ? {} : { spec }),
    }),
  });
}

function newRecorder(): Recorder {
  return createRecorder(createMemoryLog({ clock: new FakeClock(0) }));
}

describe('objectHistory', () => {
  it('has every version, newest first, with its change and its writer', () => {
    const recorder = newRecorder();
    recordVersion(recorder, { rv: '1', op: 'added', spec: { replicas: 1 } });
    recordVersion(recorder, { rv: '2', spec: { replicas: 3 }, manager: 'helm' });
    recordVersion(recorder, { rv: '3', op: 'deleted', spec: { replicas: 3 } });
    const { versions } = objectHistory(recorder.log, key, full);
    expect(versions.map(({ op, resourceVersion: rv, changes }) => ({ op, rv, changes }))).toEqual([
      { op: 'deleted', rv: '3', changes: 0 },
      { op: 'modified', rv: '2', changes: 1 },
      { op: 'added', rv: '1', changes: 0 },
    ]);
    expect(versions[1]?.writers[0]?.manager).toBe('helm');
    expect(versions[1]?.summary).toContain('spec.replicas 1 → 3');
    expect(versions[0]?.writers).toEqual([]);
  });

  it('takes the same version seen again, in full after metadata, for one', () => {
    const recorder = newRecorder();
    recordVersion(recorder, { rv: '1', op: 'listed', metadataOnly: true });
    recordVersion(recorder, { rv: '1', op: 'listed', spec: { replicas: 1 } });
    recordVersion(recorder, { rv: '2', spec: { replicas: 2 } });
    const { versions } = objectHistory(recorder.log, key, full);
    expect(
      versions.map((version) => [version.resourceVersion, version.metadataOnly, version.changes]),
    ).toEqual([
      ['2', false, 1],
      ['1', false, 0],
    ]);
  });

  it('does not compare a metadata-only version with a full one', () => {
    const recorder = newRecorder();
    recordVersion(recorder, { rv: '1', op: 'listed', metadataOnly: true });
    recordVersion(recorder, { rv: '2', spec: { replicas: 2 } });
    expect(objectHistory(recorder.log, key, full).versions[0]?.changes).toBe(0);
  });

  it('marks what a list found after a gap, and a new object of the same name', () => {
    const recorder = newRecorder();
    recordVersion(recorder, { rv: '1', op: 'added', spec: { replicas: 1 } });
    recordVersion(recorder, { rv: '5', op: 'relisted', uid: 'u2', spec: { replicas: 1 } });
    const [newest] = objectHistory(recorder.log, key, full).versions;
    expect(newest).toMatchObject({ afterGap: true, uid: 'u2' });
  });
});

describe('objectDiff', () => {
  it('compares with the version before unless told another', () => {
    const recorder = newRecorder();
    const first = recordVersion(recorder, { rv: '1', op: 'added', spec: { replicas: 1 } });
    const second = recordVersion(recorder, { rv: '2', spec: { replicas: 2 } });
    const third = recordVersion(recorder, { rv: '3', spec: { replicas: 3 } });
    const replicas = (diff: ReturnType<typeof objectDiff>) =>
      diff.rows.find((row) => row.path === 'spec.replicas');
    expect(replicas(objectDiff(recorder.log, undefined, third.seq))).toMatchObject({ old: '2', new: '3' });
    expect(replicas(objectDiff(recorder.log, first.seq, third.seq))).toMatchObject({ old: '1', new: '3' });
    expect(objectDiff(recorder.log, undefined, second.seq).from).toBe(first.seq);
  });

  it('says so when there is nothing to compare with, or no such record', () => {
    const recorder = newRecorder();
    const first = recordVersion(recorder, { rv: '1', op: 'added', spec: {} });
    expect(objectDiff(recorder.log, undefined, first.seq)).toMatchObject({
      rows: [],
      note: expect.any(String),
    });
  });
});

describe('objectDocument', () => {
  it('leaves managedFields to the owners', () => {
    const recorder = newRecorder();
    const head = recordVersion(recorder, { rv: '1', op: 'added', spec: { replicas: 1 } });
    const document = objectDocument(recorder.log, head.seq, (value) => JSON.stringify(value));
    expect(document?.yaml).not.toContain('managedFields');
    expect(document?.owners).toEqual([
      { path: 'spec.replicas', owners: [expect.objectContaining({ manager: 'kubectl' })] },
    ]);
  });
});
