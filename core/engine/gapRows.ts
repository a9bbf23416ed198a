/** A gap of a watch in words and counts. */
import type { GapRow } from '../../shared/contract/views/sources.ts';
import { resourceName } from '../../shared/model/resource.ts';
import type { WatchGap } from '../source/watch/watchTypes.ts';

/** `seq`: the record that opened it. */
export function gapRow(gap: WatchGap, seq: number): GapRow {
  return {
    id: gap.id,
    seq,
    source: gap.source,
    from: gap.since,
    ...(gap.phase === 'closed' ? { to: gap.until } : {}),
    why: whyOf(gap),
    text: textOf(gap),
    ...(gap.phase === 'closed' && gap.found !== undefined ? { found: gap.found } : {}),
  };
}

function whyOf(gap: WatchGap): GapRow['why'] {
  switch (gap.cause) {
    case 'expired':
      return 'expired';
    case 'lost':
      return 'connection-lost';
    case 'failed':
      return gap.error?.code === 403 ? 'forbidden' : 'stream-error';
  }
}

function textOf(gap: WatchGap): string {
  const name = resourceName(gap.resource);
  const cause = causeOf(gap);
  if (gap.phase === 'opened') return `${name} is not watched: ${cause}`;
  const seconds = ((gap.until - gap.since) / 1000).toFixed(1);
  if (gap.found === undefined) return `${name} was not watched for ${seconds} s: ${cause}; the watch resumed`;
  const { created, changed, deleted } = gap.found;
  return `${name} was not watched for ${seconds} s: ${cause}; listed again: ${created} created, ${changed} changed, ${deleted} deleted`;
}

function causeOf(gap: WatchGap): string {
  switch (gap.cause) {
    case 'expired':
      return `410 Gone for version ${gap.fromVersion}`;
    case 'lost':
      return 'connection lost';
    case 'failed':
      return gap.error === undefined ? 'the stream failed' : `${gap.error.code} ${gap.error.reason}`.trim();
  }
}
