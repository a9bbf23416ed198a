/**
 * Keys by the names of their objects, for what is named after one: `cart-flpnk` belongs to `cart` where no longer name
 * fits and only one object is called so. Pure.
 */
export interface KeyNames {
  /** False: it was known. */
  add(namespace: string, name: string, controllers: readonly string[]): boolean;
  /** Undefined where nothing fits, or several controllers reconcile what does. */
  find(namespace: string, name: string): { readonly controller: string; readonly key: string } | undefined;
}

export function createKeyNames(): KeyNames {
  const byNamespace = new Map<string, Map<string, Set<string>>>();

  function* prefixes(name: string): Generator<string> {
    yield name;
    for (let at = name.lastIndexOf('-'); at > 0; at = name.lastIndexOf('-', at - 1)) yield name.slice(0, at);
  }

  return {
    add(namespace, name, controllers) {
      const names = byNamespace.get(namespace) ?? new Map<string, Set<string>>();
      byNamespace.set(namespace, names);
      const known = names.get(name) ?? new Set<string>();
      names.set(name, known);
      const before = known.size;
      for (const controller of controllers) known.add(controller);
      return known.size > before;
    },
    find(namespace, name) {
      for (const prefix of prefixes(name))
        for (const space of new Set([namespace, ''])) {
          const controllers = byNamespace.get(space)?.get(prefix);
          if (controllers === undefined) continue;
          const [only, ...others] = controllers;
          if (only === undefined || others.length > 0) return undefined;
          return { controller: only, key: space === '' ? prefix : `${space}/${prefix}` };
        }
      return undefined;
    },
  };
}
