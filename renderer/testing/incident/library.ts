/** What lies on this computer in the invented incident: sessions, demos, and where in time the window stands. */
import type { Demo, Playback } from '../../../shared/contract/views/playback.ts';
import type { Library, SessionRow } from '../../../shared/contract/views/sessions.ts';
import { moment } from './time.ts';

export const playback: Playback = {
  origin: 'cluster',
  state: 'live',
  name: '',
  at: moment,
  wall: moment,
  rate: 1,
  speed: 1,
};

export const info: Library = {
  folder: '/home/ada/.local/share/loopscope/sessions',
  bytes: 16_400_000,
  retention: { keep: 10, maxBytes: 2_000_000_000 },
};

export const sessions: readonly SessionRow[] = [];
export const demos: readonly Demo[] = [];
