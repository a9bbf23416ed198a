import { err, ok, type Result } from '../../../shared/base/result.ts';
import type { LimiterFile } from '../../../shared/model/limiter.ts';
import { zLimiterFile } from '../../../shared/model/limiter.ts';

/** Names separated by spaces, commas or lines; each once, in their order. */
export function parseList(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((part) => part !== ''))];
}

interface Watch {
  readonly resource: string;
  readonly maps: string;
}

export function printWatches(watches: readonly Watch[]): string {
  return watches.map((watch) => `${watch.resource} ${watch.maps}`).join('\n');
}

/** A line each: resource, then `self`, `owner`, `ownerController` or `label KEY`. The error names the line. */
export function parseWatches(text: string): Result<readonly Watch[], string> {
  const watches: Watch[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const match = /^(\S+)\s+(self|owner|ownerController|label\s+\S+)$/.exec(line);
    if (match === null) return err(`${index + 1}: ${line}`);
    watches.push({ resource: match[1] as string, maps: (match[2] as string).replace(/\s+/, ' ') });
  }
  return ok(watches);
}

/** The limiter with its types checked as loopscope.yaml is; the error is the first field and what it must be. */
export function checkLimiter(
  limiter: unknown,
): Result<LimiterFile, { readonly field: string; readonly why: string }> {
  const parsed = zLimiterFile.safeParse(limiter);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return err({ field: issue?.path.map(String).join('.') ?? '', why: issue?.message ?? '' });
}

/** What a kind of limiter starts with when it is chosen. */
export function freshLimiter(type: LimiterFile['type']): LimiterFile {
  switch (type) {
    case 'exp':
      return { type, base: '5ms', factor: 2, max: '1000s' };
    case 'fastslow':
      return { type, fast: '100ms', slow: '10s', maxFastAttempts: 5 };
    case 'bucket':
      return { type, qps: 10, burst: 100 };
    case 'maxof':
      return { type, limiters: [freshLimiter('exp'), freshLimiter('bucket')] };
    case 'maxwait':
      return { type, max: '60s', limiter: freshLimiter('exp') };
    case 'default':
    case 'defaultItemBased':
      return { type };
  }
}
