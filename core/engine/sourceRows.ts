/** Rows of the sources page: every source of any kind, its state, its clock against ours, how late it is. Times ms. */
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { RowTable } from '../../shared/contract/rowTable.ts';
import type { FeedRow, GapRow, InformerRow } from '../../shared/contract/views/sources.ts';
import type { SourceRow } from '../../shared/contract/views/traces.ts';
import type { Fact, ObjectFact } from '../session/facts.ts';
import type { RecordHead } from '../session/record.ts';
import type { Recorder } from '../session/recorder.ts';
import { followedStamp } from '../source/podLogs/podLine.ts';
import type { OperatorsModel } from './operatorsModel.ts';
import type { SkewEstimate } from './skew.ts';
import { createSkewFold } from './skew.ts';
import { every, throttled } from './throttle.ts';
import { quantile } from './traceHistory.ts';
import { apiServer, clockOf } from './traceModel.ts';

export interface SourceTable extends Disposable {
  readonly table: RowTable<SourceRow>;
  /** A record came. */
  came(head: RecordHead, fact: Fact): void;
}

export interface SourceTableDeps {
  readonly pace: Clock;
  readonly quiet: () => boolean;
  readonly recorder: Recorder;
  readonly operators: OperatorsModel;
  readonly feeds: () => readonly FeedRow[];
  readonly informers: RowTable<InformerRow>;
  readonly gaps: RowTable<GapRow>;
}

/** Newest pairs of stated time and receipt that a lag is told of. */
const lagsKept = 100;

interface Tally {
  records: number;
  late: number;
  lastAt: number | undefined;
  readonly lags: number[];
  next: number;
  resolutionMs: number | undefined;
}

export function createSourceTable(deps: SourceTableDeps): SourceTable {
  const store = new DisposableStore();
  const table = new RowTable<SourceRow>((row) => row.id);
  const tallies = new Map<string, Tally>();
  const skew = createSkewFold();

  function tallyOf(id: string): Tally {
    let tally = tallies.get(id);
    if (tally === undefined) {
      tally = { records: 0, late: 0, lastAt: undefined, lags: [], next: 0, resolutionMs: undefined };
      tallies.set(id, tally);
    }
    return tally;
  }

  function count(id: string, head: RecordHead): Tally {
    const tally = tallyOf(id);
    tally.records++;
    if (head.late) tally.late++;
    tally.lastAt = head.receivedAt;
    return tally;
  }

  function stated(tally: Tally, clock: string, at: { lo: number; hi: number }, receivedAt: number): void {
    const width = Math.max(1, at.hi - at.lo + 1);
    if (tally.resolutionMs === undefined || width < tally.resolutionMs) tally.resolutionMs = width;
    tally.lags[tally.next] = Math.max(0, receivedAt - (at.lo + at.hi) / 2);
    tally.next = (tally.next + 1) % lagsKept;
    skew.pair(clock, at, receivedAt);
  }

  function object(head: RecordHead, fact: ObjectFact): void {
    count(fact.source, head);
    if (fact.kind === 'Event') count(eventsId, head);
    if (fact.initial || (fact.op !== 'added' && fact.op !== 'modified')) return;
    let newest = '';
    for (const { time } of fact.writers) if (time !== undefined && time > newest) newest = time;
    const at = newest === '' ? Number.NaN : Date.parse(newest);
    if (Number.isNaN(at) || fact.receivedAt - at > freshMs) return;
    stated(count(writersId, head), apiServer, { lo: at, hi: at + 999 }, fact.receivedAt);
    if (isOwnLease(fact)) count(leaseId, head);
  }

  function isOwnLease(fact: ObjectFact): boolean {
    const lease = deps.operators.profile()?.lease?.value;
    return fact.kind === 'Lease' && lease === `${fact.namespace}/${fact.name}`;
  }

  function lagOf({ lags }: Tally): SourceRow['lagMs'] {
    if (lags.length === 0) return undefined;
    const sorted = [...lags].sort((a, b) => a - b);
    return { p50: Math.round(quantile(sorted, 0.5)), p99: Math.round(quantile(sorted, 0.99)) };
  }

  /** What is told of any source beside its state. */
  function measured(
    id: string,
    estimate: SkewEstimate | undefined,
  ): Pick<SourceRow, 'late' | 'gaps' | 'lagMs' | 'resolutionMs' | 'skew' | 'lastAt'> {
    const tally = tallies.get(id);
    const lag = tally === undefined ? undefined : lagOf(tally);
    const gaps = deps.gaps.rows.filter((gap) => gap.source === id && gap.why !== 'forbidden').length;
    return {
      late: tally?.late ?? 0,
      gaps,
      ...(lag === undefined ? {} : { lagMs: lag }),
      ...(tally?.resolutionMs === undefined ? {} : { resolutionMs: tally.resolutionMs }),
      ...(estimate === undefined ? {} : { skew: estimate }),
      ...(tally?.lastAt === undefined ? {} : { lastAt: tally.lastAt }),
    };
  }

  function feedRow(row: FeedRow): SourceRow {
    return {
      ...measured(row.id, skew.estimate(clockOf(row.id))),
      id: row.id,
      kind: row.kind,
      label: row.label,
      state: row.state,
      detail: row.detail,
      records: row.records,
      unparsed: row.unparsed,
      ...(row.lastAt === undefined ? {} : { lastAt: row.lastAt }),
      ...(row.problem === undefined ? {} : { problem: row.problem }),
      attached: true,
    };
  }

  function informerRow(row: InformerRow): SourceRow {
    const name = row.group === '' ? row.resource : `${row.resource}.${row.group}`;
    const where = row.namespace === undefined ? '' : ` in ${row.namespace}`;
    return {
      ...measured(row.id, undefined),
      id: row.id,
      kind: 'watch',
      label: `${name}${where}`,
      state: watchState(row.state),
      detail: row.mode ?? '',
      records: tallies.get(row.id)?.records ?? row.objects,
      unparsed: 0,
      ...(row.lastEventAt === undefined ? {} : { lastAt: row.lastEventAt }),
      ...(row.problem === undefined ? {} : { problem: row.problem }),
      attached: false,
    };
  }

  /** Sources that are part of what watches bring. */
  function partRow(id: string, kind: SourceRow['kind'], label: string, detail: string): SourceRow[] {
    const tally = tallies.get(id);
    if (tally === undefined) return [];
    const estimate = id === writersId ? skew.estimate(apiServer) : undefined;
    return [
      {
        ...measured(id, estimate),
        id,
        kind,
        label,
        state: 'live',
        detail,
        records: tally.records,
        unparsed: 0,
        attached: false,
      },
    ];
  }

  function refresh(): void {
    const lease = deps.operators.profile()?.lease?.value;
    table.replace([
      ...deps.feeds().map(feedRow),
      ...partRow(writersId, 'managedFields', 'managedFields', ''),
      ...partRow(eventsId, 'events', 'Events', ''),
      ...(lease === undefined ? [] : partRow(leaseId, 'lease', lease, '')),
      ...deps.informers.rows.map(informerRow),
    ]);
  }

  const soon = store.add(throttled(deps.pace, 500, refresh));
  store.add(every(deps.pace, 1000, () => soon.poke()));

  return {
    table,
    came(head, fact) {
      switch (fact.fact) {
        case 'object':
          object(head, fact);
          break;
        case 'log': {
          const tally = count(fact.source, head);
          // What stood in its file before we looked says nothing of how fast it comes.
          const { at } = fact.entry;
          const stamp = followedStamp(fact);
          if (stamp !== undefined) stated(tally, clockOf(fact.source), stamp, fact.receivedAt);
          else if (at !== undefined) tally.resolutionMs ??= Math.max(1, at.hi - at.lo + 1);
          break;
        }
        case 'audit': {
          const tally = count(fact.source, head);
          tally.resolutionMs = 1;
          if (head.late) break;
          tally.lags[tally.next] = Math.max(0, fact.receivedAt - fact.entry.at.hi);
          tally.next = (tally.next + 1) % lagsKept;
          break;
        }
        case 'metrics':
        case 'process':
          count(fact.source, head);
          break;
        case 'other':
          return;
      }
      if (!deps.quiet()) soon.poke();
    },
    dispose: () => store.dispose(),
  };
}

const writersId = 'managedFields';
const eventsId = 'events';
const leaseId = 'lease';
/** A version whose newest time stamp is older was made by a write that left none, ms. */
const freshMs = 5000;

function watchState(state: InformerRow['state']): SourceRow['state'] {
  switch (state) {
    case 'waiting':
    case 'syncing':
      return 'waiting';
    case 'live':
    case 'recovered':
    case 'relisted':
      return 'live';
    case 'lost':
      return 'lost';
    case 'forbidden':
      return 'forbidden';
    case 'ended':
      return 'ended';
  }
}
