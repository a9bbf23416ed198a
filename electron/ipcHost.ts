/**
 * Calls of windows. Each is checked: that it comes from our page's own frame in a window of ours, that it is one of the
 * table, that parameters and result have the table's shape. Whatever is not is refused with a word and a line in the log.
 */
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import { type ShellCall, type ShellParams, type ShellResult, shellCalls } from '../shared/contract/shell.ts';
import { shellChannels } from '../shared/contract/shellBridge.ts';
import { isOwnFrame } from './hardening.ts';

export type ShellHandlers<W> = {
  readonly [C in ShellCall]: (window: W, params: ShellParams<C>) => ShellResult<C> | Promise<ShellResult<C>>;
};

/** `windowOf`: the window whose page a WebContents is; undefined when it is none of ours. */
export function hostShellCalls<W>(
  ipc: Pick<IpcMain, 'handle'>,
  windowOf: (contents: WebContents) => W | undefined,
  handlers: ShellHandlers<W>,
  log: (line: string) => void,
): void {
  ipc.handle(shellChannels.call, async (event: IpcMainInvokeEvent, name: unknown, params: unknown) => {
    const window = isOwnFrame(event.senderFrame) ? windowOf(event.sender) : undefined;
    if (window === undefined) throw refused(log, 'a call that did not come from a window of ours');
    if (!isCall(name)) throw refused(log, 'a call that the shell does not know');
    const parsed = shellCalls[name].params.safeParse(params);
    if (!parsed.success) throw refused(log, `a call of ${name} whose parameters are wrong`);
    const handler = handlers[name] as (window: W, params: unknown) => unknown;
    return shellCalls[name].result.parse(await handler(window, parsed.data));
  });
}

function isCall(name: unknown): name is ShellCall {
  return typeof name === 'string' && Object.hasOwn(shellCalls, name);
}

function refused(log: (line: string) => void, what: string): Error {
  log(`refused ${what}`);
  return new Error(`The shell refused ${what}.`);
}
