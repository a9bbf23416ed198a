/**
 * What must not reach the recorder is taken out here, right after the wire: annotations that hold whole objects or look
 * like secrets become keyed digests (equal values stay recognisable, none can be read back), and a Secret keeps its
 * metadata only, should a server ever send more than was asked for. Text is changed in place, so that what stays is byte
 * for byte as it came; objects with nothing to hide are not touched at all. Spec: docs/spec/watch.md
 */
import { fieldsOf } from '../../shared/base/json.ts';
import type { KubeObject } from '../../shared/model/kube.ts';

export interface FilteredObject {
  readonly raw: string;
  readonly object: KubeObject;
}

/** Keyed digest of a text; the key is random per process and never stored. */
export type Digest = (text: string) => string;

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const secretLike =
  /(pass(word|wd|phrase)|token|secret|credential|private[-_.]?key|api[-_.]?key|access[-_.]?key|auth[-_.]?key|dockercfg|dockerconfig)/i;
/** Names of something secret rather than the thing itself, on nearly every cluster; digesting them would hide causes. */
const harmless = new Set([
  'kubernetes.io/service-account.name',
  'kubernetes.io/service-account.uid',
  'kubernetes.io/enforce-mountable-secrets',
  'kubernetes.io/legacy-token-last-used',
  'cert-manager.io/private-key-secret-name',
]);

export function isSecretLike(annotation: string): boolean {
  return annotation === lastApplied || (secretLike.test(annotation) && !harmless.has(annotation));
}

/** `raw` is the text `object` was parsed from. Comes back as given when there is nothing to hide. */
export function filterSecrets(raw: string, object: KubeObject, digest: Digest): FilteredObject {
  const bare = hasSecretData(object) ? metadataOnly(object) : undefined;
  let text = bare === undefined ? raw : JSON.stringify(bare);
  const keys = secretAnnotations(object);
  if (bare === undefined && keys.size === 0) return { raw, object };
  for (const key of keys) text = digestValues(text, key, digest);
  return { raw: text, object: JSON.parse(text) as KubeObject };
}

/** Of the object itself and of the templates it carries. */
function secretAnnotations(object: KubeObject): Set<string> {
  const keys = new Set<string>();
  const visit = (metadata: unknown) => {
    const annotations = fieldsOf(fieldsOf(metadata).annotations);
    for (const key in annotations) if (isSecretLike(key)) keys.add(key);
  };
  visit(object.metadata);
  const spec = fieldsOf(object.spec);
  visit(fieldsOf(spec.template).metadata);
  visit(fieldsOf(spec.secretTemplate));
  visit(fieldsOf(fieldsOf(fieldsOf(fieldsOf(spec.jobTemplate).spec).template).metadata));
  return keys;
}

/** Replaces the text value of every member called `key`. Other members that only contain the name stay. */
function digestValues(text: string, key: string, digest: Digest): string {
  const member = JSON.stringify(key);
  let result = '';
  let done = 0;
  for (let at = text.indexOf(member); at >= 0; at = text.indexOf(member, at + member.length)) {
    if (at < done) continue;
    let value = skipSpace(text, at + member.length);
    if (text[value] !== ':') continue;
    value = skipSpace(text, value + 1);
    if (text[value] !== '"') continue;
    const end = endOfText(text, value);
    result += text.slice(done, value) + JSON.stringify(digest(JSON.parse(text.slice(value, end)) as string));
    done = end;
  }
  return result + text.slice(done);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at++;
  return at;
}

/** Index behind the closing quote of the text literal that begins at `from`. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** A Secret, or what was asked for as metadata and came with more. */
function hasSecretData(object: KubeObject): boolean {
  if (object.kind !== 'Secret' && object.kind !== 'PartialObjectMetadata') return false;
  return 'data' in object || 'stringData' in object;
}

function metadataOnly(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, metadata };
}
