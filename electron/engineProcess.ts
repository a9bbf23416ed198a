/**
 * The engine's own process. Serves the contract on a port for each window; says to the main process what is recorded and
 * what the next process would need should this one die. No window, no Electron: only `process.parentPort`.
 */
import { createNodeEngine, type NodeEngine } from '../core/node/createNodeEngine.ts';
import { engineApi } from '../shared/contract/api.ts';
import { createPortTransport } from '../shared/contract/portTransport.ts';
import { serve } from '../shared/contract/serve.ts';
import type { FromEngine, Recording, ToEngine } from './engineMessages.ts';
import { joinPaths } from './loginShell.ts';
import type { EngineRequest } from './openRequests.ts';

const parent = process.parentPort;
/** Read by credential plugins when they are run, so a PATH that comes later still counts. */
const env: Record<string, string | undefined> = { ...process.env };
let node: NodeEngine | undefined;

parent.on('message', ({ data, ports }) => {
  const message = data as ToEngine;
  switch (message.type) {
    case 'start':
      void start(message.request, message.recovery);
      break;
    case 'window':
      if (node !== undefined && ports[0] !== undefined) serveWindow(node, ports[0]);
      break;
    case 'path':
      env.PATH = joinPaths(message.path, env.PATH);
      break;
    case 'stop':
      node?.dispose();
      process.exit(0);
  }
});

function tell(message: FromEngine): void {
  parent.postMessage(message);
}

function log(line: string): void {
  tell({ type: 'log', line });
}

async function start(request: EngineRequest, recovery: unknown): Promise<void> {
  const { kubeconfig, context, namespaces, demo } = request;
  const started = createNodeEngine({
    env,
    record: 'file',
    log: (line) => log(`note: ${line}`),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined && namespaces.length === 0 ? {} : { autoConnect: { context, namespaces } }),
    ...(demo === undefined ? {} : { autoOpen: { demo: demo === true ? '' : demo } }),
  });
  node = started;
  followRecording(started);
  await followRecovery(started, recovery);
  await attachFeeds(started, request);
  tell({ type: 'ready' });
}

function serveWindow(engine: NodeEngine, port: Electron.MessagePortMain): void {
  serve(engineApi, engine.engine.handlers, createPortTransport(port), {
    clock: engine.host.clock,
    onBug: (where, error) =>
      log(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
}

/** Told when it begins and ends, not with each record. */
function followRecording({ engine, host }: NodeEngine): void {
  let told: Recording | null = null;
  engine.onConnection.on(({ phase, context }) => {
    const records = phase === 'syncing' || phase === 'live' || phase === 'lost';
    const next = records && context !== undefined ? context : undefined;
    if (next === told?.context) return;
    told = next === undefined ? null : { context: next, since: host.clock.now() };
    tell({ type: 'recording', recording: told });
  });
}

async function followRecovery({ engine }: NodeEngine, recovery: unknown): Promise<void> {
  const recoverable = engine as unknown as Partial<Recoverable>;
  recoverable.onRecovery?.on((next) => tell({ type: 'recovery', recovery: next }));
  if (recovery !== undefined) await recoverable.recover?.(recovery);
}

interface Recoverable {
  readonly onRecovery: { on(listener: (recovery: unknown) => void): unknown };
  recover(recovery: unknown): Promise<unknown>;
}

/** Through the window's own methods, so that a path that is not there is said in the log and shown nowhere twice. */
async function attachFeeds(
  { engine }: NodeEngine,
  { profile, log: path, metrics }: EngineRequest,
): Promise<void> {
  const signal = new AbortController().signal;
  const { methods } = engine.handlers;
  const wanted = [
    profile === undefined ? undefined : () => methods['profile.load']({ path: profile }, { signal }),
    path === undefined ? undefined : () => methods['feed.attachLog']({ path }, { signal }),
    metrics === undefined ? undefined : () => methods['feed.attachMetrics']({ url: metrics }, { signal }),
  ];
  for (const attach of wanted) {
    const done = await attach?.();
    if (done?.ok === false) log(`note: ${done.problem.message}`);
  }
}
