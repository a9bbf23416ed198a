/**
 * The engine's own process. Serves the contract on a port for each window; says to the main process what is recorded and
 * what the next process would need should this one die. No window, no Electron: only `process.parentPort`.
 */
import type { Recovery } from '../core/engine/recovery.ts';
import { createNodeEngine, type NodeEngine } from '../core/node/createNodeEngine.ts';
import { engineApi } from '../shared/contract/api.ts';
import { createPortTransport } from '../shared/contract/portTransport.ts';
import { serve } from '../shared/contract/serve.ts';
import type { FromEngine, Recording, ToEngine } from './engineMessages.ts';
import { joinPaths } from './loginShell.ts';
import type { EngineRequest } from './openRequests.ts';

/** A cluster that answers is read again well within this. */
const recoverLimitMs = 15_000;

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
  follow(started);
  if (recovery !== undefined) await recover(started, recovery as Recovery);
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

/** Told when it begins and ends, and with each change of what a next process would need. */
function follow({ engine, host }: NodeEngine): void {
  let told: Recording | null = null;
  let pending = false;
  function tellAll(): void {
    pending = false;
    const recovery = engine.recovery();
    tell({ type: 'recovery', recovery });
    const context = engine.live() === undefined ? undefined : recovery?.live?.context;
    if (context === told?.context) return;
    told = context === undefined ? null : { context, since: host.clock.now() };
    tell({ type: 'recording', recording: told });
  }
  function soon(): void {
    if (pending) return;
    pending = true;
    setImmediate(tellAll);
  }
  engine.onRecovery.on(soon);
  engine.onLive.on(soon);
  engine.onConnection.on(soon);
}

/**
 * Goes on where the process before this one was. The window keeps what it shows until this is done, so it is waited for
 * until the recording is live again, some seconds at most: after that the window shows how far it got.
 */
async function recover({ engine, host }: NodeEngine, recovery: Recovery): Promise<void> {
  const settled = new Promise<void>((resolve) => {
    const limit = host.clock.setTimer(recoverLimitMs, resolve);
    const done = () => {
      limit.dispose();
      resolve();
    };
    const following = engine.onConnection.on(({ phase }) => {
      if (phase !== 'live' && phase !== 'failed') return;
      following.dispose();
      done();
    });
    void engine.recover(recovery).then((recovered) => {
      if (!recovered.ok) log(`note: ${recovered.error.message}`);
      if (!recovered.ok || recovery.live === undefined) done();
    });
  });
  await settled;
}

/** Through the window's own methods, so that a path that is not there is said in the log and shown nowhere twice. */
async function attachFeeds(
  { engine }: NodeEngine,
  { profile, log: path, audit, metrics }: EngineRequest,
): Promise<void> {
  const signal = new AbortController().signal;
  const { methods } = engine.handlers;
  const wanted = [
    profile === undefined ? undefined : () => methods['profile.load']({ path: profile }, { signal }),
    path === undefined ? undefined : () => methods['feed.attachLog']({ path }, { signal }),
    audit === undefined ? undefined : () => methods['feed.attachAudit']({ path: audit }, { signal }),
    metrics === undefined ? undefined : () => methods['feed.attachMetrics']({ url: metrics }, { signal }),
  ];
  for (const attach of wanted) {
    const done = await attach?.();
    if (done?.ok === false) log(`note: ${done.problem.message}`);
  }
}
