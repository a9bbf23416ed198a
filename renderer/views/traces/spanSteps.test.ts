import { describe, expect, it } from 'vitest';
import { seventeenth } from '../../testing/incident/orderRuns.ts';
import { spanOf } from '../../testing/incident/traces.ts';
import { spanRecords, spanSteps } from './spanSteps.ts';

const { span } = spanOf(seventeenth);
if (span === undefined) throw new Error('no seventeenth run');

describe('steps of a run', () => {
  it('stand in time order, the end last', () => {
    expect(spanSteps(span).map(({ kind }) => kind)).toEqual([
      'line',
      'write',
      'write',
      'event',
      'line',
      'end',
    ]);
  });
  it('have no end while it runs', () => {
    const { end: _, ...running } = span;
    expect(spanSteps(running).some(({ kind }) => kind === 'end')).toBe(false);
  });
  it('put a write of one moment before the line about it', () => {
    const [first] = span.writeList;
    const [line] = span.lineList;
    if (first === undefined || line === undefined) throw new Error('nothing written');
    const same = { ...span, writeList: [first], lineList: [{ ...line, at: first.at }], eventList: [] };
    expect(spanSteps(same).map(({ kind }) => kind)).toEqual(['write', 'line', 'end']);
  });
  it('put lines of a whole second around what they tell of', () => {
    const [write] = span.writeList;
    const [begun, failed] = [span.lineList[0], span.lineList.at(-1)];
    if (write === undefined || begun === undefined || failed === undefined)
      throw new Error('nothing written');
    const at = { lo: write.at.lo - 100, hi: write.at.lo + 899 };
    const told = (late: number) => {
      const moved = { lo: at.lo + late, hi: at.lo + late };
      const lineList = [begun, failed].map((line) => ({ ...line, at }));
      return spanSteps({ ...span, lineList, writeList: [{ ...write, at: moved }], eventList: [] }).map(
        ({ kind }) => kind,
      );
    };
    expect(told(50)).toEqual(['line', 'write', 'line', 'end']);
    expect(told(950)).toEqual(['line', 'write', 'line', 'end']);
  });
});

describe('records of a run', () => {
  it('name the first and the last line where none is an error', () => {
    const [line] = span.lineList;
    if (line === undefined) throw new Error('no line');
    const lineList = [1, 2, 3].map((seq) => ({ ...line, seq, level: 'debug' as const }));
    const lines = spanRecords({ ...span, lineList }).filter(({ kind }) => kind === 'line');
    expect(lines.map(({ seq }) => seq)).toEqual([1, 3]);
  });
  it('begin with what was refused and name each record once', () => {
    const records = spanRecords({ ...span, lineList: [...span.lineList, ...span.lineList] });
    expect(records[0]?.seq).toBe(171_902);
    expect(records[1]?.seq).toBe(171_903);
    expect(new Set(records.map(({ seq }) => seq)).size).toBe(records.length);
  });
});
