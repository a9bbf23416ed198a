/** Lists one resource page by page. Mirrors client-go tools/pager/pager.go (ListWithAlloc, FullListIfExpired). Pure. */
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { ApiStatus, ItemHead, ListerWatcher, ListOptions } from '../source/listerWatcher.ts';

export interface WholeList<T> {
  readonly items: readonly T[];
  /** Version of the first page; all pages are of that version. */
  readonly resourceVersion: string;
  /** True when more than one page was asked for. */
  readonly paginated: boolean;
}

export interface PagerOptions<R extends ItemHead, T> {
  readonly listerWatcher: ListerWatcher<R>;
  /** 0: no limit. */
  readonly pageSize: number;
  /** Absent: the server's rule, which for a limit at a version other than '0' is that exact version. */
  readonly match?: 'NotOlderThan';
  readonly signal: AbortSignal;
  readonly take: (item: R) => T;
  readonly onProgress?: (items: number, remaining: number | undefined) => void;
}

/**
 * The whole list. A page after the first that answers 410 makes it start over without a limit, at the version asked for
 * first; `take` then sees those items again.
 */
export async function fetchList<R extends ItemHead, T>(
  options: PagerOptions<R, T>,
  resourceVersion: string,
): Promise<Result<WholeList<T>, ApiStatus>> {
  const { listerWatcher, pageSize, signal, take } = options;
  let items: T[] = [];
  let version: string | undefined;
  let paginated = false;
  const whole: ListOptions =
    options.match === undefined
      ? { resourceVersion }
      : { resourceVersion, resourceVersionMatch: options.match };
  let request: ListOptions = pageSize > 0 ? { ...whole, limit: pageSize } : whole;
  for (;;) {
    const answer = await listerWatcher.list(request, signal);
    if (!answer.ok) {
      const isLaterPage = request.continueToken !== undefined;
      if (!isLaterPage || !isResourceExpired(answer.error)) return answer;
      items = [];
      version = undefined;
      request = whole;
      continue;
    }
    const page = answer.value;
    version ??= page.resourceVersion;
    for (const item of page.items) items.push(take(item));
    options.onProgress?.(items.length, page.remainingItemCount);
    if (page.continueToken === undefined || page.continueToken === '') {
      return ok({ items, resourceVersion: version, paginated });
    }
    if (signal.aborted) return err(stopped);
    // A continue token carries its version: sending one beside it is refused.
    request = { limit: pageSize, continueToken: page.continueToken };
    paginated = true;
  }
}

const stopped: ApiStatus = { code: 0, reason: 'Stopped', causes: [], message: 'stopped' };

/** Only the reason Expired, not Gone: as the pager has it. */
function isResourceExpired(status: ApiStatus): boolean {
  return status.reason === 'Expired' || (status.reason === '' && status.code === 410);
}
