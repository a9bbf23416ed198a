/**
 * The fields of a line: found whatever their spelling, and the object they are about. A key is told only where a field
 * names one as a whole; what could be the object of something else is none. Spec: docs/spec/logs.md [LG5] [LG6]
 */

export interface LogKey {
  readonly namespace: string;
  readonly name: string;
}

/** Look-up that ignores case, blanks, dashes and underscores; what was taken is not left over. */
export class LogFields {
  private readonly byName = new Map<string, string>();
  private readonly fields: Readonly<Record<string, unknown>>;
  private taken: Set<string> | undefined;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
    for (const name in fields) this.byName.set(plain(name), name);
  }

  peek(name: string): unknown {
    const own = this.byName.get(plain(name));
    return own === undefined ? undefined : this.fields[own];
  }

  take(...names: readonly string[]): unknown {
    let found: unknown;
    for (const name of names) {
      const own = this.byName.get(plain(name));
      if (own === undefined) continue;
      this.taken ??= new Set();
      this.taken.add(own);
      found ??= this.fields[own];
    }
    return found;
  }

  /** A text that is not empty; a field of another type stays where it is, and so does a quoted one whose end was cut off. */
  takeText(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.peek(name);
      if (typeof value === 'string' && value !== '' && value[0] !== '"') {
        this.take(...names);
        return value;
      }
    }
    return undefined;
  }

  peekText(name: string): string | undefined {
    const value = this.peek(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  rest(): Readonly<Record<string, unknown>> {
    const { taken } = this;
    if (taken === undefined) return this.fields;
    const rest: Record<string, unknown> = {};
    for (const name in this.fields) if (!taken.has(name)) rest[name] = this.fields[name];
    return rest;
  }
}

/** What the line says of the controller: all of it decides which field holds the key. */
export interface AboutLine {
  readonly controller: string | undefined;
  readonly controllerKind: string | undefined;
  /** The line is of one reconcile, or of one object of a controller. */
  readonly aboutReconcile: boolean;
}

/**
 * In this order: the field called like the kind (controller-runtime's builder), like the controller (kubebuilder before
 * that); `object`, `request` (controller-runtime before 0.9), knative's key; Request.Namespace and Request.Name (operator-sdk);
 * `key`, `objectReference`, `resource` where they hold a namespace and a name; namespace and name.
 */
export function takeKey(fields: LogFields, about: AboutLine): LogKey | undefined {
  const { controllerKind, controller } = about;
  if (controllerKind !== undefined) {
    const key = takeNamed(fields, controllerKind, asKey);
    if (key !== undefined) return key;
  }
  if (controller !== undefined && controller !== controllerKind) {
    const key = takeNamed(fields, controller, asKey);
    if (key !== undefined) return key;
  }
  const ofKind = (value: unknown) => (isOfOther(value, about) ? undefined : asKey(value));
  for (const name of wholeKeys) {
    const key = takeNamed(fields, name, ofKind);
    if (key !== undefined) return key;
  }
  const requested = fields.peekText('Request.Name');
  if (requested !== undefined) return taken(fields, 'Request.Namespace', 'Request.Name');
  for (const name of namespacedKeys) {
    // Left where it is: it may also be just a field.
    const key = asNamespacedKey(fields.peek(name));
    if (key !== undefined) return key;
  }
  return about.aboutReconcile ? taken(fields, 'namespace', 'name') : undefined;
}

const wholeKeys = ['object', 'request', 'knative.dev/key'];
const namespacedKeys = ['key', 'objectReference', 'objectRef', 'resource'];

/** A reference with a kind of its own: what an Event is about, which need not be what the controller reconciles. */
function isOfOther(value: unknown, { controllerKind, controller }: AboutLine): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const { kind } = value;
  if (typeof kind !== 'string') return false;
  return ![controllerKind, controller].some((one) => one?.toLowerCase() === kind.toLowerCase());
}

function takeNamed(
  fields: LogFields,
  name: string,
  read: (value: unknown) => LogKey | undefined,
): LogKey | undefined {
  const key = read(fields.peek(name));
  if (key !== undefined) fields.take(name, 'namespace', 'name');
  return key;
}

function taken(fields: LogFields, namespaceField: string, nameField: string): LogKey | undefined {
  const name = fields.peek(nameField);
  if (typeof name !== 'string' || !isName(name)) return undefined;
  const namespace = fields.peek(namespaceField);
  fields.take(namespaceField, nameField);
  return { namespace: typeof namespace === 'string' ? namespace : '', name };
}

/** `{namespace, name}`, `ns/name`, `/name` or, for what has no namespace, `name`. */
export function asKey(value: unknown): LogKey | undefined {
  if (typeof value === 'object' && value !== null) {
    if (!('name' in value) || typeof value.name !== 'string' || !isName(value.name)) return undefined;
    const namespace = 'namespace' in value && typeof value.namespace === 'string' ? value.namespace : '';
    return { namespace, name: value.name };
  }
  if (typeof value !== 'string') return undefined;
  const slash = value.indexOf('/');
  const namespace = slash < 0 ? '' : value.slice(0, slash);
  const name = value.slice(slash + 1);
  return isName(name) && (namespace === '' || isName(namespace)) ? { namespace, name } : undefined;
}

/** As asKey, but a bare word is no key: it may be anything. */
export function asNamespacedKey(value: unknown): LogKey | undefined {
  const key = asKey(value);
  return key === undefined || key.namespace === '' ? undefined : key;
}

const namePattern = /^[a-z0-9](?:[a-z0-9.:_-]*[a-z0-9])?$/i;

function isName(text: string): boolean {
  return text.length <= 253 && namePattern.test(text);
}

/** Lines of one operator use the same few names, over and over. */
const plainNames = new Map<string, string>();
const mostPlainNames = 1000;

function plain(name: string): string {
  let found = plainNames.get(name);
  if (found === undefined) {
    if (plainNames.size >= mostPlainNames) plainNames.clear();
    found = name.toLowerCase().replace(/[\s_-]/g, '');
    plainNames.set(name, found);
  }
  return found;
}
