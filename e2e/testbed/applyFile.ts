/**
 * A file for `npm run testbed -- apply`: manifests, or the JSON patch of a role as Loopscope writes it, whose first line
 * says what it is for: `# kubectl patch clusterrole NAME [-n NAMESPACE] --type=json …`.
 */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { applyYaml, type KubeClient } from './kubeClient.ts';

export type Applicable =
  | { readonly kind: 'manifests' }
  | { readonly kind: 'patch'; readonly path: string; readonly operations: readonly unknown[] }
  /** A sentence without the file's name. */
  | { readonly kind: 'neither'; readonly why: string };

const roles = '/apis/rbac.authorization.k8s.io/v1';
const command = /^#\s*kubectl patch (clusterrole|role)s? (\S+)((?: .*)?)$/im;

/** What the text is. Never throws. */
export function readApplicable(text: string): Applicable {
  const documents = parseAllDocuments(text);
  const broken = documents.flatMap((document) => document.errors)[0];
  if (broken !== undefined)
    return { kind: 'neither', why: `is not YAML: ${broken.message.split('\n', 1)[0] ?? ''}` };
  const values = documents.map((document) => document.toJS() as unknown).filter((value) => value !== null);
  const [first] = values;
  if (values.length === 0) return { kind: 'neither', why: 'holds nothing to apply.' };
  if (Array.isArray(first)) return readPatch(text, first);
  return values.every(isManifest)
    ? { kind: 'manifests' }
    : {
        kind: 'neither',
        why: 'holds no manifest: each document needs apiVersion, kind and metadata.name.',
      };
}

function readPatch(text: string, operations: readonly unknown[]): Applicable {
  const [, kind = '', name = '', rest = ''] = command.exec(text) ?? [];
  if (name === '')
    return {
      kind: 'neither',
      why: 'is a JSON patch that does not say of what: its first line must be "# kubectl patch clusterrole NAME --type=json".',
    };
  if (kind.toLowerCase() === 'clusterrole')
    return { kind: 'patch', path: `${roles}/clusterroles/${encodeURIComponent(name)}`, operations };
  const namespace = /\s(?:-n|--namespace)[ =](\S+)/.exec(rest)?.[1] ?? 'default';
  const path = `${roles}/namespaces/${encodeURIComponent(namespace)}/roles/${encodeURIComponent(name)}`;
  return { kind: 'patch', path, operations };
}

function isManifest(value: unknown): boolean {
  const { apiVersion, kind, metadata } = value as {
    readonly apiVersion?: unknown;
    readonly kind?: unknown;
    readonly metadata?: { readonly name?: unknown } | null;
  };
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}

/** Applies one file. Returns undefined when it is done, else a sentence that names the file. */
export async function applyFile(client: KubeClient, file: string): Promise<string | undefined> {
  try {
    const text = readFileSync(file, 'utf8');
    const applicable = readApplicable(text);
    if (applicable.kind === 'neither') return `${file} ${applicable.why}`;
    if (applicable.kind === 'manifests') await applyYaml(client, text);
    else
      await client.json('PATCH', applicable.path, {
        body: applicable.operations,
        contentType: 'application/json-patch+json',
      });
    return undefined;
  } catch (cause) {
    return `${file} was not applied: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}
