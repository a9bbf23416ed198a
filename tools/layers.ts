/**
 * Checks the imports of every source file against tools/layerRules.ts. Parses with Vite's parser (TypeScript 7 has no
 * API): static imports and re-exports, and dynamic imports of a literal.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { parseSync } from 'vite';
import { debt, type Exception, exceptions, type Layer, layers, testPackages } from './layerRules.ts';

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface LayerRules {
  readonly layers: readonly Layer[];
  readonly testPackages: readonly string[];
  readonly exceptions: readonly Exception[];
}

export interface Violation {
  readonly path: string;
  readonly specifier: string;
  readonly why: string;
}

const SOURCE = /\.(ts|tsx|mts|mjs|js)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'vectors', 'test-results']);

/** Reads the repository and checks it. Each violation is one line for the summary. */
export async function checkLayers(root: string): Promise<readonly string[]> {
  const files: SourceFile[] = [];
  const tops = [...new Set(layers.map(({ folder }) => folder.split('/')[0] ?? folder))];
  for (const top of tops) files.push(...(await readSources(root, join(root, top))));
  const rules = { layers, testPackages, exceptions: [...exceptions, ...debt] };
  return findViolations(files, rules).map(({ path, specifier, why }) => `${path}: ${specifier}: ${why}`);
}

/** Violations in order of file; an exception that nothing needs any more is one too. */
export function findViolations(files: readonly SourceFile[], rules: LayerRules): Violation[] {
  const violations: Violation[] = [];
  const used = new Set<Exception>();
  for (const file of files) {
    const layer = layerOf(file.path, rules.layers);
    if (layer === undefined) continue;
    for (const specifier of importsOf(file)) {
      const why = refusal(file.path, layer, specifier, rules);
      if (why === undefined) continue;
      const exception = rules.exceptions.find((candidate) => covers(candidate, file.path, specifier));
      if (exception === undefined) violations.push({ path: file.path, specifier, why });
      else used.add(exception);
    }
  }
  for (const exception of rules.exceptions) {
    if (used.has(exception)) continue;
    violations.push({
      path: exception.from,
      specifier: exception.to,
      why: 'listed as an exception in tools/layerRules.ts and not needed: take it out',
    });
  }
  return violations;
}

async function readSources(root: string, folder: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const full = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) files.push(...(await readSources(root, full)));
    } else if (SOURCE.test(entry.name) && !entry.name.endsWith('.d.ts')) {
      files.push({ path: relative(root, full).split(sep).join('/'), text: await readFile(full, 'utf8') });
    }
  }
  return files;
}

function importsOf(file: SourceFile): string[] {
  const { module, errors } = parseSync(file.path, file.text);
  const [broken] = errors;
  if (broken !== undefined) throw new Error(`${file.path} cannot be parsed: ${broken.message}`);
  const found: string[] = [];
  for (const { moduleRequest } of module.staticImports) found.push(moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) found.push(moduleRequest.value);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"`])(.*)\1$/s.exec(file.text.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2] !== undefined) found.push(literal[2]);
  }
  return [...new Set(found)];
}

function refusal(path: string, layer: Layer, specifier: string, rules: LayerRules): string | undefined {
  if (specifier.startsWith('.')) {
    const target = targetOf(path, specifier);
    const other = layerOf(target, rules.layers);
    if (other === undefined) return 'outside of every layer';
    if (other === layer || layer.imports.includes(other.folder)) return undefined;
    return `${layer.folder} may not import ${other.folder}`;
  }
  if (specifier.startsWith('node:')) {
    return layer.node ? undefined : `${layer.folder} runs anywhere: no node modules`;
  }
  const name = packageOf(specifier);
  if (layer.packages.includes(name)) return undefined;
  if (isTest(path) && rules.testPackages.includes(name)) return undefined;
  const home = rules.layers.find(({ packages }) => packages.includes(name));
  if (home !== undefined) return `the home of ${name} is ${home.folder}`;
  return isTest(path) ? `${name} has no home` : `${name} has no home outside of tests`;
}

function covers(exception: Exception, path: string, specifier: string): boolean {
  if (!isInside(path, exception.from) || (exception.testsOnly && !isTest(path))) return false;
  return specifier.startsWith('.')
    ? isInside(targetOf(path, specifier), exception.to)
    : packageOf(specifier) === exception.to || specifier === exception.to;
}

function targetOf(path: string, specifier: string): string {
  return posix.join(dirname(path), specifier);
}

function layerOf(path: string, all: readonly Layer[]): Layer | undefined {
  let best: Layer | undefined;
  for (const layer of all) {
    if (!isInside(path, layer.folder)) continue;
    if (best === undefined || layer.folder.length > best.folder.length) best = layer;
  }
  return best;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Tests, and what only tests use. */
function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /(^|\/)testing\//.test(path) || isInside(path, 'e2e');
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}
