import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { RecordHead } from '../session/record.ts';
import { conditionTracks, generationSpans, recoveries, statusWrites, usualOf } from './conditionTracks.ts';
import { mainCondition, polarityOf } from './polarity.ts';
import { condition, now, ownWrite, version } from './testWhy.ts';
import { createVersionFold } from './versions.ts';

describe('conditionTracks', () => {
  const notes = [
    version(60_000, { op: 'listed', initial: true, conditions: [condition('True')] }),
    version(50_000, {
      conditions: [condition('False', { message: '1 of 3' }), condition('True', { type: 'Progressing' })],
    }),
    version(40_000, {
      conditions: [condition('False', { message: '2 of 3' }), condition('True', { type: 'Progressing' })],
    }),
    version(30_000, { conditions: [condition('True')] }),
  ];
  it('opens a span at each other status or reason, keeps the newest message, and ends what is gone', () => {
    const [ready, progressing] = conditionTracks(notes, [], new Map());
    expect(ready).toMatchObject({ type: 'Ready', polarity: 'positive', changes: 2 });
    expect(ready?.spans).toMatchObject([
      { from: now - 60_000, to: now - 50_000, status: 'True', openStart: true },
      { from: now - 50_000, to: now - 30_000, status: 'False', message: '2 of 3', openStart: false },
      { from: now - 30_000, status: 'True' },
    ]);
    expect(ready?.spans.at(-1)?.to).toBeUndefined();
    expect(progressing).toMatchObject({ polarity: 'neutral', spans: [{ to: now - 30_000 }] });
  });
  it('marks the spans a gap lies in, and no other', () => {
    const [ready] = conditionTracks(notes, [{ from: now - 45_000, to: now - 42_000 }], new Map());
    expect(ready?.spans.map(({ gap }) => gap)).toEqual([false, true, false]);
  });
  it('ends everything with the object', () => {
    const gone = [...notes, version(20_000, { op: 'deleted' })];
    expect(
      conditionTracks(gone, [], new Map()).flatMap(({ spans }) => spans.filter(({ to }) => to === undefined)),
    ).toEqual([]);
  });
  it('says nothing of versions that were seen as metadata only, and no span begins with them', () => {
    const mixed = [version(70_000, { conditions: undefined }), ...notes];
    expect(conditionTracks(mixed, [], new Map())[0]?.spans[0]).toMatchObject({
      from: now - 60_000,
      openStart: true,
    });
    expect(conditionTracks([version(1, { conditions: undefined })], [], new Map())).toEqual([]);
  });
  it('shows a lastTransitionTime that moves without a change of status', () => {
    const later = new Date(now - 5000).toISOString();
    const moved = [
      ...notes,
      version(5000, { conditions: [condition('True', { lastTransitionTime: later })] }),
    ];
    expect(conditionTracks(moved, [], new Map())[0]?.spans.at(-1)).toMatchObject({
      from: now - 30_000,
      lastTransitionTime: later,
    });
  });
});

it('tells of which generation the status spoke, and which versions wrote it', () => {
  const notes = [
    version(60_000, { op: 'listed' }),
    version(50_000, { generation: 4, changed: [{ path: 'spec.version' }] }),
    ownWrite(40_000, [{ path: 'status.observedGeneration' }], { generation: 4, observedGeneration: 4 }),
  ];
  expect(generationSpans(notes).map(({ observed, generation }) => `${observed}/${generation}`)).toEqual([
    '3/3',
    '3/4',
    '4/4',
  ]);
  expect(statusWrites(notes)).toMatchObject([
    { at: now - 40_000, refused: false, manager: 'database-operator' },
  ]);
});

it('learns how long others take from whole stretches only', () => {
  const seen = (at: number, status: string) => ({ at, conditions: [{ type: 'Ready', status }] });
  // The first False began before it was seen; the second lasted 40.
  const found = recoveries([
    seen(0, 'False'),
    seen(10, 'True'),
    seen(20, 'False'),
    seen(60, 'True'),
    seen(70, 'False'),
  ]);
  expect(found).toEqual([{ type: 'Ready', ms: 40 }]);
  const usual = usualOf([...found, { type: 'Ready', ms: 10 }, { type: 'Ready', ms: 90 }]);
  expect(usual.get('Ready')).toEqual({ medianMs: 40, longestMs: 90, count: 3 });
  expect(
    recoveries([
      { at: 0, conditions: [{ type: 'Degraded', status: 'False' }] },
      { at: 5, conditions: [{ type: 'Degraded', status: 'True' }] },
      { at: 9, conditions: [{ type: 'Degraded', status: 'False' }] },
    ]),
  ).toEqual([{ type: 'Degraded', ms: 4 }]);
});

it('knows which way a type is good, and which one decides', () => {
  expect(
    ['Ready', 'Synced', 'Degraded', 'DiskPressure', 'ReplicaFailure', 'Progressing'].map((type) =>
      polarityOf(type),
    ),
  ).toEqual(['positive', 'positive', 'negative', 'negative', 'negative', 'neutral']);
  expect(polarityOf('Blocked', { Blocked: 'negative' })).toBe('negative');
  expect(mainCondition([condition('True', { type: 'Progressing' }), condition('False')])?.type).toBe('Ready');
  expect(mainCondition([condition('True'), condition('True', { type: 'Stalled' })])?.type).toBe('Stalled');
  expect(mainCondition([condition('True', { type: 'Custom' })])).toBeUndefined();
});

describe('createVersionFold', () => {
  const head = (seq: number, rv: string, more: Partial<RecordHead> = {}): RecordHead => ({
    seq: seq as RecordHead['seq'],
    kind: 'object',
    source: 'watch:v1/pods' as RecordHead['source'],
    at: { lo: seq, hi: seq },
    tie: 0,
    receivedAt: seq,
    uid: 'u',
    resourceVersion: rv as NonNullable<RecordHead['resourceVersion']>,
    op: 'modified',
    metadataOnly: false,
    initial: false,
    late: false,
    ...more,
  });
  const object = (status: object, spec: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: 'x', generation: 1 },
    spec,
    status,
  });
  it('compares each version with the one before, and takes the fuller copy of one seen twice', () => {
    const fold = createVersionFold();
    fold.add(head(1, '1', { op: 'listed', metadataOnly: true }), {
      ...object({}),
      spec: undefined,
      status: undefined,
    });
    fold.add(
      head(2, '1', { op: 'listed' }),
      object({ phase: 'A', conditions: [{ type: 'Ready', status: 'True' }] }),
    );
    fold.add(head(3, '2'), object({ phase: 'B', conditions: [{ type: 'Ready', status: 'True' }] }));
    const notes = fold.notes();
    expect(notes).toHaveLength(2);
    expect(notes[0]?.conditions).toMatchObject([{ type: 'Ready' }]);
    expect(notes[1]?.changed).toEqual([{ path: 'status.phase', old: '"A"', new: '"B"' }]);
  });
  it('compares nothing across the end of an object', () => {
    const fold = createVersionFold();
    fold.add(head(1, '1', { op: 'added' }), object({ phase: 'A' }));
    fold.add(head(2, '2', { op: 'deleted' }), object({ phase: 'A' }));
    fold.add(head(3, '3', { op: 'added', uid: 'v' }), object({ phase: 'B' }));
    expect(fold.notes().map(({ changed }) => changed.length)).toEqual([0, 0, 0]);
  });
});
