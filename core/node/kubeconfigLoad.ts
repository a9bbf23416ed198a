/**
 * Reads and merges kubeconfig files by kubectl's rules (client-go tools/clientcmd loader.go): --kubeconfig alone, else
 * the files of KUBECONFIG, else ~/.kube/config. The first file to name a cluster, user or context wins, and the first to
 * set current-context; missing files are passed over; one that cannot be read spoils the whole. Spec: docs/spec/kubeconfig.md
 */

import { readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { asText, fieldsOf } from '../../shared/base/json.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { ContextSummary, ExecCommand } from '../../shared/contract/views/connection.ts';
import { ignoredKubeconfigFields, zKubeconfigFile } from '../../shared/model/kubeconfig.ts';
import { authOf, execCommandOf, flattenContext } from './kubeconfigFlatten.ts';
import { readYaml } from './kubeconfigYaml.ts';

export type KubeconfigErrorCode = 'missing' | 'empty' | 'malformed' | 'no-such-context' | 'unsupported';

/** `message` is a sentence that names file and line and never quotes a value. */
export interface KubeconfigError {
  readonly code: KubeconfigErrorCode;
  readonly message: string;
}

export interface KubeconfigFile {
  readonly path: string;
  readonly state: 'read' | 'missing' | 'empty' | 'malformed';
}

/** A cluster, user or context with where it was found; its fields are checked when it is used. */
export interface KubeconfigEntry {
  readonly value: unknown;
  readonly file: string;
  /** Line of the entry, or of a field in it. */
  lineOf(path: readonly (string | number)[]): number;
}

export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
  /** '' when no file sets one. */
  readonly currentContext: string;
  readonly files: readonly KubeconfigFile[];
  readonly origin: KubeconfigOrigin;
  /** What was passed over, as sentences: duplicate names in one file, unknown top-level fields. */
  readonly problems: readonly string[];
}

export type KubeconfigOrigin = 'flag' | 'environment' | 'default';

export interface KubeconfigPlaces {
  /** --kubeconfig. */
  readonly flag?: string | undefined;
  /** KUBECONFIG. */
  readonly env?: string | undefined;
  readonly home: string;
}

export type KubeconfigFailure = KubeconfigError & {
  readonly files: readonly KubeconfigFile[];
  readonly origin: KubeconfigOrigin;
};

/** Reads files only. The failure tells which files were tried and what became of each. */
export function loadKubeconfig(places: KubeconfigPlaces): Result<Kubeconfig, KubeconfigFailure> {
  const { paths, origin } = pathsOf(places);
  const files: KubeconfigFile[] = [];
  const merged = { clusters: new Map(), users: new Map(), contexts: new Map(), problems: [] as string[] };
  let currentContext = '';
  let failure: KubeconfigError | undefined;
  for (const path of paths) {
    const text = readText(path);
    if (!text.ok) {
      const gone = text.error === 'ENOENT' || text.error === 'ENOTDIR';
      files.push({ path, state: gone ? 'missing' : 'malformed' });
      if (!gone)
        failure ??= { code: 'malformed', message: `The kubeconfig ${path} cannot be read (${text.error}).` };
      continue;
    }
    const parsed = parseFile(path, text.value);
    if (!parsed.ok) {
      files.push({ path, state: 'malformed' });
      failure ??= parsed.error;
      continue;
    }
    const file = parsed.value;
    files.push({ path, state: file.empty ? 'empty' : 'read' });
    if (currentContext === '') currentContext = file.currentContext;
    for (const part of ['clusters', 'users', 'contexts'] as const) {
      for (const [name, entry] of file[part]) if (!merged[part].has(name)) merged[part].set(name, entry);
    }
    merged.problems.push(...file.problems);
  }
  failure ??= nothingIn(files, origin);
  if (failure !== undefined) return err({ ...failure, files, origin });
  return ok({ ...merged, currentContext, files, origin });
}

/** The contexts for a list to choose from, in order of name; each that cannot be used says why. */
export function summariseContexts(config: Kubeconfig): ContextSummary[] {
  return [...config.contexts.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => summariseContext(config, name, entry));
}

function summariseContext(config: Kubeconfig, name: string, entry: KubeconfigEntry): ContextSummary {
  const raw = fieldsOf(entry.value);
  const cluster = asText(raw.cluster);
  const user = asText(raw.user);
  // What stands before an @ may be a password: it is not for the screen.
  const server = asText(fieldsOf(config.clusters.get(cluster)?.value).server).replace(
    /^([^/]*\/\/)?.*@/,
    '$1',
  );
  const namespace = asText(raw.namespace);
  const flat = flattenContext(config, name);
  const exec: ExecCommand | undefined = flat.ok ? execCommandOf(flat.value) : undefined;
  return {
    name,
    cluster,
    server,
    user,
    ...(namespace === '' ? {} : { namespace }),
    auth: flat.ok ? authOf(flat.value) : 'unsupported',
    ...(exec === undefined ? {} : { exec }),
    current: name === config.currentContext,
    file: entry.file,
    ...(flat.ok ? {} : { problem: { code: flat.error.code, message: flat.error.message } }),
  };
}

function pathsOf(places: KubeconfigPlaces): { paths: string[]; origin: KubeconfigOrigin } {
  if (places.flag !== undefined && places.flag !== '') return { paths: [places.flag], origin: 'flag' };
  const listed = (places.env ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return { paths: [...new Set(listed)], origin: 'environment' };
  return { paths: [join(places.home, '.kube', 'config')], origin: 'default' };
}

/** What came out of a pipe (`--kubeconfig <(…)`), by path: it comes once, and we read more than once. */
const piped = new Map<string, string>();

function readText(path: string): Result<string, string> {
  const before = piped.get(path);
  if (before !== undefined) return ok(before);
  try {
    const text = readFileSync(path, 'utf8');
    if (statSync(path).isFIFO()) piped.set(path, text);
    return ok(text);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return err(code);
  }
}

interface ParsedFile {
  readonly clusters: Map<string, KubeconfigEntry>;
  readonly users: Map<string, KubeconfigEntry>;
  readonly contexts: Map<string, KubeconfigEntry>;
  readonly currentContext: string;
  readonly empty: boolean;
  readonly problems: readonly string[];
}

function parseFile(path: string, text: string): Result<ParsedFile, KubeconfigError> {
  const yaml = readYaml(text);
  if (!yaml.ok) return err(malformed(path, yaml.error.line, yaml.error.message));
  const { value, lineOf } = yaml.value;
  if (value === null || value === '') {
    return ok({
      clusters: new Map(),
      users: new Map(),
      contexts: new Map(),
      currentContext: '',
      empty: true,
      problems: [],
    });
  }
  const checked = zKubeconfigFile.safeParse(value);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const at = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
    const where =
      at.length === 0
        ? 'the file is not a kubeconfig'
        : `${at.join('.')} is not what a kubeconfig holds there`;
    return err(malformed(path, lineOf(at), where));
  }
  const file = checked.data;
  const problems: string[] = [];
  for (const field of Object.keys(file)) {
    if (field in zKubeconfigFile.shape || ignoredKubeconfigFields.includes(field)) continue;
    problems.push(`${path}:${lineOf([field])}: the field ${field} is not known and was passed over.`);
  }
  const collect = (part: 'clusters' | 'users' | 'contexts', field: 'cluster' | 'user' | 'context') => {
    const entries = new Map<string, KubeconfigEntry>();
    for (const [index, item] of (file[part] ?? []).entries()) {
      const base = [part, index, field];
      if (entries.has(item.name)) {
        problems.push(
          `${path}:${lineOf([part, index])}: a second ${field} named ${item.name} was passed over.`,
        );
        continue;
      }
      entries.set(item.name, {
        value: item[field],
        file: path,
        lineOf: (inner) => lineOf([...base, ...inner]),
      });
    }
    return entries;
  };
  const clusters = collect('clusters', 'cluster');
  const users = collect('users', 'user');
  const contexts = collect('contexts', 'context');
  const empty = clusters.size + users.size + contexts.size === 0;
  return ok({ clusters, users, contexts, currentContext: file['current-context'] ?? '', empty, problems });
}

function malformed(path: string, line: number, what: string): KubeconfigError {
  return { code: 'malformed', message: `The kubeconfig ${path} is malformed at line ${line}: ${what}.` };
}

function nothingIn(files: readonly KubeconfigFile[], origin: KubeconfigOrigin): KubeconfigError | undefined {
  if (files.some((file) => file.state === 'read')) return undefined;
  const names = files.map((file) => file.path).join(', ');
  if (files.every((file) => file.state === 'missing')) {
    const hint =
      origin === 'default'
        ? 'Create one, or name another with --kubeconfig or KUBECONFIG.'
        : `Correct ${origin === 'flag' ? '--kubeconfig' : 'KUBECONFIG'}.`;
    return { code: 'missing', message: `There is no kubeconfig at ${names}. ${hint}` };
  }
  return {
    code: 'empty',
    message: `The kubeconfig ${names} is empty: it names no cluster, user or context.`,
  };
}
