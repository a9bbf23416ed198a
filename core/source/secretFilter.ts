/**
 * What must not reach the recorder is taken out here, right after the wire: annotations that hold whole objects or look
 * like secrets, and what stands in plain text in pod specs (secretValues.ts), become keyed digests (equal values stay
 * recognisable, none can be read back), and a Secret keeps its metadata only, should a server ever send more. Text is changed in place, so that what stays is byte
 * for byte as it came; objects with nothing to hide are not touched at all. Spec: docs/spec/watch.md
 */
import { fieldsOf } from '../../shared/base/json.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import { secretValues, type TextEdits } from './secretValues.ts';

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
  const values = bare === undefined ? podSecrets(raw, object, digest) : undefined;
  if (bare === undefined && keys.size === 0 && values === undefined) return { raw, object };
  if (values !== undefined) text = edited(text, values);
  for (const key of keys) text = digestValues(text, key, digest);
  return { raw: text, object: JSON.parse(text) as KubeObject };
}

/** Most objects hold no pod spec: a glance at the text spares them the walk. */
function podSecrets(raw: string, object: KubeObject, digest: Digest): TextEdits | undefined {
  if (!raw.includes('ontainers"')) return undefined;
  return secretValues(object, { isSecretLike, mark: (value) => `digest:${digest(value)}` });
}

/** Of the object itself and of the templates it carries. */
function secretAnnotations(object: KubeObject): ReadonlySet<string> {
  const spec = fieldsOf(object.spec);
  let keys = withSecretKeys(none, object.metadata);
  keys = withSecretKeys(keys, fieldsOf(spec.template).metadata);
  keys = withSecretKeys(keys, fieldsOf(spec.secretTemplate));
  return withSecretKeys(
    keys,
    fieldsOf(fieldsOf(fieldsOf(fieldsOf(spec.jobTemplate).spec).template).metadata),
  );
}

/** Most objects hide nothing: for them nothing is made. */
const none: ReadonlySet<string> = new Set();

function withSecretKeys(known: ReadonlySet<string>, metadata: unknown): ReadonlySet<string> {
  const annotations = fieldsOf(fieldsOf(metadata).annotations);
  let keys = known;
  for (const key in annotations) if (isSecretLike(key)) keys = new Set([...keys, key]);
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

/** The text with the edits made; every other byte as it was. */
function edited(text: string, edits: TextEdits): string {
  let result = '';
  let done = 0;
  const visit = (start: number, below: TextEdits): number => {
    const isList = text[start] === '[';
    let at = skipSpace(text, start + 1);
    for (let index = 0; at < text.length && text[at] !== ']' && text[at] !== '}'; index++) {
      let key = String(index);
      if (!isList) {
        const end = endOfText(text, at);
        key = JSON.parse(text.slice(at, end)) as string;
        at = skipSpace(text, skipSpace(text, end) + 1);
      }
      const edit = below.get(key);
      const end = edit instanceof Map ? visit(at, edit) : endOfValue(text, at);
      if (typeof edit === 'string') {
        result += text.slice(done, at) + JSON.stringify(edit);
        done = end;
      }
      at = skipSpace(text, end);
      if (text[at] === ',') at = skipSpace(text, at + 1);
    }
    return at + 1;
  };
  visit(skipSpace(text, 0), edits);
  return result + text.slice(done);
}

/** Index behind the value that begins at `from`. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const char = text[at];
    if (char === '"') at = endOfText(text, at);
    else if (char === '{' || char === '[') {
      depth++;
      at++;
    } else if (char === '}' || char === ']') {
      if (depth === 0) return at;
      depth--;
      at++;
    } else if (depth === 0 && (char === ',' || char === ' ' || char === '\n')) return at;
    else {
      at++;
      continue;
    }
    if (depth === 0) return at;
  }
  return text.length;
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
