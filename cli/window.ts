/** The window of `start` and `run`: served on loopback, its address printed, opened where a desktop exists. */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { NodeEngine } from '../core/node/createNodeEngine.ts';
import type { Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import { startWebHost, type WebHost } from '../webhost/server.ts';
import type { ParsedArgs } from './args.ts';
import type { Io } from './io.ts';
import { openBrowser } from './openBrowser.ts';

/** Where `npm run build` and the bootstrap put the built window. */
const distDir = fileURLToPath(new URL('../dist/renderer', import.meta.url));

/** `say`: where the address goes; a line each. */
export async function openWindow(
  node: NodeEngine,
  args: ParsedArgs,
  io: Io,
  say: (line: string) => void,
): Promise<Result<WebHost, Problem>> {
  const started = await startWebHost({
    engineHandlers: node.engine.handlers,
    distDir,
    port: args.number('port'),
    clock: node.host.clock,
    log: (line) => io.note(`window: ${line}`),
  });
  if (!started.ok) return started;
  const host = started.value;
  say(`Loopscope: ${host.url}`);
  say('The address works once. It is served on this machine only.');
  if (!args.has('no-open') && !(await openBrowser(host.url, process.platform, io.env)))
    say('No desktop here: open the address yourself.');
  return started;
}

/** On a terminal, Enter prints a further address. Returns what stops it. */
export function offerFurtherLinks(host: WebHost, io: Io, say: (line: string) => void): () => void {
  if (!io.stdinIsTerminal || !io.stdoutIsTerminal) return () => undefined;
  say('Press Enter for another address, Ctrl-C to end.');
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => say(`Loopscope: ${host.newLink()}`));
  return () => lines.close();
}
