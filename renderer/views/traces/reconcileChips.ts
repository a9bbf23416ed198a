/** Quick filters of the reconcile list: each is a term of its filter, put there or taken away. Pure. */
import { parseFilter, printTerm } from '../../../shared/model/filter.ts';

export const quickFilters = [
  { id: 'errors', term: 'result:error' },
  { id: 'notStored', term: 'refused>0' },
  { id: 'self', term: 'woken:self' },
  { id: 'slow', term: 'duration>500ms' },
] as const;
export type QuickFilter = (typeof quickFilters)[number];

export function hasTerm(text: string, term: string): boolean {
  return parseFilter(text).terms.some((one) => printTerm(one) === term);
}

/** The text with the term, or without it where it was; what else is typed stays as it is. */
export function toggleTerm(text: string, term: string): string {
  const { terms } = parseFilter(text);
  if (!hasTerm(text, term)) return `${text.trim()} ${term}`.trim();
  return terms
    .filter((one) => printTerm(one) !== term)
    .map(({ from, to }) => text.slice(from, to))
    .join(' ');
}
