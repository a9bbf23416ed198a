import { describe, expect, it } from 'vitest';
import { type Correlation, createEventCorrelator, type RecordedEvent } from './eventCorrelator.ts';

const second = 1_000_000_000n;

function event(message: string, change: Partial<RecordedEvent> = {}): RecordedEvent {
  return {
    name: `p1.${message}`,
    sourceComponent: 'ctl',
    sourceHost: '',
    involved: { apiVersion: 'v1', kind: 'Pod', namespace: 'ns', name: 'p1', uid: 'u', fieldPath: '' },
    type: 'Warning',
    reason: 'Failed',
    message,
    reportingController: '',
    reportingInstance: '',
    ...change,
  };
}

function text(correlation: Correlation): string {
  if (correlation.kind === 'skip') return 'skip';
  return `${correlation.kind} ${correlation.event.name} ${correlation.event.message} ×${correlation.count}`;
}

describe('event correlator', () => {
  it('[EV4] counts equal events on the name of the first', () => {
    const correlator = createEventCorrelator();
    const say = (name: string, at: bigint) => {
      const correlation = correlator.correlate(event('same', { name }), at);
      correlator.written(correlation);
      return correlation;
    };
    expect(text(say('first', second))).toBe('create first same ×1');
    const again = say('second', 2n * second);
    expect(text(again)).toBe('patch first same ×2');
    expect(again).toMatchObject({ firstNs: second, lastNs: 2n * second });
  });

  it('[EV2] combines from the tenth different message on', () => {
    const correlator = createEventCorrelator();
    const said = Array.from({ length: 11 }, (_, n) => text(correlator.correlate(event(`m${n}`), second)));
    expect(said[8]).toBe('create p1.m8 m8 ×1');
    expect(said[9]).toBe('create p1.3b9aca00 (combined from similar events): m9 ×1');
    expect(said[10]).toBe('patch p1.3b9aca00 (combined from similar events): m10 ×2');
  });

  it('[EV2] keeps other reasons and objects apart', () => {
    const correlator = createEventCorrelator();
    for (let n = 0; n < 9; n++) correlator.correlate(event(`m${n}`), second);
    expect(text(correlator.correlate(event('x', { reason: 'BackOff' }), second))).toBe('create p1.x x ×1');
  });

  it('[EV3] forgets after more than 600 s of silence, not at 600 s', () => {
    const fill = () => {
      const correlator = createEventCorrelator();
      for (let n = 0; n < 9; n++) correlator.correlate(event(`m${n}`), second);
      return correlator;
    };
    expect(text(fill().correlate(event('late'), 601n * second))).toContain('combined');
    expect(text(fill().correlate(event('late'), 601n * second + 1n))).toBe('create p1.late late ×1');
  });

  it('[EV5] [EV1] drops the 26th of a burst, but has counted it', () => {
    const correlator = createEventCorrelator();
    const say = (at: bigint) => text(correlator.correlate(event('same', { name: 'n' }), at));
    const said = Array.from({ length: 26 }, () => say(second));
    expect(said[24]).toBe('patch n same ×25');
    expect(said[25]).toBe('skip');
    // 1/300 in float32 is a little more than one token in 300 s.
    expect(say(301n * second)).toBe('patch n same ×27');
  });

  it('[EV6] remembers the keys used last', () => {
    const correlator = createEventCorrelator();
    const other = (n: number) =>
      event('m', { involved: { ...event('m').involved, name: `p${n}`, uid: `u${n}` } });
    correlator.correlate(other(0), second);
    for (let n = 1; n <= 4096; n++) correlator.correlate(other(n), second);
    expect(correlator.correlate(other(0), second).kind).toBe('create');
    expect(correlator.correlate(other(4096), second).kind).toBe('patch');
  });
});
