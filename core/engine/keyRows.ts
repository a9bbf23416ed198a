/** The key list of a controller: one row per object of its For kind, with what its conditions and its queue say. */
import type { Health, KeyRow } from '../../shared/contract/views/operators.ts';
import { reconcileKey } from '../../shared/model/ids.ts';
import type { ConditionHead, ObjectFact } from '../session/facts.ts';

/** What the queue model knows of a key. */
export interface KeyQueueState {
  readonly state: KeyRow['state'];
  readonly failures: number;
  readonly nextRunAt: number | undefined;
}

/** What is said beside the number of failures of a failing key. */
export interface FailureNotes {
  readonly certain: boolean;
  readonly lastError: string | undefined;
}

export function keyRow(
  fact: ObjectFact,
  queue: KeyQueueState | undefined,
  notes: (key: string) => FailureNotes = () => ({ certain: true, lastError: undefined }),
): KeyRow {
  const { health, text } = healthOf(fact, queue);
  const key = reconcileKey(fact.namespace, fact.name);
  const failures = queue?.failures ?? 0;
  const { certain, lastError } = failures === 0 ? { certain: true, lastError: undefined } : notes(key);
  return {
    key,
    object: fact.key,
    namespace: fact.namespace,
    name: fact.name,
    health,
    text,
    failures,
    ...(certain ? {} : { certain }),
    ...(lastError === undefined ? {} : { lastError }),
    ...(queue?.nextRunAt === undefined ? {} : { nextRunAt: queue.nextRunAt }),
    state: queue?.state ?? 'idle',
  };
}

/** What an object says of itself, whatever its queue does. */
export function objectHealth(fact: ObjectFact): { health: Health; text: string } {
  return healthOf(fact, undefined);
}

/** More failures than this in a row: the key is failing, not merely retrying. */
const failingFrom = 10;

function healthOf(fact: ObjectFact, queue: KeyQueueState | undefined): { health: Health; text: string } {
  if (fact.meta.deletionTimestamp !== undefined) return { health: 'deleting', text: 'deleting' };
  const failures = queue?.failures ?? 0;
  if (failures > failingFrom) return { health: 'failed', text: `${failures} failures` };
  if (failures > 0) return { health: 'degraded', text: `${failures} failures` };
  const generation = fact.meta.generation;
  if (
    generation !== undefined &&
    fact.observedGeneration !== undefined &&
    fact.observedGeneration < generation
  )
    return { health: 'progressing', text: `generation ${generation}, observed ${fact.observedGeneration}` };
  return healthOfConditions(fact.conditions);
}

/**
 * Ready or Available first; then types where True is bad. Polarity of other types is the profile's to say (part 4), so
 * they do not count here.
 */
function healthOfConditions(conditions: readonly ConditionHead[]): { health: Health; text: string } {
  const byType = new Map(conditions.map((condition) => [condition.type, condition]));
  for (const bad of ['Stalled', 'Degraded', 'Failed']) {
    const condition = byType.get(bad);
    if (condition?.status === 'True') return { health: 'failed', text: condition.reason || bad };
  }
  const main = byType.get('Ready') ?? byType.get('Available');
  if (main === undefined) return { health: 'unknown', text: '' };
  if (main.status === 'True') return { health: 'ok', text: main.type };
  if (main.status === 'Unknown') return { health: 'unknown', text: main.reason || `${main.type} Unknown` };
  const progressing = byType.get('Progressing') ?? byType.get('Reconciling');
  if (progressing?.status === 'True')
    return { health: 'progressing', text: main.reason || progressing.reason };
  return { health: 'failed', text: main.reason || `${main.type} False` };
}

const order: readonly Health[] = ['failed', 'degraded', 'deleting', 'progressing', 'unknown', 'ok'];

/** Worst first, then by name: the order of the key list. */
export function compareKeyRows(a: KeyRow, b: KeyRow): number {
  return order.indexOf(a.health) - order.indexOf(b.health) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}
