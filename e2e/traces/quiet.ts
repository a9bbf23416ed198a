/** When a run of the test bed has come to rest, as its watch and its log tell. */
import type { KubeClient, KubeJson } from '../testbed/kubeClient.ts';
import { pause } from '../testbed/processes.ts';
import { eventually } from '../testbed/wait.ts';
import type { WatchAll } from './watchAll.ts';

/** Looks in a row that must find nothing new: together longer than the pods' stand-in takes to look again. */
const quietLooks = 10;
const lookEveryMs = 100;
const idleLooks = 3;

/**
 * Resolves when all that was asked for is there and ready, and for a second nothing has changed and nothing has run. `log`: what the
 * operator's processes that are up have logged.
 */
export async function untilQuiet(watch: WatchAll, admin: KubeClient, log: () => string): Promise<void> {
  let seen = '';
  let looks = 0;
  await eventually(
    'the run has come to rest',
    async () => {
      // A request, so that a look takes its time where the API server or this process is held up.
      await admin.json('GET', '/version');
      const now = String(watch.changes());
      looks = now === seen && isIdle(log()) && watch.objects().every(isSettled) ? looks + 1 : 0;
      seen = now;
      return looks >= quietLooks;
    },
    { timeoutMs: 60_000, intervalMs: lookEveryMs },
  );
}

function isSettled({ kind, metadata, spec, status }: KubeJson): boolean {
  if (metadata?.deletionTimestamp !== undefined) return false;
  if (kind !== 'StatefulSet') return true;
  const { replicas = 1 } = (spec ?? {}) as { readonly replicas?: number };
  const told = (status ?? {}) as Partial<Readonly<Record<string, number>>>;
  const { observedGeneration, readyReplicas = 0, updatedReplicas = 0 } = told;
  return (
    observedGeneration === metadata?.generation && readyReplicas === replicas && updatedReplicas === replicas
  );
}

/** For the last scrape, where the operator acts by the clock: resolves when no run is going on, after five seconds at the latest. */
export async function untilIdle(log: () => string): Promise<void> {
  const deadline = Date.now() + 5_000;
  for (let looks = 0; looks < idleLooks && Date.now() < deadline; ) {
    await pause(lookEveryMs);
    looks = isIdle(log()) ? looks + 1 : 0;
  }
}

/** Every run that the probe saw begin has ended. */
function isIdle(log: string): boolean {
  return count(log, '"probe":"start"') === count(log, '"probe":"end"');
}

/** Lines of a zap JSON log with this message. */
export function countLogged(log: string, message: string): number {
  return count(log, `"msg":"${message}"`);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
