/**
 * Keys by the names of their objects, for what is named after one: `cart-flpnk` belongs to `cart` where no longer name
 * fits and only one object is called so. Pure.
 */
export interface KeyNames {
  /** Names known so far, each with each of its controllers. */
  readonly size: number;
  /** False: it was known. */
  add(namespace: string, name: string, controllers: readonly string[]): boolean;
  /** Undefined where nothing fits, or several controllers reconcile what does. */
  find(namespace: string, name: string): { readonly controller: string; readonly key: string } | undefined;
  /** The one key, of whatever namespace, that `name` is or is named after, and all controllers that reconcile it. */
  anywhere(name: string): { readonly controllers: readonly string[]; readonly key: string } | undefined;
}

export function createKeyNames(): KeyNames {
  const byNamespace = new Map<string, Map<string, Set<string>>>();
  let size = 0;

  function* prefixes(name: string): Generator<string> {
    yield name;
    for (let at = name.lastIndexOf('-'); at > 0; at = name.lastIndexOf('-', at - 1)) yield name.slice(0, at);
  }

  return {
    get size() {
      return size;
    },
    add(namespace, name, controllers) {
      const names = byNamespace.get(namespace) ?? new Map<string, Set<string>>();
      byNamespace.set(namespace, names);
      const known = names.get(name) ?? new Set<string>();
      names.set(name, known);
      const before = known.size;
      for (const controller of controllers) known.add(controller);
      size += known.size - before;
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
    anywhere(name) {
      for (const prefix of prefixes(name)) {
        const fits = [...byNamespace].flatMap(([space, names]) => {
          const controllers = names.get(prefix);
          return controllers === undefined ? [] : [{ space, controllers }];
        });
        const [only] = fits;
        if (only === undefined) continue;
        if (fits.length > 1) return undefined;
        return {
          controllers: [...only.controllers],
          key: only.space === '' ? prefix : `${only.space}/${prefix}`,
        };
      }
      return undefined;
    },
  };
}
