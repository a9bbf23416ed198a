/**
 * GroupKinds: names of kinds as `group/Kind`, the same text each time: made for every event anew, they would have to be
 * read before a map finds them. Empty group for core.
 */
const names = new Map<string, Map<string, string>>();

/** `group/Kind`. Kept for good: there are as many as the API server serves kinds. */
export function groupKindName(group: string, kind: string): string {
  let kinds = names.get(group);
  if (kinds === undefined) {
    kinds = new Map();
    names.set(group, kinds);
  }
  let name = kinds.get(kind);
  if (name === undefined) {
    name = `${group}/${kind}`;
    kinds.set(kind, name);
  }
  return name;
}
