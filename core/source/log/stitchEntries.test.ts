import { describe, expect, it } from 'vitest';
import { parseLogLine } from './logEntry.ts';
import { createEntryStitcher } from './stitchEntries.ts';

const received = Date.UTC(2026, 10, 30, 8);

function fact(seq: number, text: string, source = 'log:1', receivedAt = received + seq) {
  return { seq, text, source, receivedAt, entry: parseLogLine(text, { nearMs: receivedAt }) };
}
type Fact = ReturnType<typeof fact>;

const klog = [
  'E1130 07:33:11.250000       1 controller.go:324] "Reconciler error" err=<',
  '\tadmission webhook denied the request:',
  '\tspec.replicas: Invalid value',
  ' > controller="machine" controllerKind="Machine" Machine="fleet/m-1" reconcileID="r-1"',
];
const next = 'I1130 07:33:12.250000       1 controller.go:1] "next"';

function stitch(facts: readonly Fact[]) {
  const stitcher = createEntryStitcher<Fact>((one) => one.text);
  return [...facts.flatMap((one) => [...stitcher.push(one)]), ...stitcher.flush()];
}

describe('[LG14] facts of lines in pieces', () => {
  it('reads a value of klog over several lines as one record, that of its first line', () => {
    const facts = stitch([...klog, next].map((text, seq) => fact(seq, text)));
    expect(facts.map(({ seq }) => seq)).toEqual([0, 4]);
    expect(facts[0]?.entry).toMatchObject({
      event: { kind: 'reconcilerError' },
      key: { namespace: 'fleet', name: 'm-1' },
      reconcileId: 'r-1',
      error: 'admission webhook denied the request:\nspec.replicas: Invalid value',
    });
  });

  it('keeps two replicas apart, each in its order', () => {
    const lines = klog.flatMap((text, index) => [
      fact(2 * index, text, 'a'),
      fact(2 * index + 1, text.replace('m-1', 'm-2'), 'b'),
    ]);
    expect(stitch(lines).map(({ seq, entry }) => [seq, entry.key?.name])).toEqual([
      [0, 'm-1'],
      [1, 'm-2'],
    ]);
  });

  it('puts together what the runtime cut', () => {
    const pieces = [
      '2026-11-30T07:33:11.1Z stderr P level=error msg="Reconciler error" controller=c ob',
      '2026-11-30T07:33:11.1Z stderr F ject="ns/n"',
    ];
    const [one, ...more] = stitch(pieces.map((text, seq) => fact(seq, text)));
    expect(more).toEqual([]);
    expect(one?.entry.key).toEqual({ namespace: 'ns', name: 'n' });
  });

  it('passes everything else through, and gives up what stays open', () => {
    const plain = [fact(0, next), fact(1, '\tframe'), fact(2, 'text')];
    expect(stitch(plain)).toEqual(plain);
    const stitcher = createEntryStitcher<Fact>((one) => one.text);
    expect(stitcher.push(fact(0, klog[0] ?? ''))).toEqual([]);
    const later = fact(1, next, 'other', received + 60_000);
    expect(stitcher.push(later).map(({ seq }) => seq)).toEqual([0, 1]);
    expect(stitcher.flush()).toEqual([]);
  });
});
