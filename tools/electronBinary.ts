/**
 * Electron's binary, which its npm package does not bring: found where it lies, else fetched as Electron's own install
 * does it (the same cache, mirror settings, checksums and places), but with progress, an end when nothing comes, and
 * nothing half-done left behind. Runs under Node >= 22.19, as everything here. Spec: docs/spec/start.md, EL rules.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ElectronProblem } from './electronBinaryMemory.ts';

export interface ElectronMachine {
  /** node_modules/electron. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

export interface FetchOptions extends ElectronMachine {
  /** Given up after so long without a byte, ms. */
  readonly stallMs: number;
  /** Aborted: nothing half is left, and the answer is `cancelled`. */
  readonly signal: AbortSignal;
  onProgress(bytes: number, total: number | undefined): void;
  /** The download is there and is being unpacked. */
  onUnpack?(): void;
}

export type Fetched =
  | { readonly ok: true; readonly binary: string }
  | { readonly ok: false; readonly problem: ElectronProblem };

/** How long without a byte before it is given up, ms. */
export const electronStallMs = 60_000;

/** Version of the installed npm package; undefined when it is not installed. */
export function electronVersion(folder: string): string | undefined {
  const text = read(join(folder, 'package.json'));
  return text === undefined ? undefined : (JSON.parse(text) as { readonly version: string }).version;
}

/** The executable where it is there and of the package's version (node_modules/electron/install.js, isInstalled). */
export function findElectron({ folder, env, platform }: ElectronMachine): string | undefined {
  const path = platformPath(platform);
  if (path === undefined) return undefined;
  const override = env.ELECTRON_OVERRIDE_DIST_PATH ?? '';
  if (override !== '') return existsSync(join(override, path)) ? join(override, path) : undefined;
  if (
    read(join(folder, 'dist', 'version'))
      ?.trim()
      .replace(/^v/, '') !== electronVersion(folder)
  )
    return undefined;
  if (read(join(folder, 'path.txt')) !== path) return undefined;
  const binary = join(folder, 'dist', path);
  return existsSync(binary) ? binary : undefined;
}

/** Fetches, checks and unpacks. Never rejects for what network, mirror or disk do; throws for a bug. */
export async function fetchElectron(options: FetchOptions): Promise<Fetched> {
  const { folder, platform, signal } = options;
  const version = electronVersion(folder);
  const path = platformPath(platform);
  if (version === undefined || path === undefined) {
    const why = version === undefined ? 'its package is not installed' : `there is none for ${platform}`;
    return { ok: false, problem: { code: 'unsupported', message: why } };
  }
  removeInterrupted(folder);
  const partial = join(folder, `dist.partial-${process.pid}`);
  try {
    const zip = await download(options, version);
    signal.throwIfAborted();
    options.onUnpack?.();
    await unpack(zip, partial);
    signal.throwIfAborted();
    const unpacked = read(join(partial, 'version'))?.trim().replace(/^v/, '');
    if (unpacked !== version || !existsSync(join(partial, path))) throw new NotElectron();
    putInPlace(folder, partial, path);
    return { ok: true, binary: join(folder, 'dist', path) };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    return { ok: false, problem: problemOf(error, options) };
  }
}

/** Where the executable lies below dist; undefined where Electron is not made for. */
function platformPath(platform: NodeJS.Platform): string | undefined {
  switch (platform) {
    case 'darwin':
      return 'Electron.app/Contents/MacOS/Electron';
    case 'linux':
    case 'freebsd':
    case 'openbsd':
      return 'electron';
    case 'win32':
      return 'electron.exe';
    default:
      return undefined;
  }
}

class Stalled extends Error {}
class NotElectron extends Error {}
class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`answered ${status}`);
    this.status = status;
  }
}
/** After the first bytes: an address that answers is no offline machine. */
class CutOff extends Error {}

/** The zip file, in @electron/get's cache: there already, or fetched and checked. */
async function download(options: FetchOptions, version: string): Promise<string> {
  const { env, folder, platform } = options;
  const { downloadArtifact, ElectronDownloadCacheMode } = await import('@electron/get');
  const remoteSums = env.electron_use_remote_checksums ?? env.npm_config_electron_use_remote_checksums ?? '';
  const sums = remoteSums === '' ? read(join(folder, 'checksums.json')) : undefined;
  return downloadArtifact({
    version,
    artifactName: 'electron',
    platform: env.ELECTRON_INSTALL_PLATFORM ?? env.npm_config_platform ?? platform,
    arch: wantedArch(options),
    ...(env.electron_config_cache === undefined ? {} : { cacheRoot: env.electron_config_cache }),
    ...(env.force_no_cache === 'true' ? { cacheMode: ElectronDownloadCacheMode.WriteOnly } : {}),
    ...(sums === undefined ? {} : { checksums: JSON.parse(sums) as Record<string, string> }),
    downloader: { download: (url, target) => receive(url, target, options) },
  });
}

function wantedArch({ env, platform, arch }: FetchOptions): string {
  const asked = env.ELECTRON_INSTALL_ARCH ?? env.npm_config_arch;
  if (asked !== undefined) return asked;
  // A Node for Intel under Rosetta: the machine runs the arm64 binary.
  if (platform !== 'darwin' || arch !== 'x64') return arch;
  try {
    const translated = execFileSync('sysctl', ['-in', 'sysctl.proc_translated'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return translated.trim() === '1' ? 'arm64' : arch;
  } catch {
    return arch; // no such program: no Rosetta
  }
}

async function receive(url: string, target: string, options: FetchOptions): Promise<void> {
  const { stallMs, signal, onProgress } = options;
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Stalled()), stallMs);
  const either = AbortSignal.any([signal, stalled.signal]);
  let bytes = 0;
  try {
    const response = await fetch(url, { signal: either });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new Refused(response.status);
    }
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    const total = Number.isFinite(length) ? length : undefined;
    const file = await open(target, 'w');
    try {
      timer.refresh();
      for await (const chunk of response.body) {
        timer.refresh();
        bytes += chunk.length;
        await file.writeFile(chunk);
        onProgress(bytes, total);
      }
    } catch (error) {
      // What undici says of an aborted body is not the reason it was aborted for.
      either.throwIfAborted();
      throw systemCode(error) === 'ENOSPC' ? error : new CutOff();
    } finally {
      await file.close();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Electron's own extractor, looked up from where Electron itself would find it. */
const requireAsElectron = createRequire(join(import.meta.dirname, '../node_modules/electron/package.json'));

async function unpack(zip: string, dir: string): Promise<void> {
  const { extract } = requireAsElectron('@electron-internal/extract-zip') as {
    extract(zip: string, options: { readonly dir: string }): Promise<void>;
  };
  await extract(zip, { dir });
}

/** The last steps, each one rename: a start that looks in between finds all of it or none. */
function putInPlace(folder: string, partial: string, path: string): void {
  const types = join(partial, 'electron.d.ts');
  if (existsSync(types)) renameSync(types, join(folder, 'electron.d.ts'));
  const dist = join(folder, 'dist');
  rmSync(join(folder, 'path.txt'), { force: true });
  rmSync(dist, { recursive: true, force: true });
  renameSync(partial, dist);
  const fresh = join(folder, `path.txt.${process.pid}`);
  writeFileSync(fresh, path);
  renameSync(fresh, join(folder, 'path.txt'));
}

/** What a killed process left. */
function removeInterrupted(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^dist\.partial-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

const unreachable: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);
const diskCodes: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EACCES',
  'EPERM',
  'EROFS',
  'EDQUOT',
  'ENOTDIR',
  'EEXIST',
]);

function problemOf(error: unknown, { stallMs, signal }: FetchOptions): ElectronProblem {
  if (signal.aborted) return { code: 'cancelled', message: 'it was stopped' };
  if (error instanceof Stalled)
    return { code: 'stalled', message: `no bytes came for ${Math.round(stallMs / 1000)} s` };
  if (error instanceof Refused)
    return {
      code: error.status >= 500 ? 'cut-off' : 'refused',
      message: `the server answered ${error.status}`,
    };
  if (error instanceof CutOff)
    return { code: 'cut-off', message: 'the connection broke before all of it was there' };
  if (error instanceof NotElectron)
    return { code: 'checksum', message: 'what came holds no Electron of this version' };
  if (error instanceof Error && /Checksum/.test(error.constructor.name))
    return { code: 'checksum', message: 'what came has another checksum than Electron names' };
  const code = systemCode(error);
  if (code !== undefined && unreachable.has(code))
    return { code: 'offline', message: `no connection: ${code}` };
  if (code !== undefined && diskCodes.has(code))
    return { code: 'not-kept', message: `it cannot be written here: ${code}` };
  // A certificate that is not trusted, a zip that the extractor refuses, an address that is none.
  const why = code ?? (error instanceof Error ? error.name : 'unknown');
  return { code: 'cut-off', message: `the fetch failed: ${why}` };
}

/** The system's or undici's code of an error or of what caused it. */
function systemCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
    if (at instanceof AggregateError && at.errors[0] instanceof Error) return systemCode(at.errors[0]);
  }
  return undefined;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // not there counts as none
  }
}
