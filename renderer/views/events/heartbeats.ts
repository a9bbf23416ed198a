/** Renewals of Leases come every few seconds from each node and each leader; they hide what else changes. */

/**
 * What the engine is asked for: the user's filter, and without `heartbeats` no change that moved only `spec.renewTime`.
 * A new holder of a Lease says more than its time, so it stays. A filter that asks for Leases shows them whole.
 */
export function filterOf(text: string, heartbeats: boolean): string {
  const filter = text.trim();
  if (heartbeats || /lease|renewTime/i.test(filter)) return filter;
  // In front: behind a quote that is still open it would be a part of the quote.
  return `-spec.renewTime ${filter}`.trim();
}
