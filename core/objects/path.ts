/**
 * Paths into objects, as people read them: `status.conditions[Ready].status`, `metadata.labels["app.kubernetes.io/name"]`,
 * `spec.args[0]`. Items of lists that are maps in truth are named by their key, so that an insertion moves nothing.
 * Spec: docs/spec/objects.md
 */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  /** `older` and `newer` are the item in each version (undefined where it is not there). */
  | { readonly kind: 'item'; readonly label: string; readonly older: ListItem; readonly newer: ListItem };

export type ListItem = { readonly index: number; readonly value: unknown } | undefined;

/** Which version's item a step is matched with. */
export type Side = 'older' | 'newer';

export type Fields = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function renderPath(steps: readonly Step[]): string {
  let text = '';
  for (const step of steps) {
    if (step.kind === 'item') text += `[${step.label}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(step.name)) text += text === '' ? step.name : `.${step.name}`;
    else text += `[${JSON.stringify(step.name)}]`;
  }
  return text;
}

/** Fields that together name an item; alternatives in order. Source: listMapKeys of the built-in types' OpenAPI. */
const listKeys: Readonly<Record<string, readonly (readonly string[])[]>> = {
  conditions: [['type']],
  addresses: [['type', 'address'], ['type']],
  containers: [['name']],
  initContainers: [['name']],
  ephemeralContainers: [['name']],
  containerStatuses: [['name']],
  initContainerStatuses: [['name']],
  ephemeralContainerStatuses: [['name']],
  env: [['name']],
  volumes: [['name']],
  volumeMounts: [['mountPath']],
  volumeDevices: [['devicePath']],
  volumeClaimTemplates: [['name'], ['metadata.name']],
  imagePullSecrets: [['name']],
  secrets: [['name']],
  ports: [['name'], ['containerPort', 'protocol'], ['port', 'protocol'], ['containerPort'], ['port']],
  ownerReferences: [['kind', 'name'], ['uid']],
  managedFields: [['manager', 'operation', 'subresource', 'apiVersion']],
  webhooks: [['name']],
  versions: [['name']],
  hostAliases: [['ip']],
  topologySpreadConstraints: [['topologyKey', 'whenUnsatisfiable']],
  subjects: [['kind', 'namespace', 'name']],
};

/** Lists of scalars that are sets: an item is its own name. */
const valueSets: ReadonlySet<string> = new Set(['finalizers']);

/** Fields that may be missing in an item without losing its name. */
const optionalKeyFields: ReadonlySet<string> = new Set([
  'protocol',
  'subresource',
  'namespace',
  'apiVersion',
]);

/**
 * How the items of a list are named: the label of each, or undefined when its items have no name and count by index.
 * A naming counts only if it names every item of every given list, and no two of one list alike.
 * `managedKeys`: key fields that managedFields use for this list (`k:{…}`), for lists this table does not know.
 */
export function listNaming(
  field: string,
  lists: readonly (readonly unknown[])[],
  managedKeys: readonly string[] | undefined,
): ((item: unknown) => string) | undefined {
  if (valueSets.has(field)) {
    const naming = (item: unknown) => String(item);
    if (lists.every((list) => list.every((item) => typeof item === 'string') && areUnique(list, naming))) {
      return naming;
    }
  }
  const candidates = [...(listKeys[field] ?? []), ...(managedKeys === undefined ? [] : [managedKeys])];
  for (const keys of candidates) {
    const naming = (item: unknown) => keyLabel(item, keys) ?? '';
    const named = (list: readonly unknown[]) => list.every((item) => keyLabel(item, keys) !== undefined);
    if (lists.every((list) => named(list) && areUnique(list, naming))) return naming;
  }
  return undefined;
}

/** Values of `keys` joined by `/`; undefined when one is missing that may not be. */
export function keyLabel(item: unknown, keys: readonly string[]): string | undefined {
  const parts: string[] = [];
  for (const key of keys) {
    let value: unknown = item;
    for (const name of key.split('.')) value = isFields(value) ? value[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      parts.push(String(value));
    } else if (!optionalKeyFields.has(key)) return undefined;
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

function areUnique(list: readonly unknown[], naming: (item: unknown) => string): boolean {
  return new Set(list.map(naming)).size === list.length;
}
