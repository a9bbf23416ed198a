import { describe, expect, it } from 'vitest';
import { type Span, zSpan } from '../../shared/model/trace.ts';
import { recordRuns } from './recordRuns.ts';

const basis = { kind: 'observed', from: 'audit' } as const;
const at = { lo: 1, hi: 1 };

function span(id: string, wokenBy: number, wrote: number): Span {
  return zSpan.parse({
    id,
    controller: 'database',
    key: 'shop/a',
    object: 'g/Database/shop/a',
    start: at,
    failures: 0,
    triggers: 1,
    writes: 1,
    notStored: 0,
    reads: 0,
    events: 0,
    lines: 0,
    basis,
    provisional: false,
    revision: 0,
    startBasis: basis,
    triggerList: [{ at, type: 'MODIFIED', seq: wokenBy, text: 'Database MODIFIED', collapsed: false, basis }],
    readList: [],
    readsObservable: true,
    cache: [],
    writeList: [
      {
        at,
        seq: wrote,
        subject: 'Database/shop/a',
        verb: 'update',
        subresource: 'status',
        outcome: 'stored',
        fields: [],
        changes: 1,
        basis,
      },
    ],
    eventList: [],
    lineList: [],
    life: 1,
    notes: [],
  });
}

describe('recordRuns', () => {
  const newestFirst = [span('c', 20, 30), span('b', 20, 25), span('a', 10, 20)];
  it('names the run that wrote a version, and the earliest it woke', () => {
    const runs = recordRuns(newestFirst, 20);
    expect([runs.within?.id, runs.woke?.id]).toEqual(['a', 'b']);
  });
  it('gives rows, without the parts of a span', () => {
    expect(Object.keys(recordRuns(newestFirst, 30).within ?? {})).not.toContain('writeList');
  });
  it('lists the versions of a run, and that the operator woke it itself', () => {
    const [run] = newestFirst;
    if (run === undefined) throw new Error('no run');
    const [wrote] = run.writeList;
    const [woken] = run.triggerList;
    if (wrote === undefined || woken === undefined) throw new Error('nothing written');
    const own = { manager: 'database-operator', subresource: 'status', own: true };
    const stored = { ...wrote, object: 'g/Database/shop/a', resourceVersion: '7' };
    const refused = { ...stored, outcome: 'refused' as const, resourceVersion: '8' };
    const row = recordRuns(
      [{ ...run, writeList: [stored, refused], triggerList: [{ ...woken, writer: own }] }],
      30,
    ).within;
    expect(row?.versions).toEqual([{ object: 'g/Database/shop/a', resourceVersion: '7' }]);
    expect(row?.selfWoken).toBe(true);
    expect(recordRuns(newestFirst, 30).within).not.toHaveProperty('selfWoken');
  });
  it('says nothing of a record of no run', () => {
    expect(recordRuns(newestFirst, 99)).toEqual({ seq: 99 });
  });
});
