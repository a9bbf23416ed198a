/** What the main process and an engine's process say to each other beside the windows' ports. Plain cloneable values. */
import type { EngineRequest } from './openRequests.ts';

/** To the engine. The first is `start`; `window` brings one port. */
export type ToEngine =
  | {
      readonly type: 'start';
      readonly request: EngineRequest;
      /** What the process before this one left, as it gave it: not looked into here. */
      readonly recovery?: unknown;
    }
  | { readonly type: 'window' }
  /** PATH for credential plugins. */
  | { readonly type: 'path'; readonly path: string }
  /** Flush, seal, end. */
  | { readonly type: 'stop' };

/** What is being recorded: what a question before quitting says. */
export interface Recording {
  readonly context: string;
  /** ms since the epoch. */
  readonly since: number;
}

/** From the engine. */
export type FromEngine =
  | { readonly type: 'ready' }
  | { readonly type: 'recovery'; readonly recovery: unknown }
  | { readonly type: 'recording'; readonly recording: Recording | null }
  /** A line for the log: never a credential. */
  | { readonly type: 'log'; readonly line: string };

const types: ReadonlySet<string> = new Set<FromEngine['type']>(['ready', 'recovery', 'recording', 'log']);

/** What arrives is of our own program; a look at its type is enough to pass over what an older one might say. */
export function readFromEngine(message: unknown): FromEngine | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  return types.has(String(message.type)) ? (message as FromEngine) : undefined;
}
