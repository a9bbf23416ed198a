/** An engine's process as Electron starts it. */
import { type MessagePortMain, utilityProcess } from 'electron';
import type { EngineProcess } from './engineHost.ts';
import { enginePath } from './paths.ts';

export function startEngineProcess(log: (line: string) => void): EngineProcess<MessagePortMain> {
  const child = utilityProcess.fork(enginePath, [], {
    serviceName: 'Loopscope engine',
    stdio: ['ignore', 'pipe', 'pipe'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => log(`engine: ${chunk.toString('utf8').trimEnd()}`));
  }
  return {
    post: (message, ports) => child.postMessage(message, [...ports]),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.once('exit', listener),
    kill: () => {
      child.kill();
    },
  };
}
