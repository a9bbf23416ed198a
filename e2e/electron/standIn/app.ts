/** app: life cycle, one instance, and what the desktop would be told. */
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

let ready = false;
let quitting = false;
/** Set by electron.ts: all windows, and the end of Chromium. */
export const hooks = {
  closeWindows: (): boolean => true,
  end: (): void => {},
};
/** What tests look at. */
export const told = { recentDocuments: [] as string[], protocolClients: [] as string[] };

export function isReady(): boolean {
  return ready;
}

class App extends EventEmitter {
  readonly isPackaged = process.env.STAND_IN_PACKAGED === '1';
  private readonly paths = new Map<string, string>();
  private readonly readiness = Promise.withResolvers<void>();
  private locked = false;
  name = 'Electron';

  setName(name: string): void {
    this.name = name;
  }

  setPath(name: string, path: string): void {
    this.paths.set(name, path);
  }

  getPath(name: string): string {
    const path = this.paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  whenReady(): Promise<void> {
    return this.readiness.promise;
  }

  becomeReady(): void {
    ready = true;
    this.emit('ready');
    this.readiness.resolve();
  }

  /** A file with our process id holds the lock; a second one leaves its message beside it. */
  requestSingleInstanceLock(additionalData: unknown = {}): boolean {
    const folder = join(this.getPath('userData'), 'SingletonStandIn');
    mkdirSync(folder, { recursive: true });
    const lock = join(folder, 'lock');
    if (existsSync(lock) && isAlive(Number(readFileSync(lock, 'utf8')))) {
      const message = { argv: process.argv, cwd: process.cwd(), data: structuredClone(additionalData) };
      writeFileSync(join(folder, `${process.pid}.part`), JSON.stringify(message));
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(message));
      return false;
    }
    writeFileSync(lock, String(process.pid));
    this.locked = true;
    watch(folder, () => {
      for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
        const path = join(folder, name);
        let message: { argv: string[]; cwd: string; data: unknown };
        try {
          message = JSON.parse(readFileSync(path, 'utf8'));
        } catch {
          continue; // Still being written; the next event has it whole.
        }
        rmSync(path, { force: true });
        this.emit('second-instance', {}, message.argv, message.cwd, message.data);
      }
    }).unref();
    return true;
  }

  hasSingleInstanceLock(): boolean {
    return this.locked;
  }

  quit(): void {
    if (quitting) return;
    // As Electron: the caller goes on first.
    setImmediate(() => {
      let stopped = false;
      this.emit('before-quit', {
        preventDefault: () => {
          stopped = true;
        },
      });
      if (stopped || !hooks.closeWindows()) return;
      quitting = true;
      this.emit('will-quit', { preventDefault: () => {} });
      this.emit('quit', {}, 0);
      hooks.end();
      process.exit(0);
    });
  }

  addRecentDocument(path: string): void {
    told.recentDocuments.push(path);
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    told.protocolClients.push(scheme);
    return true;
  }
}

export const app = new App();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
