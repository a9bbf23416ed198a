import { createContext, useContext } from 'react';
import { toDisposable } from '../../shared/base/disposable.ts';
import type { Shell } from '../../shared/contract/shell.ts';

/** For tests and the gallery: a browser that can do nothing. */
const noShell: Shell = {
  kind: 'browser',
  call: () => Promise.reject(new Error('there is no shell around this window')),
  can: () => false,
  on: () => toDisposable(() => {}),
  pathOf: () => Promise.resolve(undefined),
};

export const ShellContext = createContext<Shell>(noShell);

/** The desktop or the browser around this window. */
export function useShell(): Shell {
  return useContext(ShellContext);
}
