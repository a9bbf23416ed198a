import { describe, expect, it } from 'vitest';
import { seventeenth } from '../../testing/incident/orderRuns.ts';
import { at } from '../../testing/incident/time.ts';
import { spanOf } from '../../testing/incident/traces.ts';
import {
  attemptOf,
  barOf,
  delayBefore,
  lengthWords,
  offsetWords,
  resultOf,
  shortSource,
  subjectWords,
  timeWords,
  writeWords,
} from './spanWords.ts';

const exact = (ms: number) => ({ lo: ms, hi: ms });

describe('words of a run', () => {
  it('numbers the attempts of a key that fails, and nothing else', () => {
    expect(attemptOf({ failures: 16, result: 'error' })).toBe(17);
    expect(attemptOf({ failures: 0, result: 'panic' })).toBe(1);
    expect(attemptOf({ failures: 3, result: 'success' })).toBe(4);
    expect(attemptOf({ failures: 0, result: 'success' })).toBeUndefined();
  });
  it('tells what runs from what ended nobody knows how', () => {
    expect(resultOf({})).toBe('running');
    expect(resultOf({ end: exact(1) })).toBe('unknown');
    expect(resultOf({ end: exact(1), result: 'requeue' })).toBe('requeue');
  });
  it('gives a time of whole seconds no decimals', () => {
    expect(timeWords(exact(at('14:09:20.649')))).toBe('14:09:20.649');
    expect(timeWords({ lo: at('14:09:20.640'), hi: at('14:09:20.650') })).toBe('~14:09:20.645');
    expect(timeWords({ lo: at('14:09:20'), hi: at('14:09:20.999') })).toBe('14:09:20');
    expect(timeWords({ lo: at('14:09:20'), hi: at('14:09:22') })).toBe('14:09:20–22');
    expect(timeWords({ lo: at('14:09:20'), hi: at('14:10:01') })).toBe('14:09:20–10:01');
  });
  it('keeps both ends of a length that is not known exactly', () => {
    expect(lengthWords(exact(41.2))).toBe('41.2 ms');
    expect(lengthWords({ lo: 40, hi: 52 })).toBe('40–52 ms');
    expect(lengthWords({ lo: 800, hi: 1200 })).toBe('800 ms–1.2 s');
    expect(lengthWords({ lo: 0, hi: 90 })).toBe('≤ 90 ms');
    expect(lengthWords(exact(0))).toBe('0 ms');
    expect(lengthWords(undefined)).toBe('–');
  });
  it('names a file by its last part, and nothing else', () => {
    expect(shortSource('/var/log/op/operator.log')).toBe('operator.log');
    expect(shortSource('./operator.log')).toBe('operator.log');
    expect(shortSource('C:\\logs\\operator.log')).toBe('operator.log');
    expect(shortSource('operator-7c9-q2x4l / manager')).toBe('operator-7c9-q2x4l / manager');
    expect(shortSource('http://127.0.0.1:8080/metrics')).toBe('http://127.0.0.1:8080/metrics');
  });
  it('gives an offset only where it is known to a millisecond', () => {
    expect(offsetWords(exact(131.8), exact(100))).toBe('+31.8 ms');
    expect(offsetWords(exact(99.6), exact(100))).toBe('−0.4 ms');
    expect(offsetWords(exact(100), exact(100))).toBe('+0 ms');
    expect(offsetWords(exact(498), exact(100))).toBe('+398 ms');
    expect(offsetWords(exact(2380), exact(100))).toBe('+2.28 s');
    const second = { lo: at('14:09:20'), hi: at('14:09:20.999') };
    expect(offsetWords(second, exact(at('14:09:20.1')))).toBe('14:09:20');
  });
  it('tells the delay of a timer apart from the time until a worker was free', () => {
    const { span, earlier } = spanOf(seventeenth);
    if (span === undefined) throw new Error('no seventeenth run');
    expect(delayBefore(span, earlier)).toBeCloseTo(163_840, 3);
    expect(delayBefore(span, undefined)).toBeUndefined();
    expect(delayBefore({ ...span, start: { lo: span.start.lo, hi: span.start.hi + 60_000 } }, earlier)).toBe(
      undefined,
    );
    expect(delayBefore({ ...span, triggerList: [] }, earlier)).toBeUndefined();
  });
  it('draws the same length as the same bar, whatever else is there', () => {
    expect(barOf(0.1)).toBe(0.02);
    expect(barOf(10)).toBeCloseTo(2 / 6);
    expect(barOf(1e9)).toBe(1);
  });
  it('says a write in the words of the API, the object only where it is another', () => {
    const status = { verb: 'update', subject: 'Database/shop/orders-db', subresource: 'status' } as const;
    expect(writeWords(status, 'shop/orders-db')).toBe('Update Database/status');
    expect(writeWords({ ...status, verb: 'create', subresource: '', subject: 'Node/-/n1' }, 'a')).toBe(
      'Create Node n1',
    );
    expect(subjectWords('Node/-/n1')).toBe('Node n1');
    expect(subjectWords('Secret/shop/a')).toBe('Secret shop/a');
  });
});
