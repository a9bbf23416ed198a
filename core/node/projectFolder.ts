/**
 * What an operator's own source folder tells: `loopscope.yaml`, the kinds of a kubebuilder PROJECT file, and the
 * ServiceAccount that its manifests run it under. A local run has the user's rights; RBAC is judged for that account.
 * Reads a bounded number of small YAML files, follows no links. Spec: docs/spec/feeds.md
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isFields } from '../objects/path.ts';

export interface ProjectFacts {
  /** Path of the folder's `loopscope.yaml`. */
  readonly profilePath: string | undefined;
  /** Absent when no manifest names one, or several do. `from`: the file, relative to the folder. */
  readonly serviceAccount:
    | { readonly namespace: string; readonly name: string; readonly from: string }
    | undefined;
  /** For kinds of the PROJECT file as `kind.group`, lower case: discovery resolves them. */
  readonly kinds: readonly string[];
  /** Sentences: files that could not be read, an account that is not clear. */
  readonly problems: readonly string[];
}

/** Where manifests lie, by convention. */
const manifestFolders = ['config', 'deploy', 'manifests', 'k8s', 'dist', 'install'];
const mostFiles = 400;
const largestBytes = 1024 * 1024;
const deepest = 4;

/** Never throws; a folder that is not there gives empty facts and a problem. */
export function readProjectFolder(folder: string): ProjectFacts {
  const problems: string[] = [];
  const names = listFolder(folder);
  if (names === undefined)
    return {
      profilePath: undefined,
      serviceAccount: undefined,
      kinds: [],
      problems: [`${folder} cannot be read.`],
    };
  const profileName = ['loopscope.yaml', 'loopscope.yml'].find((name) => names.includes(name));
  const files: ManifestFile[] = [];
  for (const name of manifestFolders) {
    if (!names.includes(name)) continue;
    for (const path of yamlFiles(join(folder, name))) {
      if (files.length >= mostFiles) break;
      const file = readManifest(path, relative(folder, path), problems);
      if (file !== undefined) files.push(file);
    }
  }
  if (files.length >= mostFiles)
    problems.push(`Only the first ${mostFiles} manifests of ${folder} were read.`);
  const project = names.includes('PROJECT')
    ? readManifest(join(folder, 'PROJECT'), 'PROJECT', problems)
    : undefined;
  return {
    profilePath: profileName === undefined ? undefined : join(folder, profileName),
    serviceAccount: serviceAccountOf(files, problems),
    kinds: project === undefined ? [] : projectKinds(project.documents[0]),
    problems,
  };
}

interface ManifestFile {
  readonly path: string;
  readonly documents: readonly unknown[];
}

function listFolder(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).sort();
  } catch {
    return undefined;
  }
}

function yamlFiles(folder: string, depth = 0): string[] {
  if (depth > deepest) return [];
  let entries: readonly { readonly name: string; isDirectory(): boolean; isFile(): boolean }[];
  try {
    entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Named like a manifest folder and no folder, or not ours to read.
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return yamlFiles(path, depth + 1);
    return entry.isFile() && /\.ya?ml$/.test(entry.name) ? [path] : [];
  });
}

function readManifest(path: string, name: string, problems: string[]): ManifestFile | undefined {
  try {
    if (statSync(path).size > largestBytes) return undefined;
    const documents = parseAllDocuments(readFileSync(path, 'utf8'));
    // Templates (Helm, kustomize replacements) are often no YAML: they are passed over, not complained about.
    const whole = documents.filter((document) => document.errors.length === 0);
    return {
      path: name,
      documents: whole.map((document) => document.toJS({ maxAliasCount: 100 }) as unknown),
    };
  } catch (error) {
    problems.push(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

interface Account {
  readonly namespace: string;
  readonly name: string;
  readonly from: string;
}

/** The account of the one workload among the manifests, with kustomize's namePrefix and namespace of config/default. */
function serviceAccountOf(files: readonly ManifestFile[], problems: string[]): Account | undefined {
  const overlay = files
    .filter((file) => /(^|\/)default\/kustomization\.ya?ml$/.test(file.path.replaceAll('\\', '/')))
    .map((file) => file.documents[0])
    .find(isFields);
  const prefix = typeof overlay?.namePrefix === 'string' ? overlay.namePrefix : '';
  const accounts = new Map<string, Account>();
  for (const file of files) {
    for (const document of file.documents) {
      const account = accountOf(document);
      if (account === undefined) continue;
      // What kustomize has built already (dist/install.yaml) carries its prefix.
      const name = account.name.startsWith(prefix) ? account.name : `${prefix}${account.name}`;
      const built = account.name.startsWith(prefix) && prefix !== '';
      const namespace =
        !built && typeof overlay?.namespace === 'string'
          ? overlay.namespace
          : (account.namespace ?? 'default');
      if (!accounts.has(`${namespace}/${name}`))
        accounts.set(`${namespace}/${name}`, { namespace, name, from: file.path });
    }
  }
  const [first] = accounts.values();
  if (accounts.size > 1) {
    problems.push(
      `The manifests name several ServiceAccounts (${[...accounts.keys()].join(', ')}); say which in loopscope.yaml.`,
    );
    return undefined;
  }
  return first;
}

function accountOf(
  document: unknown,
): { readonly name: string; readonly namespace: string | undefined } | undefined {
  if (!isFields(document) || !['Deployment', 'StatefulSet', 'DaemonSet'].includes(String(document.kind)))
    return undefined;
  const path = ['spec', 'template', 'spec', 'serviceAccountName'];
  let value: unknown = document;
  for (const name of path) value = isFields(value) ? value[name] : undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  const metadata = isFields(document.metadata) ? document.metadata : undefined;
  return { name: value, namespace: typeof metadata?.namespace === 'string' ? metadata.namespace : undefined };
}

/** Resources with `controller: true`, as kubebuilder writes them. */
function projectKinds(project: unknown): readonly string[] {
  const list =
    isFields(project) && Array.isArray(project.resources) ? (project.resources as readonly unknown[]) : [];
  const base = isFields(project) && typeof project.domain === 'string' ? project.domain : '';
  return list.filter(isFields).flatMap((resource) => {
    if (resource.controller !== true || typeof resource.kind !== 'string') return [];
    const group = typeof resource.group === 'string' && resource.group !== 'core' ? resource.group : '';
    const domain = typeof resource.domain === 'string' ? resource.domain : base;
    const full = [group, domain].filter((part) => part !== '').join('.');
    const kind = resource.kind.toLowerCase();
    return [full === '' ? kind : `${kind}.${full}`];
  });
}
