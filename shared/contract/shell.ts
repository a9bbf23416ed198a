/**
 * What the window may ask of the shell around it, and what the shell tells the window. The shell never sees the engine's
 * frames: those go over a MessagePort of their own. In a browser there is no shell; renderer/client/shell.ts has what
 * takes its place. Both ends check what arrives with these schemas.
 */
import { z } from 'zod';
import type { Disposable } from '../base/disposable.ts';

/** A command as the native menu shows it; `title` is in the window's language already. `keys` as in the command table. */
export const zMenuCommand = z.object({
  id: z.string(),
  title: z.string(),
  group: z.enum(['file', 'go', 'view', 'object', 'playback', 'app']),
  keys: z.array(z.string()).readonly(),
  enabled: z.boolean(),
  checked: z.boolean().optional(),
});
export type MenuCommand = Readonly<z.infer<typeof zMenuCommand>>;

/** What only the shell says: its dialogs. `{context}` stands for names, put in by the shell. */
export const zShellText = z.enum([
  'quit.title',
  'quit.detail',
  'quit.stop',
  'quit.cancel',
  'quit.remember',
  'files.session',
  'files.any',
]);
export type ShellText = z.infer<typeof zShellText>;

const zPath = z.object({ path: z.string() });

/** Calls of the window, answered by the main process. */
export const shellCalls = {
  /** A file dialog; no path when the user gave up. */
  chooseFile: {
    params: z.object({ what: z.enum(['session', 'log', 'audit', 'profile', 'kubeconfig']) }),
    result: z.object({ path: z.string().optional() }),
  },
  saveFile: {
    params: z.object({ name: z.string() }),
    result: z.object({ path: z.string().optional() }),
  },
  showInFolder: { params: zPath, result: z.object({}) },
  /** A web page of ours or of Kubernetes, in the user's browser; anything else is refused. */
  openExternal: { params: z.object({ url: z.string() }), result: z.object({ opened: z.boolean() }) },
  /** The menu is what the command table says. `heading`: group titles in the window's language. */
  setMenu: {
    params: z.object({
      commands: z.array(zMenuCommand).readonly(),
      headings: z.record(z.string(), z.string()),
    }),
    result: z.object({}),
  },
  setTheme: { params: z.object({ theme: z.enum(['system', 'dark', 'light']) }), result: z.object({}) },
  /** A further window, with an engine of its own. */
  newWindow: { params: z.object({}), result: z.object({}) },
  /**
   * A port to this window's engine: it comes as a `message` event (shellBridge.ts). `hurry`: do not wait for the next
   * try. Not connected: why, and after how many ms the engine is started again.
   */
  connectEngine: {
    params: z.object({ hurry: z.boolean() }),
    result: z.object({
      connected: z.boolean(),
      why: z.string().optional(),
      retryMs: z.number().optional(),
    }),
  },
  /** What the shell itself says in dialogs, in the window's language. Until then it says it in English. */
  setTexts: { params: z.object({ texts: z.record(zShellText, z.string()) }), result: z.object({}) },
  /** The window is drawn and takes events from now on: waiting links and files are told after this. */
  ready: { params: z.object({}), result: z.object({}) },
} as const;
export type ShellCall = keyof typeof shellCalls;
export type ShellParams<C extends ShellCall> = z.output<(typeof shellCalls)[C]['params']>;
export type ShellResult<C extends ShellCall> = z.output<(typeof shellCalls)[C]['result']>;

/** What the shell tells the window. */
export const zShellEvent = z.discriminatedUnion('type', [
  /** A menu entry or a native shortcut. */
  z.object({ type: z.literal('command'), id: z.string() }),
  /** A file: from the desktop, a second instance, the list of recent documents. */
  z.object({ type: z.literal('open'), path: z.string() }),
  /** A `loopscope://` link (shared/model/momentLink.ts). */
  z.object({ type: z.literal('link'), url: z.string() }),
  /** The engine's process ended by itself; a new one is started after `restartMs`. */
  z.object({ type: z.literal('engineGone'), why: z.string(), restartMs: z.number().optional() }),
]);
export type ShellEvent = Readonly<z.infer<typeof zShellEvent>>;

/** The shell as the window uses it, whichever host it runs in. */
export interface Shell {
  readonly kind: 'desktop' | 'browser';
  call<C extends ShellCall>(name: C, params: ShellParams<C>): Promise<ShellResult<C>>;
  /** False where the host has no such thing (a file dialog in a browser): the window then asks for a path in words. */
  can(name: ShellCall): boolean;
  on(listener: (event: ShellEvent) => void): Disposable;
  /** The path on the engine's computer of a file that was dropped; in a browser it is handed over first. */
  pathOf(file: unknown): Promise<string | undefined>;
}
