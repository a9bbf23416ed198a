/** The engine on a prepared cluster: everything of the product but the socket. For the children of ingest and memory. */

import { createEngine, type Engine } from '../core/engine/engine.ts';
import type { LiveSession } from '../core/engine/liveSession.ts';
import { createNodeHost } from '../core/node/nodeHost.ts';
import type { KubeTransport } from '../core/source/transport.ts';
import { ok } from '../shared/base/result.ts';

export interface PreparedEngine {
  readonly engine: Engine;
  /** Connects, and resolves when the Databases were listed. */
  connect(): Promise<LiveSession>;
}

/** `sessions`: a folder for session files, or `memory`. The operator of a loopscope.yaml is under debug. */
export function prepareEngine(cluster: KubeTransport, sessions: string): PreparedEngine {
  const host = createNodeHost({ version: 'bench', sessions });
  const engine = createEngine({
    ...host,
    contexts: {
      list: () => ({ contexts: [], files: [], origin: 'default' }),
      open: () =>
        Promise.resolve(
          ok({
            context: 'prepared',
            transport: cluster,
            server: 'https://prepared',
            user: 'bench',
            namespace: 'shop',
          }),
        ),
    },
  });
  engine.setProfileFile(
    {
      format: 1,
      operator: {
        name: 'database-operator',
        user: 'database-operator',
        fieldManagers: ['database-operator'],
      },
      controllers: [{ name: 'database', for: 'databases.db.example.com', queue: 'priority' }],
    },
    'loopscope.yaml',
  );
  return {
    engine,
    async connect() {
      const connected = await engine.connect({ context: '' });
      if (!connected.ok) throw new Error(connected.error.message);
      const session = connected.value;
      const isLive = () =>
        session.watching.manager
          .sources()
          .some((one) => one.resource.resource === 'databases' && one.state === 'live');
      await new Promise<void>((resolve) => {
        const listening = session.watching.onChange.on(() => {
          if (!isLive()) return;
          listening.dispose();
          resolve();
        });
      });
      return session;
    },
  };
}
