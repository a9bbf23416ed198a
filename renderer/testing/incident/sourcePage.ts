/** Sources, revisions and history of the invented incident. */
import type {
  ControllerHistory,
  HistoryPoint,
  ModelCheck,
  RevisionState,
  SourceOffer,
  SourceOffers,
  SourceRow,
} from '../../../shared/contract/views/traces.ts';
import { informers } from './sources.ts';
import { at, moment, noise, recordingStart } from './time.ts';

const watchRows: readonly SourceRow[] = informers.map((row) => ({
  id: row.id,
  kind: 'watch',
  label: row.group === '' ? row.resource : `${row.resource}.${row.group}`,
  state: row.state === 'forbidden' ? 'forbidden' : 'live',
  detail: row.mode ?? '',
  records: row.state === 'forbidden' ? 0 : row.objects + Math.round(row.perMinute * 32),
  unparsed: 0,
  late: 0,
  ...(row.lastEventAt === undefined ? {} : { lastAt: row.lastEventAt }),
  ...(row.state === 'forbidden'
    ? {}
    : { lagMs: { p50: 11 + row.resource.length, p99: lagOf(row.resource) } }),
  gaps: row.gapMs > 0 ? 1 : 0,
  ...(row.problem === undefined ? {} : { problem: row.problem }),
  attached: false,
}));

function lagOf(resource: string): number {
  return resource === 'pods' ? 2700 : 24 + resource.length * 2;
}

const logRow: SourceRow = {
  id: 'log:1',
  kind: 'log',
  label: './operator.log',
  state: 'live',
  detail: 'zap JSON, followed; the default level: errors only',
  records: 12_480,
  unparsed: 3,
  late: 0,
  lastAt: at('14:12:06.118'),
  skew: { ms: 14, errorMs: 500, samples: 212 },
  lagMs: { p50: 420, p99: 986 },
  resolutionMs: 1000,
  gaps: 0,
  attached: true,
};
const metricsRow: SourceRow = {
  id: 'metrics:1',
  kind: 'metrics',
  label: 'http://127.0.0.1:8080/metrics',
  state: 'live',
  detail: 'scraped every 15 s',
  records: 129,
  unparsed: 0,
  late: 0,
  lastAt: at('14:12:00.041'),
  lagMs: { p50: 6, p99: 18 },
  gaps: 0,
  attached: true,
};
const podLogRow: SourceRow = {
  id: 'podLog:dbops-system/database-operator-7c9f8d-q2x4l/manager',
  kind: 'podLog',
  label: 'database-operator-7c9f8d-q2x4l / manager',
  state: 'live',
  detail: 'The standby replica. zap JSON with milliseconds, since 13:40:04',
  records: 641,
  unparsed: 0,
  late: 12,
  lastAt: at('14:12:05.870'),
  skew: { ms: 1200, errorMs: 40, samples: 38 },
  lagMs: { p50: 31, p99: 210 },
  resolutionMs: 1,
  gaps: 0,
  attached: true,
};
const auditRow: SourceRow = {
  id: 'audit:1',
  kind: 'audit',
  label: './audit.jsonl',
  state: 'failed',
  detail: '',
  records: 0,
  unparsed: 0,
  late: 0,
  gaps: 0,
  problem: {
    code: 'not-found',
    message: 'There is no file ./audit.jsonl. Check the path, or attach another file.',
  },
  attached: true,
};
const importedRow: SourceRow = {
  ...auditRow,
  label: 'audit.jsonl',
  state: 'ended',
  detail: 'Imported: 48,000 records from 13:40:11 to 14:09:58, levels Metadata and RequestResponse',
  records: 48_000,
  late: 48_000,
  lastAt: at('14:09:58.204'),
  resolutionMs: 0.001,
};
const leaseRow: SourceRow = {
  id: 'lease:dbops-system/database-operator',
  kind: 'lease',
  label: 'dbops-system/database-operator',
  state: 'live',
  detail: 'Held by database-operator-7c9f8d-m8k2p since 13:44:12',
  records: 933,
  unparsed: 0,
  late: 0,
  lastAt: moment - 1000,
  resolutionMs: 0.001,
  gaps: 0,
  attached: false,
};
const managersRow: SourceRow = {
  id: 'managedFields',
  kind: 'managedFields',
  label: 'managedFields of all objects',
  state: 'live',
  detail: '',
  records: 6114,
  unparsed: 0,
  late: 0,
  lastAt: moment - 1900,
  skew: { ms: -90, errorMs: 480, samples: 5120 },
  resolutionMs: 1000,
  gaps: 0,
  attached: false,
};
const eventsRow: SourceRow = {
  id: 'events:dbops-system/database-operator',
  kind: 'events',
  label: 'Events of database-operator',
  state: 'live',
  detail: '',
  records: 2911,
  unparsed: 0,
  late: 0,
  lastAt: moment - 200,
  resolutionMs: 1000,
  gaps: 0,
  attached: false,
};

const ours: readonly SourceRow[] = [eventsRow, leaseRow, managersRow, ...watchRows];
export const sourceRows: readonly SourceRow[] = [logRow, metricsRow, podLogRow, auditRow, ...ours];
/** The same after an audit file was imported. */
export const importedSources: readonly SourceRow[] = [
  logRow,
  metricsRow,
  { ...podLogRow, skew: { ms: 24, errorMs: 40, samples: 38 } },
  importedRow,
  ...ours,
];
/** Nothing of the operator's own is attached. */
export const watchesOnly: readonly SourceRow[] = ours;
export const forbiddenSources: readonly SourceRow[] = watchRows.map(({ lagMs: _, lastAt: __, ...row }) => ({
  ...row,
  state: 'forbidden',
  records: 0,
  gaps: 0,
  problem: { code: 'forbidden', message: `User viewer may not list ${row.label} at the cluster scope.` },
}));
export const manySources: readonly SourceRow[] = [
  ...sourceRows,
  ...Array.from({ length: 60 }, (_, n) => ({
    ...podLogRow,
    id: `${podLogRow.id}-${n}`,
    label: `database-operator-7c9f8d-${(n + 36 ** 3).toString(36)} / manager`,
    skew: { ms: Math.round(noise(n) * 60 - 30), errorMs: 12, samples: 40 + n },
    gaps: 0,
    late: 0,
  })),
  ...Array.from({ length: 420 }, (_, n) => {
    const row = watchRows[n % watchRows.length] as SourceRow;
    return { ...row, id: `${row.id}@team-${n}`, label: `${row.label} in team-${n}` };
  }),
];

const podLogs: readonly SourceOffer[] = [
  {
    id: 'podLog:dbops-system/database-operator-7c9f8d-m8k2p/manager',
    kind: 'podLog',
    label: 'database-operator-7c9f8d-m8k2p / manager',
    gives: 'The leader’s log, from its start: errors with their time, and results where it tells them.',
    consent: false,
    needs: 'nothing',
  },
  {
    id: 'podLog:dbops-system/database-operator-7c9f8d-m8k2p/manager/previous',
    kind: 'podLog',
    label: 'database-operator-7c9f8d-m8k2p / manager, previous',
    gives: 'What the container said before it was started again at 13:44:10.',
    blocked: 'You may not get pods/log in dbops-system.',
    missing: [{ verb: 'get', group: '', resource: 'pods/log', namespace: 'dbops-system' }],
    consent: false,
    needs: 'nothing',
  },
  {
    id: 'podMetrics:dbops-system/database-operator-7c9f8d-m8k2p:8080',
    kind: 'podMetrics',
    label: 'database-operator-7c9f8d-m8k2p:8080',
    gives: 'Counts, errors, latency and depth of each queue, every 5 s, through the API server.',
    consent: true,
    needs: 'nothing',
  },
];
const forms: readonly SourceOffer[] = [
  { id: 'log', kind: 'log', label: 'A log file', gives: '', consent: false, needs: 'path' },
  { id: 'metrics', kind: 'metrics', label: 'A metrics address', gives: '', consent: false, needs: 'url' },
  { id: 'audit', kind: 'audit', label: 'An audit file', gives: '', consent: false, needs: 'path' },
];
export const offers: SourceOffers = { offers: [...podLogs, ...forms] };
/** No operator is known: files and addresses alone. */
export const formsOnly: SourceOffers = { offers: forms };
export const manyOffers: SourceOffers = {
  offers: [
    ...Array.from({ length: 60 }, (_, n) => ({
      ...(podLogs[0] as SourceOffer),
      id: `podLog:${n}`,
      label: `database-operator-7c9f8d-${(n + 36 ** 3).toString(36)} / manager`,
    })),
    ...forms,
  ],
};
export const forbiddenOffers: SourceOffers = {
  offers: [
    ...podLogs.map((offer) => ({
      ...offer,
      blocked: 'You may not get pods in dbops-system.',
      missing: [
        {
          verb: 'get',
          group: '',
          resource: offer.kind === 'podLog' ? 'pods/log' : 'pods/proxy',
          namespace: 'dbops-system',
        },
      ],
    })),
    ...forms,
  ],
};

export const revision: RevisionState = {
  revision: 0,
  state: 'idle',
  done: 0,
  total: 0,
  added: 0,
  changed: 0,
  removed: 0,
  cancelled: false,
};
export const deriving: RevisionState = {
  ...revision,
  revision: 2,
  state: 'deriving',
  source: 'audit.jsonl',
  done: 12_400,
  total: 48_000,
};
export const revised: RevisionState = {
  ...revision,
  revision: 3,
  source: 'audit.jsonl',
  done: 48_000,
  total: 48_000,
  changed: 14,
  added: 2,
  removed: 1,
  at: moment - 20_000,
};
export const derivingCancelled: RevisionState = { ...deriving, state: 'idle', cancelled: true };

const slotMs = 10_000;
const processEnd = at('13:44:02');
const processStart = at('13:44:10');
const firstRefusal = at('14:03:52');

/** When each failure of a key that backs off from 5 ms came, until now. */
function failures(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => first + 5 * (2 ** n - 1)).filter((time) => time <= moment);
}
const allFailures: readonly number[] = [
  ...failures(firstRefusal, 17),
  ...failures(moment - 1600, 8),
  ...failures(moment - 60, 3),
  at('13:49:54'),
  at('14:06:34'),
];

/** What was true in a slot; each series is its own view of it. */
function truth(time: number, seed: number) {
  const busy = time < at('14:04:00') ? 1.5 : 1;
  const errors = allFailures.filter((failure) => failure >= time && failure < time + slotMs).length;
  const runs = Math.round((3 + noise(seed) * 6) * busy) + errors;
  const slow = errors > 0 ? 1.7 : 1;
  return {
    runs,
    errors,
    p50Ms: (31 + noise(seed + 7) * 16) * slow,
    p99Ms: (140 + noise(seed + 13) * 260 + (noise(seed + 3) > 0.94 ? 1400 : 0)) * slow,
    depth: time > moment - 2 * slotMs ? 8 : Math.floor(noise(seed + 21) * 4 * busy),
  };
}

function points(of: (time: number, seed: number) => HistoryPoint | undefined): readonly HistoryPoint[] {
  const list: HistoryPoint[] = [];
  for (let time = recordingStart, seed = 0; time < moment; time += slotMs, seed++) {
    const point = of(time, seed);
    if (point !== undefined) list.push(point);
  }
  return list;
}

const spanPoints = points((time, seed) => {
  const { depth: _, ...slot } = truth(time, seed);
  if (time + slotMs > processEnd && time < processStart) return undefined;
  return { at: time, ...slot, writes: Math.round(slot.runs * 0.4) };
});
const metricPoints = points((time, seed) => {
  if (time + slotMs > processEnd - 4000 && time < processStart + 9000) return undefined;
  if (time > moment - slotMs) return undefined;
  const { runs, errors, p50Ms, p99Ms, depth } = truth(time, seed);
  const off = noise(seed + 31) > 0.9 ? 1 : 0;
  return {
    at: time,
    runs: runs + off,
    errors,
    p50Ms: p50Ms * 0.96,
    p99Ms: p99Ms * 1.08,
    ...(seed % 3 === 2 ? {} : { depth }),
  };
});

const marks: ControllerHistory['marks'] = [
  { at: processEnd, kind: 'exit', text: 'database-operator ended, exit code 2' },
  { at: processStart, kind: 'start', text: 'database-operator started' },
  { at: at('13:44:12'), kind: 'leader', text: 'database-operator-7c9f8d-m8k2p leads' },
  {
    at: at('14:07:39'),
    to: at('14:07:46.100'),
    kind: 'gap',
    text: 'Pods were not watched: 410, then a relist',
  },
];

/** `only`: one of the two sides, as where no metrics are attached. */
export function historyOf(controller: string, only?: 'spans'): ControllerHistory {
  const base = { controller, slotMs, from: recordingStart, to: moment };
  if (controller !== 'database') return { ...base, series: [], marks: [] };
  return {
    ...base,
    series: [
      ...(only === 'spans'
        ? []
        : [{ from: 'metrics', basis: { kind: 'reported', from: 'metrics' }, points: metricPoints } as const]),
      { from: 'spans', basis: { kind: 'inferred', by: 'spans/count', because: [] }, points: spanPoints },
    ],
    marks,
  };
}
export function emptyHistory(controller: string): ControllerHistory {
  return { controller, slotMs, from: recordingStart, to: moment, series: [], marks: [] };
}

/** As in the picture of the queue: one retry is not explained, and it falls into the gap of the pods. */
export function modelCheckOf(controller: string, reported = true): ModelCheck {
  if (controller !== 'database') return { controller, rows: [], reason: 'no-controller' };
  const rows = [
    ['adds', 1204, 1204, 1204],
    ['retries', 312, 312, 313],
    ['depth', 0, 0, 0],
    ['success', 868, 875, 871],
    ['error', 312, 313, 313],
    ['requeue-after', 12, 12, 12],
  ] as const;
  return {
    controller,
    from: processStart,
    to: at('14:12:00'),
    rows: rows.map(([name, lo, hi, value]) => ({
      name,
      model: { lo, hi },
      ...(reported ? { reported: value, inside: value >= lo && value <= hi } : {}),
    })),
  };
}
