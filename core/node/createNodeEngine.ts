/** An engine on this machine, as the CLI and the browser host start it. */
import { readFileSync } from 'node:fs';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { AppInfo } from '../../shared/contract/api.ts';
import { createEngine, type Engine, type EngineOptions } from '../engine/engine.ts';
import type { EngineHost } from '../engine/host.ts';
import { createNodeHost } from './nodeHost.ts';

export interface NodeEngineOptions {
  /** --kubeconfig. */
  readonly kubeconfig?: string;
  /** Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `file`: a session in the user's data folder. `memory`: nothing is left behind. Default: `file`. */
  readonly record?: 'file' | 'memory';
  /** Another folder for session files. */
  readonly sessions?: string;
  /** The context may run its credential plugin. */
  readonly execConsent?: boolean;
  readonly log?: (line: string) => void;
  readonly onBug?: (where: string, error: unknown) => void;
  /** What the command line asked for: the window connects by itself. */
  readonly autoConnect?: EngineOptions['autoConnect'];
  /**
   * What the window opens by itself: a session file, or a recorded incident ('' is the first). Default: nothing, and the
   * page of recorded incidents where this machine has no kubeconfig at all.
   */
  readonly autoOpen?: AppInfo['autoOpen'];
}

export interface NodeEngine extends Disposable {
  readonly engine: Engine;
  readonly host: EngineHost;
}

export function createNodeEngine(options: NodeEngineOptions = {}): NodeEngine {
  const host = createNodeHost({
    version: programVersion(),
    ...(options.kubeconfig === undefined ? {} : { kubeconfig: options.kubeconfig }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.record === 'memory'
      ? { sessions: 'memory' }
      : options.sessions === undefined
        ? {}
        : { sessions: options.sessions }),
    ...(options.execConsent === undefined ? {} : { execConsent: options.execConsent }),
    ...(options.onBug === undefined ? {} : { onBug: options.onBug }),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  const { autoConnect } = options;
  const engine = createEngine(host, {
    ...(autoConnect === undefined ? {} : { autoConnect }),
    // Asked for by each window that opens: a kubeconfig may have come meanwhile.
    get autoOpen() {
      return options.autoOpen === undefined
        ? withoutKubeconfig(host, autoConnect !== undefined)
        : asked(host, options.autoOpen);
    },
  });
  return { host, engine, dispose: () => engine.dispose() };
}

function asked(host: EngineHost, open: NonNullable<AppInfo['autoOpen']>): AppInfo['autoOpen'] {
  if (!('demo' in open) || open.demo !== '') return open;
  const first = host.demos.list()[0];
  return first === undefined ? { demos: true } : { demo: first.id };
}

/** A kubeconfig that was named and is not there is a mistake to tell; none at all is somebody who is new here. */
function withoutKubeconfig(host: EngineHost, connects: boolean): AppInfo['autoOpen'] {
  if (connects) return undefined;
  const { origin, problem } = host.contexts.list();
  const none = origin === 'default' && (problem?.code === 'missing' || problem?.code === 'empty');
  return none ? { demos: true } : undefined;
}

function programVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
