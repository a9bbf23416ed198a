/**
 * Builds the desktop shell into dist/electron: main.js (ES module), preload.cjs (a sandboxed preload script cannot be an
 * ES module) and engineProcess.js, each one file with all it needs but Electron itself. Nothing is read from
 * node_modules at run time, and files there are never type-stripped. Run it: node tools/buildElectron.ts [folder];
 * with --if-needed it builds the window and the shell when their sources changed.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { digestOf, ensureWindowBuilt, repositoryRoot } from './runtime.mjs';

const parts = [
  { entry: 'electron/main.ts', file: 'main.js', format: 'es' },
  { entry: 'electron/preload.ts', file: 'preload.cjs', format: 'cjs' },
  { entry: 'electron/engineProcess.ts', file: 'engineProcess.js', format: 'es' },
] as const;

const sources = ['electron', 'core', 'shared', 'tools/buildElectron.ts', 'package-lock.json'];

/** Absolute paths of what was built. `folder` is made anew; the last good build stays when this one fails. */
export async function buildElectron(
  folder = join(repositoryRoot, 'dist', 'electron'),
): Promise<readonly string[]> {
  const beside = `${folder}.new`;
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { recursive: true });
  for (const part of parts) await bundle(part, beside);
  rmSync(folder, { recursive: true, force: true });
  renameSync(beside, folder);
  return parts.map(({ file }) => join(folder, file));
}

/** Builds when the sources are not those of the last build. */
export async function ensureElectronBuilt(folder = join(repositoryRoot, 'dist', 'electron')): Promise<void> {
  const digest = digestOf(
    repositoryRoot,
    sources,
    (name) => /\.(ts|json|mjs)$/.test(name) && !name.includes('.test.'),
  );
  const stamp = `${folder}.stamp`;
  const built = parts.every(({ file }) => existsSync(join(folder, file)));
  if (built && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  await buildElectron(folder);
  writeFileSync(stamp, digest);
}

async function bundle({ entry, file, format }: (typeof parts)[number], outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: repositoryRoot,
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(repositoryRoot, entry),
      outDir,
      emptyOutDir: false,
      target: 'node22',
      minify: false,
      sourcemap: false,
      rolldownOptions: {
        external: ['electron'],
        output: {
          format,
          entryFileNames: file,
          // Loaded when it is first asked for, but out of the same file.
          codeSplitting: false,
        },
      },
    },
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2);
  const since = performance.now();
  if (args.includes('--if-needed')) {
    await ensureWindowBuilt({ node: process.execPath });
    await ensureElectronBuilt();
  } else {
    const [folder] = args;
    const built = await (folder === undefined ? buildElectron() : buildElectron(resolve(folder)));
    console.log(
      `built ${built.length} files of the desktop shell in ${Math.round(performance.now() - since)} ms`,
    );
  }
}
