/** The first sync as counted steps: discovery, then kind by kind, so that the wait has an end in sight. */
import type { Connection } from '../../shared/contract/views/connection.ts';
import { resourceName } from '../../shared/model/resource.ts';
import type { SourceStatus, WatchProgress } from '../source/watch/watchTypes.ts';

type Sync = NonNullable<Connection['sync']>;
type Step = Sync['steps'][number];

export interface SyncState {
  readonly sources: readonly SourceStatus[];
  readonly progress: WatchProgress;
  /** How many are served. */
  readonly resources: number;
}

/** `discoveredMs`, `syncedMs`: how long after the start, once it was so. */
export function syncSteps(
  { sources, progress, resources }: SyncState,
  discoveredMs: number | undefined,
  syncedMs: number | undefined,
): Sync {
  const { objects, expected, ready, total } = progress;
  const steps: Step[] = [
    {
      id: 'discovery',
      label: 'Discovery',
      state: discoveredMs === undefined ? 'running' : 'done',
      detail: `${resources} resources`,
      ...(discoveredMs === undefined ? {} : { ms: discoveredMs }),
    },
    ...sources.map(stepOf),
  ];
  if (syncedMs !== undefined)
    steps.push({
      id: 'synced',
      label: 'First sync',
      state: 'done',
      detail: `${objects} objects`,
      ms: syncedMs,
    });
  return {
    objects,
    ...(expected === undefined ? {} : { expected }),
    resourcesReady: ready,
    resourcesTotal: total,
    steps,
  };
}

function stepOf(status: SourceStatus): Step {
  const where = status.namespace === undefined ? '' : ` in ${status.namespace}`;
  const count =
    status.expected === undefined ? `${status.objects}` : `${status.objects} of ${status.expected}`;
  return {
    id: status.source,
    label: `${resourceName(status.resource)}${where}`,
    state: stateOf(status),
    detail: count,
  };
}

function stateOf(status: SourceStatus): Step['state'] {
  switch (status.state) {
    case 'waiting':
      return 'waiting';
    case 'syncing':
      return 'running';
    case 'live':
    case 'ended':
      return 'done';
    case 'forbidden':
      return 'forbidden';
    case 'lost':
      return 'failed';
  }
}
