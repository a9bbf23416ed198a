import type { LimiterFile } from '../../../shared/model/limiter.ts';
import { formatDuration } from '../../format/format.ts';
import type { I18n } from '../../i18n/i18n.tsx';

/** A limiter in one line, as the head of the queue says it. `kind` decides what `default` means. */
export function limiterText(limiter: LimiterFile, kind: 'priority' | 'classic', t: I18n['t']): string {
  switch (limiter.type) {
    case 'exp':
      return t('queue.limiter.exp', {
        base: spaced(limiter.base),
        factor: `${limiter.factor ?? 2}`,
        max: spaced(limiter.max),
      });
    case 'fastslow':
      return t('queue.limiter.fastslow', {
        fast: spaced(limiter.fast),
        slow: spaced(limiter.slow),
        n: limiter.maxFastAttempts,
      });
    case 'bucket':
      return t('queue.limiter.bucket', { qps: limiter.qps, burst: limiter.burst });
    case 'maxof':
      return t('queue.limiter.maxof', {
        list: limiter.limiters.map((inner) => limiterText(inner, kind, t)).join(' | '),
      });
    case 'maxwait':
      return t('queue.limiter.maxwait', {
        limiter: limiterText(limiter.limiter, kind, t),
        max: spaced(limiter.max),
      });
    case 'default':
      return t(`queue.limiter.default.${kind}`);
    case 'defaultItemBased':
      return t('queue.limiter.defaultItemBased');
  }
}

/** `5ms` → `5 ms`; what it cannot read stays as it is. */
function spaced(duration: string): string {
  return duration.replace(/(\d)([a-zµ])/g, '$1 $2');
}

/** A limiter's step on the axis: round seconds stay seconds (1000 s), as the limiter is written. */
export function formatStep(ms: number): string {
  if (ms >= 60_000 && ms % 100_000 === 0) return `${ms / 1000} s`;
  return formatDuration(ms);
}
