/** What a dropped file is, by its name. What it really holds, the engine finds out when it reads it. */

export type DropKind = 'session' | 'log' | 'profile' | 'other';

export function dropKindOf(name: string): DropKind {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  switch (ending) {
    case 'loopscope':
      return 'session';
    case 'log':
    case 'txt':
    case 'json':
    case 'jsonl':
    case 'ndjson':
      return 'log';
    case 'yaml':
    case 'yml':
      return 'profile';
    default:
      return 'other';
  }
}

export type DropRefusal = 'nothing' | 'many' | 'kind' | 'disconnected';

/** The one file that can be used, with what it is; or why not. `connected`: a cluster is on screen. */
export function judgeDrop(
  names: readonly string[],
  connected: boolean,
): { readonly kind: Exclude<DropKind, 'other'> } | { readonly refused: DropRefusal } {
  const [name] = names;
  if (name === undefined) return { refused: 'nothing' };
  if (names.length > 1) return { refused: 'many' };
  const kind = dropKindOf(name);
  if (kind === 'other') return { refused: 'kind' };
  return kind === 'session' || connected ? { kind } : { refused: 'disconnected' };
}
