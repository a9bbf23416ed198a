/**
 * The one script between the page and the shell: calls, events, paths of dropped files, and the engine's port, which is
 * handed on and never read. It runs in a sandbox and in a world of its own; the page gets functions and nothing to climb.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import {
  enginePortMessage,
  type ShellBridge,
  shellBridgeName,
  shellChannels,
} from '../shared/contract/shellBridge.ts';

/** The page's; this folder has no types of the DOM. */
declare const window: {
  readonly location: { readonly origin: string };
  postMessage(message: string, origin: string, ports: readonly unknown[]): void;
};

const bridge: ShellBridge = {
  platform: process.platform,
  call: (name, params) => ipcRenderer.invoke(shellChannels.call, name, params),
  on(listener) {
    const heard = (_event: unknown, event: unknown) => listener(event);
    ipcRenderer.on(shellChannels.event, heard);
    return () => {
      ipcRenderer.off(shellChannels.event, heard);
    };
  },
  pathOf: (file) => webUtils.getPathForFile(file as Parameters<typeof webUtils.getPathForFile>[0]),
};

contextBridge.exposeInMainWorld(shellBridgeName, bridge);

ipcRenderer.on(shellChannels.enginePort, (event) => {
  // To this page alone; the port is the one thing that is transferred.
  window.postMessage(enginePortMessage, window.location.origin, event.ports);
});
