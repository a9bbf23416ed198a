import { describe, expect, it } from 'vitest';
import { conditionsOf } from '../../testing/incident/conditions.ts';
import { at, moment } from '../../testing/incident/time.ts';
import { tickLabels } from '../../widgets/ConditionBands.tsx';
import { type BandWords, bandRange, bandRows, spanOfBand, toneOf } from './bandRows.ts';
import { leadingTrack } from './leadingTrack.ts';
import { transitionMoved } from './transition.ts';

const orders = conditionsOf('db.example.com/Database/shop/orders-db');
const words: BandWords = {
  value: (status, reason) => `${status} ${reason}`,
  held: (value) => `${value} held`,
  name: (_span, value) => value,
  generation: (observed, generation) => `${observed}/${generation}`,
  generationLabel: 'gen',
};

it('colours by polarity: no red for what is good when False', () => {
  expect(['True', 'False', 'Unknown'].map((status) => toneOf('positive', status))).toEqual([
    'ok',
    'failed',
    'unknown',
  ]);
  expect(['True', 'False', 'Unknown'].map((status) => toneOf('negative', status))).toEqual([
    'failed',
    'ok',
    'unknown',
  ]);
  expect(['True', 'False'].map((status) => toneOf('neutral', status))).toEqual(['progressing', 'neutral']);
});

describe('bandRows', () => {
  it('cuts what is held out of the stored span, and of no earlier one', () => {
    const [ready] = bandRows(orders, words, 'full');
    expect(ready?.spans.map(({ from, to, held }) => [from, to, held])).toEqual([
      [at('13:40:03.110'), at('14:02:11.871'), undefined],
      [at('14:02:11.871'), at('14:03:52.350'), undefined],
      [at('14:03:52.350'), undefined, true],
    ]);
  });
  it('has one word for the past in the small form, and generations in the full one only', () => {
    expect(bandRows(orders, words, 'mini')[0]?.spans.map(({ text }) => text)).toEqual([
      'True',
      'False',
      'False Upgrading held',
    ]);
    expect(bandRows(orders, words, 'full').at(-1)).toMatchObject({ id: 'observedGeneration', label: 'gen' });
    expect(bandRows(orders, words, 'mini').map(({ id }) => id)).not.toContain('observedGeneration');
  });
  it('finds the span of each of its bands', () => {
    for (const row of bandRows(orders, words, 'mini'))
      for (const { id } of row.spans) expect(spanOfBand(orders, id)?.track.type).toBe(row.id);
    expect(spanOfBand(orders, 'gone')).toBeUndefined();
  });
});

describe('bandRange', () => {
  it('begins before the change, the cause and the first refusal, on a whole minute', () => {
    const range = bandRange(orders, moment, { causeAt: at('14:03:20.480'), until: moment });
    expect(range).toEqual({ from: at('14:00:00'), to: moment });
  });
  it('goes back half an hour where nothing happened, and never before the object was seen', () => {
    const { held: _held, ...rest } = orders;
    const calm = { ...rest, tracks: [], from: moment - 600_000 };
    expect(bandRange(calm, moment, { until: moment }).from).toBeGreaterThanOrEqual(moment - 660_000);
    expect(bandRange({ ...calm, from: 0 }, moment, { until: moment }).from).toBeLessThan(moment - 1_800_000);
  });
  it('has round ticks, never crowded', () => {
    for (const span of [60_000, 130_000, 720_000, 7_200_000, 80_000_000]) {
      const ticks = tickLabels(moment - span, moment);
      // No two of a stretch of less than a day are told by the same label.
      expect(new Set(ticks.map(({ text }) => text)).size, `${span}`).toBe(ticks.length);
      expect(ticks.length, `${span}`).toBeGreaterThan(1);
      expect(ticks.length, `${span}`).toBeLessThanOrEqual(7);
    }
  });
});

it('leads with Ready, and says of a moved lastTransitionTime that it was moved', () => {
  const leading = leadingTrack(orders);
  expect(leading).toMatchObject({ track: { type: 'Ready' }, good: false, span: { reason: 'Upgrading' } });
  const span = leading?.span;
  if (span === undefined) throw new Error('no span');
  expect(transitionMoved(span)).toBe(false);
  const moved = { ...span, lastTransitionTime: new Date(span.from + 60_000).toISOString() };
  expect(transitionMoved(moved)).toBe(true);
  expect(transitionMoved({ ...moved, gap: true })).toBe(false);
});
