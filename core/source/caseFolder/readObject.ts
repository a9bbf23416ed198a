/**
 * Objects as people save them: typed by hand, cut, or of another tool. What the API server would never have stored is
 * left out field by field, so that the rules may rely on the types of `KubeObject`.
 */
import { asRecord } from '../../../shared/base/json.ts';
import type { KubeObject, ObjectMeta } from '../../../shared/model/kube.ts';

const textFields = ['namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'] as const;
const textMaps = ['labels', 'annotations'] as const;
/** Schemas of real CRDs reach some sixty levels. What is nested without end would end the process where it is walked. */
const deepest = 500;

/**
 * The object with metadata of the right types; undefined when it does not say what it is, or is nested deeper than anything
 * real. Never throws.
 */
export function readObject(value: unknown): KubeObject | undefined {
  const object = asRecord(value);
  const metadata = asRecord(object?.metadata);
  if (typeof object?.apiVersion !== 'string' || typeof object.kind !== 'string') return undefined;
  if (typeof metadata?.name !== 'string' || isDeeper(object, deepest)) return undefined;
  return {
    ...object,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: readMetadata(metadata, metadata.name),
  };
}

function readMetadata(fields: Readonly<Record<string, unknown>>, name: string): ObjectMeta {
  const metadata: Record<string, unknown> & { name: string } = { ...fields, name };
  for (const field of textFields) if (typeof fields[field] !== 'string') delete metadata[field];
  if (typeof fields.generation !== 'number') delete metadata.generation;
  for (const field of textMaps) {
    const entries = Object.entries(asRecord(fields[field]) ?? {});
    metadata[field] = Object.fromEntries(entries.filter(([, text]) => typeof text === 'string'));
  }
  metadata.finalizers = asArray(fields.finalizers).filter((one) => typeof one === 'string');
  metadata.ownerReferences = asArray(fields.ownerReferences).filter((one) =>
    hasTexts(one, ['apiVersion', 'kind', 'name']),
  );
  metadata.managedFields = asArray(fields.managedFields).filter((one) => hasTexts(one, ['manager']));
  return metadata;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const part of Object.values(value)) if (isDeeper(part, levels - 1)) return true;
  return false;
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  const fields = asRecord(value);
  return fields !== undefined && names.every((name) => typeof fields[name] === 'string');
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
