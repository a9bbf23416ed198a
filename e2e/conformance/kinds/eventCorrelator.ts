/** Replays event-correlator vectors against core/source/kubeEvents. Every event that is not skipped is then written. */
import {
  type Correlation,
  createEventCorrelator,
  type RecordedEvent,
} from '../../../core/source/kubeEvents/eventCorrelator.ts';
import { compare, type Mismatch, ns } from '../mismatch.ts';

interface Op {
  readonly nowNs: number | string;
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  readonly name: string;
  readonly skip?: boolean;
  readonly count?: number;
  readonly outMessage?: string;
  readonly outName?: string;
  readonly firstTimestampNs?: number | string;
  readonly patch?: unknown;
}
interface Line {
  readonly id: string;
  readonly ops: readonly Op[];
}

/** The script's clock starts here (vectors README). */
const epochNs = 1_700_000_000n * 1_000_000_000n;

export function replay(raw: unknown): readonly Mismatch[] {
  const line = raw as Line;
  const correlator = createEventCorrelator();
  const mismatches: Mismatch[] = [];
  for (const [op, step] of line.ops.entries()) {
    const correlation = correlator.correlate(eventOf(step), epochNs + ns(step.nowNs));
    correlator.written(correlation);
    const { skip, count, outMessage, outName, firstTimestampNs, patch } = step;
    const expected = { skip, count, outMessage, outName, firstTimestampNs, patch };
    compare(mismatches, { id: line.id, op, what: 'correlation' }, expected, outOf(correlation));
  }
  return mismatches;
}

function eventOf(step: Op): RecordedEvent {
  return {
    name: step.name,
    sourceComponent: 'ctl',
    sourceHost: '',
    involved: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'ns1',
      name: step.object,
      uid: `uid-${step.object}`,
      fieldPath: '',
    },
    type: 'Warning',
    reason: step.reason,
    message: step.message,
    reportingController: '',
    reportingInstance: '',
  };
}

function outOf(correlation: Correlation): unknown {
  if (correlation.kind === 'skip') return { skip: true };
  const { kind, event, count, firstNs, lastNs } = correlation;
  const lastTimestamp = new Date(Number(lastNs / 1_000_000_000n) * 1000).toISOString().replace('.000Z', 'Z');
  return {
    count,
    outMessage: event.message,
    outName: event.name,
    firstTimestampNs: String(firstNs - epochNs),
    patch: kind === 'patch' ? { count, lastTimestamp, message: event.message } : undefined,
  };
}
