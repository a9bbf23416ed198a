/** Where the built parts lie: beside the built main process, which is dist/electron/main.js. */
import { join } from 'node:path';

const here = import.meta.dirname;

export const preloadPath = join(here, 'preload.cjs');
export const enginePath = join(here, 'engineProcess.js');
export const windowFolder = join(here, '..', 'renderer');
