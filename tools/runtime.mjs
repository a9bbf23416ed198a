/**
 * What must be true before TypeScript can run: packages installed as the lock file says, and a Node that strips types
 * and has FTS5 and zstd. Plain JavaScript for Node 20 without dependencies, since it runs before either is there.
 * Used by tools/bootstrap.mjs (npm scripts) and cli/launcher.mjs (npx loopscope). docs/adr/0003-runtime-and-hosts.md
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url));

/** node:sqlite with FTS5, zstd and type stripping without a flag all came together here; undici 8 asks for it too. */
export const nodeFloor = '22.19';

/** A failure that the user can act on: shown without a stack. */
export class Unready extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Whether a Node of this version runs the product. 23 is left out: it ended before it had everything.
 * @param {string} version such as `22.19.0`
 * @returns {boolean}
 */
export function nodeIsRecentEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

/**
 * The Node to run TypeScript with: this process's own when recent enough, else the pinned one of node_modules.
 * Throws Unready with what to install when there is neither.
 * @param {{ root: string, version: string, execPath: string, platform: string, arch: string }} host
 * @returns {string} path of the executable
 */
export function findNode({ root, version, execPath, platform, arch }) {
  if (nodeIsRecentEnough(version)) return execPath;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const pinned = join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(pinned)) return pinned;
  throw new Unready(
    `Loopscope needs Node ${nodeFloor} or newer (22.x, or 24 and later); this is ${version} and there is no prebuilt one for ` +
      `${platform} on ${arch}: install Node 24 from nodejs.org and run this again.`,
  );
}

/**
 * A digest of the named files' and folders' content (names and bytes), for "has anything changed since".
 * @param {string} root
 * @param {readonly string[]} paths relative to root; what does not exist counts as absent
 * @param {(name: string) => boolean} [wanted] filter on file names inside folders
 * @returns {string}
 */
export function digestOf(root, paths, wanted = () => true) {
  const hash = createHash('sha256');
  for (const path of paths) addToDigest(hash, root, path, wanted);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} path
 * @param {(name: string) => boolean} wanted
 */
function addToDigest(hash, root, path, wanted) {
  const full = join(root, path);
  let entries;
  try {
    entries = readdirSync(full, { withFileTypes: true });
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code;
    if (code === 'ENOTDIR') hash.update(`${path}\0`).update(readFileSync(full));
    else if (code !== 'ENOENT') throw error;
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.isDirectory() || wanted(entry.name)) {
      addToDigest(hash, root, `${path}/${entry.name}`, wanted);
    }
  }
}

/**
 * @param {string} path
 * @returns {string | undefined}
 */
function readStamp(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // no stamp: never done, or cleared
  }
}

/** @param {string} text */
function notice(text) {
  process.stderr.write(`${text}\n`);
}

/** @param {number} since */
function elapsed(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Installs packages when node_modules was not made from this package-lock.json on this kind of machine.
 * `npm install` and not `npm ci`: the latter clears node_modules, and with it the Node that may be running this.
 * An install that was cut off leaves packages without all of their files, which npm takes for whole: they are removed first.
 * Throws Unready when npm fails, is stopped, or installs here already for another start.
 * @param {string} [root]
 */
export async function ensureInstalled(root = repositoryRoot) {
  const stampPath = join(root, 'node_modules', '.loopscope-install');
  const wanted = () => `${digestOf(root, ['package-lock.json'])} ${process.platform}-${process.arch}`;
  if (readStamp(stampPath) === wanted()) return;
  const since = performance.now();
  const packages = join(root, 'node_modules');
  const markPath = join(packages, '.loopscope-installing');
  const mark = readStamp(markPath);
  if (mark !== undefined) {
    const pid = Number(mark);
    if (pid !== process.pid && isRunning(pid))
      throw new Unready(
        `Packages are being installed here by another start (process ${pid}). Run this again when it has ended.`,
      );
    removePackages(packages);
    notice('installing packages (the last time it was cut off) …');
  } else {
    notice(
      existsSync(packages)
        ? 'installing packages (package-lock.json has changed) …'
        : 'installing packages (first run, about 730 MB on disk) …',
    );
  }
  mkdirSync(packages, { recursive: true });
  writeFileSync(markPath, String(process.pid));
  const code = await npmInstall(root);
  if (code === undefined)
    throw new Unready('stopped: the packages are not all there. Run this again to install them.', 130);
  // What npm gives up by itself it takes back, so that there is nothing to remove.
  rmSync(markPath, { force: true });
  if (code !== 0) {
    throw new Unready(
      `npm install failed (its message is above). With a connection to the npm registry, run this again.`,
    );
  }
  writeFileSync(stampPath, wanted());
  notice(`installed packages in ${elapsed(since)}`);
}

/**
 * All packages but the Node that is running this, if it is one of them.
 * @param {string} packages
 */
function removePackages(packages) {
  const own = relative(realpathSync(packages), realpathSync(process.execPath)).split(sep)[0] ?? '..';
  for (const name of readdirSync(packages)) {
    if (name === own || (name === '.bin' && own !== '..')) continue;
    rmSync(join(packages, name), { recursive: true, force: true });
  }
}

/**
 * npm goes on for minutes after Ctrl-C, in the background of a terminal that has its prompt again: it is ended at once.
 * @param {string} root
 * @returns {Promise<number | undefined>} exit code; undefined when it was stopped
 */
function npmInstall(root) {
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm tells where it is to what it runs. npm.cmd cannot be started without a shell (Node refuses since 20.12.2).
  const cli = process.env.npm_execpath;
  const viaNode = cli !== undefined && basename(cli) === 'npm-cli.js';
  const windows = process.platform === 'win32';
  return new Promise((resolve) => {
    const child = viaNode
      ? spawn(process.execPath, [cli, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
      : spawn(windows ? 'npm.cmd' : 'npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: windows });
    let stopped = false;
    const stop = () => {
      stopped = true;
      child.kill('SIGKILL');
    };
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, stop);
    const finish = (/** @type {number} */ code) => {
      for (const signal of signals) process.off(signal, stop);
      resolve(stopped ? undefined : code);
    };
    child.once('error', (error) => {
      notice(`npm could not be started: ${error.message}`);
      finish(1);
    });
    child.once('close', (code) => finish(code ?? 1));
  });
}

/**
 * Builds the window into dist/renderer unless it was built from these sources. Built beside and then renamed, so that a
 * build that fails or is cut off leaves the old one in place. Throws Unready when Vite fails.
 * @param {{ node: string, root?: string, force?: boolean }} options
 */
export async function ensureWindowBuilt({ node, root = repositoryRoot, force = false }) {
  const target = join(root, 'dist', 'renderer');
  const stampPath = join(root, 'dist', 'renderer.stamp');
  const sources = digestOf(
    root,
    ['renderer', 'shared', 'vite.config.ts', 'package-lock.json', 'tools/runtime.mjs'],
    (name) => !/\.test\.tsx?$/.test(name),
  );
  if (!force && readStamp(stampPath) === sources && existsSync(join(target, 'index.html'))) return;
  const since = performance.now();
  notice('building the window …');
  const partial = `${target}.partial-${process.pid}`;
  mkdirSync(join(root, 'dist'), { recursive: true });
  removeInterrupted(join(root, 'dist'));
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { code, output } = await capture(
    node,
    [vite, 'build', '--outDir', partial, '--emptyOutDir', '--logLevel', 'warn'],
    root,
    // Whatever the shell or a test runner says: with another one the window gets React's slow development build.
    { NODE_ENV: 'production' },
  );
  if (code !== 0) {
    rmSync(partial, { recursive: true, force: true });
    throw new Unready(`the window could not be built:\n${output.trimEnd()}`);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
  writeFileSync(stampPath, sources);
  notice(`built the window in ${elapsed(since)}`);
}

/**
 * What builds left that were cut off: folders of processes that are gone.
 * @param {string} dist
 */
function removeInterrupted(dist) {
  for (const name of readdirSync(dist)) {
    const pid = /\.partial-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(dist, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * @param {string} node
 * @param {string[]} args
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} env beside this process's own
 * @returns {Promise<{ code: number, output: string }>}
 */
function capture(node, args, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let output = '';
    const collect = (/** @type {string} */ chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output: stripVTControlCharacters(output) }));
  });
}

/**
 * Runs a TypeScript file as a child with this terminal, passes signals on, and resolves with its exit code
 * (128 + number for a signal, as a shell has it). The working directory stays this process's unless another is given.
 * @param {string} node
 * @param {string} script path below the repository
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @returns {Promise<number>}
 */
export function runScript(node, script, args, cwd = process.cwd()) {
  const path = join(repositoryRoot, script);
  if (!existsSync(path)) throw new Unready(`${script} is not part of this version.`);
  return new Promise((resolve, reject) => {
    const child = spawn(node, ['--disable-warning=ExperimentalWarning', path, ...args], {
      stdio: 'inherit',
      cwd,
    });
    // Ctrl-C reaches the whole group by itself; listening here only keeps this process until the child has ended.
    /** @type {NodeJS.Signals[]} */
    const passedOn = ['SIGTERM', 'SIGHUP'];
    const pass = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    const ignore = () => {};
    for (const signal of passedOn) process.on(signal, pass);
    process.on('SIGINT', ignore);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of passedOn) process.off(name, pass);
      process.off('SIGINT', ignore);
      resolve(code ?? 128 + (signal === null ? 0 : (signalNumbers[signal] ?? 0)));
    });
  });
}

/**
 * Where the user is. npm runs its scripts in the folder of package.json, and tells where it was called from: a file that
 * is named after `npm start --` is meant from there.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string}
 */
export function userFolder(env = process.env) {
  const { INIT_CWD: from = '', npm_lifecycle_event: script = '' } = env;
  return script !== '' && isAbsolute(from) && existsSync(from) ? from : process.cwd();
}

/** @type {Readonly<Partial<Record<NodeJS.Signals, number>>>} */
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };

/**
 * The whole preparation: packages, then Node. Returns the Node to use.
 * @returns {Promise<string>}
 */
export async function prepare() {
  await ensureInstalled();
  return findNode({
    root: repositoryRoot,
    version: process.versions.node,
    execPath: process.execPath,
    platform: process.platform,
    arch: process.arch,
  });
}

/**
 * Runs `main` and ends the process with its exit code; an Unready is one message and its exit code.
 * @param {() => Promise<number>} main
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Unready)) throw error;
    notice(error.message);
    process.exitCode = error.exitCode;
  }
}
