/** What of a query can be decided from a head alone; ranges, order and limit belong to the log that walks them. */
import type { RecordHead, RecordQuery } from './record.ts';

/** Whether `head` has a kind, object and source that `query` asks for. */
export function matchesQuery(head: RecordHead, query: RecordQuery): boolean {
  if (query.object !== undefined && head.object !== query.object) return false;
  if (query.source !== undefined && head.source !== query.source) return false;
  return query.kinds === undefined || query.kinds.includes(head.kind);
}

/** The range of sequence numbers a query covers in a log that holds 1 … `last`; empty when first > last. */
export function queryRange(
  query: RecordQuery,
  last: number,
): { readonly first: number; readonly last: number } {
  return { first: Math.max(1, query.from ?? 1), last: Math.min(last, query.to ?? last) };
}
