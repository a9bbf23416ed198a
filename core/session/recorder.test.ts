import { describe, expect, it } from 'vitest';
import { objectKey, sourceId } from '../../shared/model/ids.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createMemoryLog } from './memoryLog.ts';
import type { RecordInput } from './record.ts';
import { createRecorder } from './recorder.ts';

function objectRecord(payload: string): RecordInput {
  return {
    kind: 'object',
    source: sourceId('watch:v1/pods'),
    at: { lo: 1, hi: 1 },
    receivedAt: 1,
    object: objectKey({ group: '', kind: 'Pod', namespace: 'ns', name: 'a' }),
    op: 'added',
    payload,
  };
}

describe('createRecorder', () => {
  it('keeps the facts beside the record before anyone hears of them', () => {
    const recorder = createRecorder(createMemoryLog({ clock: new FakeClock(0) }));
    const heard: unknown[] = [];
    recorder.onRecorded(({ head, fact }) => heard.push([fact, recorder.log.facts(head.seq)?.[0]]));
    recorder.record(
      objectRecord('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"ns"}}'),
    );
    expect(heard).toHaveLength(1);
    expect(heard[0]).toEqual([
      expect.objectContaining({ fact: 'object', name: 'a' }),
      expect.objectContaining({ name: 'a' }),
    ]);
  });

  it.each([
    ['no JSON', '{"apiVersion"'],
    ['no object', '"text"'],
    [
      'managedFields that are no list',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","managedFields":7}}',
    ],
    ['a null entry', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","managedFields":[null]}}'],
  ])('reports %s and goes on, with the record kept', (_name, payload) => {
    const recorder = createRecorder(createMemoryLog({ clock: new FakeClock(0) }));
    const problems: string[] = [];
    recorder.onProblem(({ text }) => problems.push(text));
    const head = recorder.record(objectRecord(payload));
    expect(problems).toHaveLength(1);
    expect(recorder.log.payload(head.seq)).toBe(payload);
  });
});
