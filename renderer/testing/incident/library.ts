/** What lies on this computer in the invented incident: sessions, demos, and where in time the window stands. */
import type { Demo, Playback } from '../../../shared/contract/views/playback.ts';
import type { Library, SessionRow } from '../../../shared/contract/views/sessions.ts';
import { at, moment, noise, recordingStart } from './time.ts';

const minute = 60_000;
const folder = '/home/ada/.local/share/loopscope/sessions';

export const playback: Playback = {
  origin: 'cluster',
  state: 'live',
  name: '',
  at: moment,
  wall: moment,
  rate: 1,
  speed: 1,
};

export const nothingShown: Playback = { ...playback, origin: 'none' };

/** Records per slice: the first list, a quiet hour, the burst of the incident. */
function densityOf(slices: number): readonly number[] {
  return Array.from({ length: slices }, (_, n) => {
    const share = n / slices;
    const base = share < 0.06 ? 900 - share * 9000 : 120 + 90 * noise(n);
    return Math.round(base + (share > 0.55 && share < 0.7 ? 260 * noise(n * 3 + 1) : 0));
  });
}

const openedPath = `${folder}/2026-09-11T09-40-12-staging-eu.loopscope`;

/** A session of the folder, paused at the moment of the pictures. */
export const openedFile: Playback = {
  origin: 'file',
  state: 'paused',
  name: 'orders-db incident',
  path: openedPath,
  at: moment,
  wall: moment,
  rate: 0,
  speed: 1,
  from: recordingStart,
  to: at('14:21:31.008'),
  density: densityOf(280),
};

export const endedFile: Playback = { ...openedFile, state: 'ended', at: at('14:21:31.008') };

export const openedBehind: Playback = {
  ...openedFile,
  state: 'playing',
  rate: 5,
  speed: 5,
  behind: { context: 'staging-eu', records: 201_310, since: at('13:31:00') },
};

export const demoPlaying: Playback = {
  origin: 'demo',
  state: 'playing',
  name: 'status-forbidden',
  demo: 'status-forbidden',
  at: moment,
  wall: moment,
  rate: 1,
  speed: 1,
  from: at('14:10:58'),
  to: at('14:14:52.300'),
  density: densityOf(120),
};

export const openingFile: Playback = {
  origin: 'file',
  state: 'opening',
  name: 'orders-db incident',
  path: openedPath,
  at: moment,
  wall: moment,
  rate: 0,
  speed: 1,
  progress: { records: 131_072, of: 184_213 },
};

export const info: Library = {
  folder,
  bytes: 155_300_000,
  retention: { keep: 10, maxBytes: 2_000_000_000 },
};

function session(
  id: string,
  startedAt: number,
  minutes: number,
  records: number,
  bytes: number,
  more: Partial<SessionRow> = {},
): SessionRow {
  return {
    id: `${id}.loopscope`,
    path: `${folder}/${id}.loopscope`,
    name: 'staging-eu, database-operator',
    named: false,
    state: 'closed',
    context: 'staging-eu',
    operator: 'database-operator',
    startedAt,
    endedAt: startedAt + minutes * minute,
    records,
    bytes,
    kept: false,
    ...more,
  };
}

function day(date: number, clock: string): number {
  return at(clock) - (14 - date) * 24 * 60 * minute;
}

export const sessions: readonly SessionRow[] = [
  session('2026-09-14T13-02-11-staging-eu', day(14, '13:02:11'), 41, 201_310, 12_400_000),
  session('2026-09-11T09-40-12-staging-eu', day(11, '09:40:12'), 41.5, 184_213, 9_100_000, {
    name: 'orders-db incident',
    named: true,
    kept: true,
  }),
  session('2026-09-09T16-22-40-kind-dev', day(9, '16:22:40'), 18, 64_022, 4_400_000, {
    name: 'kind-dev, e2e run 218',
    named: true,
    context: 'kind-dev',
  }),
  session('2026-09-08T08-15-03-prod-eu', day(8, '08:15:03'), 402, 1_402_771, 87_000_000, {
    name: 'prod-eu, billing-operator',
    context: 'prod-eu',
    operator: 'billing-operator',
    state: 'interrupted',
  }),
  session('2026-09-02T11-05-30-lab', day(2, '11:05:30'), 0, 0, 38_600_000, {
    name: 'lab',
    context: 'lab',
    state: 'unreadable',
    problem: {
      code: 'session-newer',
      message:
        'This session was written by a newer Loopscope (format 4, this one reads up to 3). Update Loopscope to open it; the file was not touched.',
    },
  }),
  session('2026-09-01T17-48-09-kind-dev', day(1, '17:48:09'), 7, 21_904, 1_900_000, {
    name: 'kind-dev, database-operator',
    context: 'kind-dev',
  }),
  session('2026-08-28T10-12-55-partner', day(-3, '10:12:55'), 26, 33_410, 2_300_000, {
    name: 'partner, queue-operator',
    context: 'partner',
    operator: 'queue-operator',
  }),
];

/** While a cluster is shown its recording is the first row. */
export const recordingRow: SessionRow = session(
  '2026-09-14T13-40-00-staging-eu',
  recordingStart,
  32,
  184_213,
  12_400_000,
  { state: 'recording' },
);

function demo(id: string, ms: number, records: number, bytes: number): Demo {
  return { id, ms, records, bytes, recordedAt: day(10, '18:20:00'), kubernetes: 'v1.37.2' };
}

export const demos: readonly Demo[] = [
  demo('status-forbidden', 234_300, 3_912, 412_000),
  demo('hot-loop', 121_000, 8_204, 388_000),
  demo('finalizer-orphaned', 96_000, 1_870, 201_000),
  demo('parked-retry', 181_500, 2_655, 296_000),
];
