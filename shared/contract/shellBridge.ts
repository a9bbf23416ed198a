/**
 * What the desktop's preload script and the page share, apart from shell.ts so that the script stays small: names, and
 * the shape of what lies on the page. Nothing else of the shell is reachable from there.
 */

/** What the preload script puts on the page. Whoever calls it checks what comes back with the schemas of shell.ts. */
export interface ShellBridge {
  readonly platform: string;
  /** One of `shellCalls`. Rejects when the shell refuses it. */
  call(name: string, params: unknown): Promise<unknown>;
  /** Events (`zShellEvent`) from now on. Returns what ends it. */
  on(listener: (event: unknown) => void): () => void;
  /** Path of a dropped or chosen file; empty when it has none. */
  pathOf(file: unknown): string;
}

/** `window[shellBridgeName]`; absent in a browser. */
export const shellBridgeName = 'loopscopeShell';
/** `data` of the page's `message` event that brings an engine's port. */
export const enginePortMessage = 'loopscope:engine-port';

/** Channels between the preload script and the main process. */
export const shellChannels = {
  call: 'loopscope:call',
  event: 'loopscope:event',
  enginePort: 'loopscope:engine-port',
} as const;
