/** Finds objects for the palette: every word must stand in `Kind ns/name`; names that begin with it come first. */
import type { ObjectHit } from '../../shared/contract/views/objects.ts';
import type { ObjectIndex, ObjectState } from './objectIndex.ts';
import { objectRefView } from './objectViews.ts';

export function searchObjects(index: ObjectIndex, text: string, limit: number): ObjectHit[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found: { readonly state: ObjectState; readonly score: number }[] = [];
  for (const state of index.all()) {
    const score = scoreOf(state, words);
    if (score > 0) found.push({ state, score });
  }
  return found
    .sort((a, b) => b.score - a.score || (a.state.fact.key < b.state.fact.key ? -1 : 1))
    .slice(0, limit)
    .map(({ state }) => ({
      object: objectRefView(state.fact.key),
      versions: state.versions,
      deleted: state.deleted,
    }));
}

/** 0: no match. Custom resources before built-in kinds, living before deleted, a name's beginning before its middle. */
function scoreOf(state: ObjectState, words: readonly string[]): number {
  const { kind, namespace, name, group } = state.fact;
  const text = `${kind} ${namespace}/${name}`.toLowerCase();
  const lowName = name.toLowerCase();
  let score = 1;
  for (const word of words) {
    if (!text.includes(word)) return 0;
    if (lowName === word) score += 40;
    else if (lowName.startsWith(word)) score += 20;
    if (kind.toLowerCase() === word) score += 10;
  }
  if (kind === 'Event' || kind === 'Lease') score -= 0.5;
  if (group.includes('.') && !group.endsWith('.k8s.io')) score += 5;
  return state.deleted ? score / 2 : score;
}
