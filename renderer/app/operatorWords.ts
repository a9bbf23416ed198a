/** The state of an operator's workload in the window's language. The engine tells it as one of a few English phrases. */
import type { I18n } from '../i18n/i18n.tsx';

/** What is none of these phrases is shown as it is. */
export function operatorWords(t: I18n['t'], detail: string): string {
  const [, ready, n] = /^(\d+) of (\d+) ready$/.exec(detail) ?? [];
  if (ready !== undefined) return t('nav.operator.ready', { ready: Number(ready), n: Number(n) });
  const [, code] = /^its process ended with code (-?\d+)$/.exec(detail) ?? [];
  if (code !== undefined) return t('nav.operator.endedWith', { code });
  switch (detail) {
    case 'scaled to 0':
      return t('nav.operator.scaledDown');
    case 'its process ended':
    case 'its process was ended':
      return t('nav.operator.ended');
    default:
      return detail;
  }
}
